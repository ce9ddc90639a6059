import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/postgres.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
    // Files of one worker share what they import: half of the processor time of a run was spent on importing the same
    // modules again. Tests keep no state in modules, replace none, and leave the process as they found it.
    isolate: false,
  },
});
