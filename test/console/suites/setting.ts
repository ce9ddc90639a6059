// What every suite is given: the running console, and what was put into it beforehand. Made before the tests run, so
// it is asked for inside them.
import type { SeededVoices } from '../seed-voices.js';
import type { Seeded } from '../seed.js';
import type { ConsoleTest } from '../support.js';

export interface Setting {
  console: ConsoleTest;
  seeded: Seeded;
  voices: SeededVoices;
}

export type Suite = (setting: () => Setting) => void;
