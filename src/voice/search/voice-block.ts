// Many voices in one piece, as 8-bit integers: what a search through stored calls reads first. Its cosines
// are off by a few thousandths at most, enough to say which calls are worth a full comparison.
import type { VoiceSample } from '../scoring/speaker-model.js';
import { quantize } from './quantized-rows.js';

interface NamedVoice {
  id: string;
  atMs: number;
  sample: VoiceSample;
}

export interface VoiceBlock {
  ids: readonly string[];
  /** Speaker models of the voices; cosines between two models mean nothing. */
  revisions: readonly string[];
  /** Length of a row: the dimension of the longest voice. */
  stride: number;
  /** Epoch milliseconds. */
  times: Float64Array;
  /** For each voice, its index in `revisions`. */
  models: Uint16Array;
  /** The value of one step, per row. */
  scales: Float32Array;
  rows: Int8Array;
}

export function blockOf(voices: readonly NamedVoice[]): VoiceBlock {
  const revisions = [...new Set(voices.map(({ sample }) => sample.modelRevision))];
  const stride = voices.reduce((most, { sample }) => Math.max(most, sample.embedding.length), 0);
  const rows = new Int8Array(voices.length * stride);
  return {
    ids: voices.map(({ id }) => id),
    revisions,
    stride,
    times: Float64Array.from(voices, ({ atMs }) => atMs),
    models: Uint16Array.from(voices, ({ sample }) => revisions.indexOf(sample.modelRevision)),
    scales: Float32Array.from(
      voices,
      ({ sample }, row) => quantize(sample.embedding, rows.subarray(row * stride, (row + 1) * stride)).scale,
    ),
    rows,
  };
}

/** Whether its parts fit each other: a badly assembled block must not be read in part. */
export function isWhole({ ids, revisions, stride, times, models, scales, rows }: VoiceBlock): boolean {
  const count = ids.length;
  if (times.length !== count || models.length !== count || scales.length !== count) return false;
  return rows.length === count * stride && models.every((model) => model < revisions.length);
}

interface BlockQuestion {
  modelRevision: string;
  embedding: Float32Array;
  /** Older voices are left out. */
  fromMs: number;
}

/**
 * Reports the cosine of each voice that the model can compare; returns how many there were, and how many of
 * other models.
 */
export function scanBlock(
  { revisions, stride, times, models, scales, rows }: VoiceBlock,
  { modelRevision, embedding, fromMs }: BlockQuestion,
  /** Rows to leave out. */
  skip: readonly boolean[],
  show: (row: number, cosine: number) => void,
): { searched: number; otherModel: number } {
  const wanted = revisions.indexOf(modelRevision);
  const count = times.length;
  const dim = Math.min(stride, embedding.length);
  let searched = 0;
  let otherModel = 0;
  for (let row = 0; row < count; row++) {
    if ((times[row] as number) < fromMs || skip[row]) continue;
    if (models[row] !== wanted) {
      otherModel++;
      continue;
    }
    let sum = 0;
    for (let i = 0, at = row * stride; i < dim; i++, at++)
      sum += (embedding[i] as number) * (rows[at] as number);
    searched++;
    show(row, sum * (scales[row] as number));
  }
  return { searched, otherModel };
}
