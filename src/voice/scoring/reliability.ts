// How far a score may be trusted, 0 to 100, from the same measures that the calibration uses. It says nothing
// about who spoke: it is lower with little speech, with noise, and if a telephone is compared with a
// microphone.
import type { Conditions } from './speaker-model.js';

/** Net speech at which half of the attainable trust is reached. */
const HALF_TEST_MS = 600;
const HALF_ENROL_MS = 1000;
const MIXED_BAND = 0.95;

const saturating = (value: number, half: number): number => (value <= 0 ? 0 : 1 / (1 + half / value));

/** 0.5 at 0 dB, 1 from 15 dB on, linear in between. */
const noiseFactor = (snrDb: number): number => 0.5 + 0.5 * Math.min(1, Math.max(0, snrDb / 15));

/** What lowers the reliability of a score. */
export type Weakness = 'too_short' | 'noise' | 'print' | 'channel';

const factorsOf = (at: Conditions): [Weakness, number][] => [
  ['too_short', saturating(at.netTestMs, HALF_TEST_MS)],
  ['print', saturating(at.netEnrolMs, HALF_ENROL_MS)],
  ['noise', noiseFactor(at.snrDb)],
  ['channel', at.narrowSides === 1 ? MIXED_BAND : 1],
];

export function reliabilityOf(at: Conditions): number {
  return Math.round(100 * factorsOf(at).reduce((product, [, factor]) => product * factor, 1));
}

/** What lowers it most. */
export const weaknessOf = (at: Conditions): Weakness =>
  factorsOf(at).reduce((lowest, next) => (next[1] < lowest[1] ? next : lowest))[0];
