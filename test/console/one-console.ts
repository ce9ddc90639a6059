// Suites in a real browser that share one server and one browser, one after the other. What a suite changes lies in a
// tenant, an application or a user of its own.
import { afterAll, afterEach, beforeAll, beforeEach, describe } from 'vitest';
import { builtProgram } from '../support/built-program.js';
import { seedVoices, type SeededVoices } from './seed-voices.js';
import { seedConsole, type Seeded } from './seed.js';
import type { Suite } from './suites/setting.js';
import { HAS_CHROMIUM, startConsole, type ConsoleTest } from './support.js';

export function oneConsole(name: string, suites: readonly Suite[]): void {
  describe.skipIf(!HAS_CHROMIUM)(name, { timeout: 400_000 }, () => {
    let console: ConsoleTest;
    let seeded: Seeded;
    let voices: SeededVoices;
    beforeAll(async () => {
      await builtProgram();
      console = await startConsole();
      seeded = await seedConsole(console);
      voices = await seedVoices(console);
    }, 400_000);
    afterAll(() => console?.stop());

    let closeNew: () => Promise<void>;
    beforeEach(() => {
      closeNew = console.mark();
    });
    afterEach(() => closeNew());

    for (const [index, suite] of suites.entries())
      describe(`part ${index + 1}`, () => {
        let closeAll: () => Promise<void>;
        beforeAll(() => {
          closeAll = console.mark();
        });
        afterAll(() => closeAll());
        suite(() => ({ console, seeded, voices }));
      });
  });
}
