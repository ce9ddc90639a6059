// Suites in a real browser that share one server and one browser, one after the other. What a suite changes lies in a
// tenant, an application or a user of its own. What they all find there is made once in a run, and copied for each file.
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, inject } from 'vitest';
import { builtProgram } from '../support/built-program.js';
import { onceInRun } from '../support/once-in-run.js';
import { seedVoices, type SeededVoices } from './seed-voices.js';
import { seedConsole, type Seeded } from './seed.js';
import type { Suite } from './suites/setting.js';
import { HAS_CHROMIUM, startConsole, type ConsoleTest, type Installation } from './support.js';

interface Filled extends Installation {
  seeded: Seeded;
  voices: SeededVoices;
}

async function filledInstallation(): Promise<Filled> {
  const outcome = await onceInRun('console-installation', async (): Promise<Filled> => {
    const folder = join(inject('runFolder'), 'console-installation');
    const console = await startConsole({ folder });
    const seeded = await seedConsole(console);
    const voices = await seedVoices(console);
    await console.stop();
    return { folder, admin: console.admin, gkScopeId: console.gkScopeId, seeded, voices };
  });
  if ('fault' in outcome) throw new Error(outcome.fault);
  return outcome.value;
}

export function oneConsole(name: string, suites: readonly Suite[]): void {
  describe.skipIf(!HAS_CHROMIUM)(name, { timeout: 400_000 }, () => {
    let console: ConsoleTest;
    let seeded: Seeded;
    let voices: SeededVoices;
    beforeAll(async () => {
      await builtProgram();
      const filled = await filledInstallation();
      console = await startConsole({ copyOf: filled });
      ({ seeded, voices } = filled);
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
