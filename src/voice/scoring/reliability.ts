// How far a score may be trusted, 0 to 100, from the same measures that the calibration uses. It says nothing
// about who spoke: it is lower with little speech, with noise, and if a telephone is compared with a
// microphone.
import type { Conditions } from './speaker-model.js';

/** Net speech at which half of the attainable trust is reached. */
const HALF_TEST_MS = 600;
const HALF_ENROL_MS = 1000;
const MIXED_BAND = 0.95;

const saturating = (value: number, half: number): number => (value <= 0 ? 0 : value / (value + half));

/** 0.5 at 0 dB, 1 from 15 dB on, linear in between. */
const noiseFactor = (snrDb: number): number => 0.5 + 0.5 * Math.min(1, Math.max(0, snrDb / 15));

export function reliabilityOf(at: Conditions): number {
  const speech = saturating(at.netTestMs, HALF_TEST_MS) * saturating(at.netEnrolMs, HALF_ENROL_MS);
  return Math.round(100 * speech * noiseFactor(at.snrDb) * (at.narrowSides === 1 ? MIXED_BAND : 1));
}
