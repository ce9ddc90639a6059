// The console in a real browser: one server, one browser, one suite after the other. What a suite changes lies in a
// tenant, an application or a user of its own.
import { afterAll, beforeAll, describe } from 'vitest';
import { seedVoices, type SeededVoices } from './seed-voices.js';
import { seedConsole, type Seeded } from './seed.js';
import { builtProgram } from '../support/built-program.js';
import { accessibility } from './suites/accessibility.js';
import { account } from './suites/account.js';
import { engagement } from './suites/engagement.js';
import { insight } from './suites/insight.js';
import { keyboard } from './suites/keyboard.js';
import { manage } from './suites/manage.js';
import { people } from './suites/people.js';
import { firstRun, signIn } from './suites/sign-in.js';
import { states } from './suites/states.js';
import { tenants } from './suites/tenants.js';
import { voice } from './suites/voice.js';
import { fiveWalks } from './suites/walks.js';
import { HAS_CHROMIUM, startConsole, type ConsoleTest } from './support.js';

describe.skipIf(!HAS_CHROMIUM)('the console', { timeout: 400_000 }, () => {
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

  const setting = () => ({ console, seeded, voices });
  firstRun(setting);
  signIn(setting);
  keyboard(setting);
  manage(setting);
  account(setting);
  engagement(setting);
  tenants(setting);
  people(setting);
  voice(setting);
  insight(setting);
  fiveWalks(setting);
  states(setting);
  accessibility(setting);
});
