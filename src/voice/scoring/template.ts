// A voice template: what remains of the enrollment segments of one print.
import { weightedMean } from '../embedding/vector.js';
import { rememberedStatistics } from './cohort.js';
import type { NormPair, NormStatistics } from './cohort.js';
import { clamp } from './speaker-model.js';
import type { Bandwidth, SpeakerModel, VoiceSample } from './speaker-model.js';
import { onGrid } from './template-grid.js';

/**
 * Its numbers are exactly those in storage: fresh from training it scores as it will when it is read again.
 */
export interface Template {
  /** On its grid, see template-grid.ts. */
  embedding: Float32Array;
  /** Total net speech of the segments. */
  netMs: number;
  /** Mean over the segments, weighted by net speech. */
  snrDb: number;
  bandwidth: Bandwidth;
  /** Cached here because it costs a pass over the cohort. */
  norm: NormPair;
  modelRevision: string;
}

/**
 * Segments are weighted by their net speech, within bounds, so that one long segment does not drown the
 * others.
 */
const segmentWeightS = [0.5, 30] as const;

export function buildTemplate(model: SpeakerModel, samples: readonly VoiceSample[]): Template {
  if (samples.length === 0) throw new RangeError('a template needs at least one segment');
  for (const sample of samples) {
    if (sample.modelRevision !== model.revision)
      throw new RangeError(`segment of model ${sample.modelRevision}, not ${model.revision}`);
  }
  const netMs = samples.reduce((sum, sample) => sum + sample.netMs, 0);
  const share = (sample: VoiceSample): number => (netMs > 0 ? sample.netMs / netMs : 1 / samples.length);
  const narrowShare = samples.reduce(
    (sum, sample) => sum + (sample.bandwidth === 'narrow' ? share(sample) : 0),
    0,
  );
  const embedding = onGrid(
    weightedMean(
      samples.map((sample) => sample.embedding),
      samples.map((sample) => clamp(sample.netMs / 1000, segmentWeightS)),
    ),
  );
  return {
    embedding,
    netMs: Math.fround(netMs),
    snrDb: Math.fround(samples.reduce((sum, sample) => sum + share(sample) * sample.snrDb, 0)),
    bandwidth: narrowShare > 0.5 ? 'narrow' : 'wide',
    norm: {
      narrow: rounded(rememberedStatistics(model.cohort, embedding, 'narrow')),
      wide: rounded(rememberedStatistics(model.cohort, embedding, 'wide')),
    },
    modelRevision: model.revision,
  };
}

const rounded = ({ mean, sd }: NormStatistics): NormStatistics => ({
  mean: Math.fround(mean),
  sd: Math.fround(sd),
});
