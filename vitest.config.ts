import { defineConfig } from 'vitest/config';
import { builtFiles, builtSources } from './test/support/built-sources.js';
import { keepDataInMemory } from './test/support/data-in-memory.js';
import { LongFilesFirst } from './test/support/long-files-first.js';

keepDataInMemory();

export default defineConfig({
  plugins: [builtSources()],
  test: {
    include: ['test/**/*.test.ts'],
    // Each test is in one of two lanes, `npm test` and `npm run test:slow`: in the slow one with this tag, of its own (`{ tags: 'slow' }`),
    // of what it stands in, or of its whole file (`@module-tag slow`). Without a filter, as for a file by itself, both run.
    tags: [{ name: 'slow', description: 'npm run test:slow' }],
    globalSetup: ['test/support/built-sources.ts', 'test/support/postgres.ts'],
    setupFiles: ['test/support/v8-options.ts', 'test/support/quick-equality.ts'],
    server: { deps: { external: [builtFiles] } },
    testTimeout: 120_000,
    hookTimeout: 240_000,
    // A second, as by default, is soon over on a busy machine, and whoever polls knows only that it comes.
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    // Two more than the cores that CI has: many files wait for browsers, for servers that start, or for leases that run out.
    maxWorkers: 4,
    // A server and its clients in one process leave much that is dead at once. With more room for the young, less of it is taken for old.
    execArgv: ['--max-semi-space-size=64'],
    sequence: { sequencer: LongFilesFirst },
    // Files of one worker share what they import, so that the same modules are not loaded again for each of them. Tests keep no state in modules, replace none, and leave the process as they found it.
    isolate: false,
  },
});
