import { defineConfig } from 'vitest/config';
import { builtFiles, builtSources } from './test/support/built-sources.js';
import { keepDataInMemory } from './test/support/data-in-memory.js';
import { LongFilesFirst } from './test/support/long-files-first.js';

keepDataInMemory();

// Most of what tests run they run a few times only, and no core is idle: compiling it takes more from the other tests than quicker code
// gives back. So Node 20 waits six times as long as by itself before it optimizes a function, and what is hot still waits for milliseconds only.
// Later versions do not know the setting; they optimize in smaller steps.
const optimizeLater = process.versions.node.startsWith('20.') ? ['--interrupt-budget=400000'] : [];

export default defineConfig({
  plugins: [builtSources()],
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/built-sources.ts', 'test/support/postgres.ts'],
    setupFiles: ['test/support/quick-equality.ts'],
    server: { deps: { external: [builtFiles] } },
    testTimeout: 120_000,
    hookTimeout: 240_000,
    pool: 'forks',
    // Two more than the cores that CI has: many files wait for browsers, for servers that start, or for leases that run out.
    maxWorkers: 4,
    execArgv: optimizeLater,
    sequence: { sequencer: LongFilesFirst },
    // Files of one worker share what they import, so that the same modules are not loaded again for each of them. Tests keep no state in modules, replace none, and leave the process as they found it.
    isolate: false,
  },
});
