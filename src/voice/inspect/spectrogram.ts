// A picture of energy over time and frequency, made from the log-mel features that the engine computes
// anyway: one byte per cell; a column is the mean power of the frames that fall into it.
import { standardFeatures } from '../features/mel.js';

export interface Spectrogram {
  columns: number;
  /** Mel bands, lowest first. */
  rows: number;
  /** Column after column; 0 is minDb, 255 is maxDb. */
  values: Uint8Array;
  /** Relative to the loudest that 16-bit audio can be in one band. */
  minDb: number;
  maxDb: number;
  maxHz: number;
}

/** Cells softer than the loudest by more than this are drawn as silence. */
const DYNAMIC_RANGE_DB = 80;

export function spectrogramOf(
  logmel: Float32Array,
  frames: number,
  bins: number,
  columnsMax: number,
): Spectrogram {
  const columns = Math.min(columnsMax, frames);
  const power = new Float64Array(columns * bins);
  for (let column = 0; column < columns; column++) {
    const from = Math.floor((column * frames) / columns);
    const to = Math.floor(((column + 1) * frames) / columns);
    for (let frame = from; frame < to; frame++) {
      for (let bin = 0; bin < bins; bin++) {
        const at = column * bins + bin;
        power[at] = (power[at] as number) + Math.exp(logmel[frame * bins + bin] as number) / (to - from);
      }
    }
  }
  const fullScale = fullScaleDb();
  let maxDb = -Infinity;
  const db = power.map((value) => {
    const level = 10 * Math.log10(Math.max(value, Number.MIN_VALUE)) - fullScale;
    if (level > maxDb) maxDb = level;
    return level;
  });
  if (columns === 0) maxDb = 0;
  const minDb = maxDb - DYNAMIC_RANGE_DB;
  const values = Uint8Array.from(db, (level) =>
    Math.round((255 * Math.max(0, level - minDb)) / DYNAMIC_RANGE_DB),
  );
  return { columns, rows: bins, values, minDb, maxDb, maxHz: standardFeatures.melHighHz };
}

/** Power of a full-scale sine in its FFT bin: amplitude times half the frame, squared. */
function fullScaleDb(): number {
  const { sampleScale, frameLength } = standardFeatures;
  return 20 * Math.log10((sampleScale * frameLength) / 4);
}
