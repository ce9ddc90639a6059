/**
 * Tells narrow from wide band by the log-mel of the speech: telephone audio has nothing above 4 kHz, whatever
 * the file's rate. Means of logarithms are compared, so that a few loud clicks do not make a telephone call
 * wide-band.
 */
const BINS = 80;
const MEL_LOW = 1127 * Math.log(1 + 20 / 700);
const MEL_HIGH = 1127 * Math.log(1 + 7600 / 700);

function binAt(hz: number): number {
  const mel = 1127 * Math.log(1 + hz / 700);
  return Math.round(((mel - MEL_LOW) / (MEL_HIGH - MEL_LOW)) * (BINS + 1)) - 1;
}

const middle = [binAt(1000), binAt(3300)] as const;
const high = [binAt(4500), binAt(7000)] as const;
/** A recording or a call at a lower rate has nothing of the wide band. */
export const WIDE_RATE_HZ_MIN = 12_000;

/** On development speech 99 % of full-band recordings lie above -21 dB and 95 % of telephone ones below -31 dB. */
export const HIGH_BAND_DB_WIDE_MIN = -28;

const NEPERS_TO_DB = 10 / Math.LN10;

/** Level from 4.5 to 7 kHz relative to 1 to 3.3 kHz, for each of the frames. */
export function highBands(logmel: Float32Array): Float32Array {
  const bands = new Float32Array(logmel.length / BINS);
  for (let frame = 0; frame < bands.length; frame++) {
    const row = frame * BINS;
    bands[frame] = NEPERS_TO_DB * (meanOf(logmel, row, high) - meanOf(logmel, row, middle));
  }
  return bands;
}

function meanOf(logmel: Float32Array, row: number, range: readonly [number, number]): number {
  const first = range[0];
  const last = range[1];
  let sum = 0;
  for (let bin = first; bin <= last; bin++) sum += logmel[row + bin] as number;
  return sum / (last - first + 1);
}

/** The mean over the frames marked as speech. */
export function highBandDb(bands: Float32Array, mask: Uint8Array): number {
  let sum = 0;
  let count = 0;
  for (let frame = 0; frame < bands.length; frame++) {
    if (mask[frame] !== 1) continue;
    sum += bands[frame] as number;
    count++;
  }
  return count === 0 ? 0 : sum / count;
}
