// The score of one audio against one template: a calibrated log-likelihood ratio (natural logarithm).
// Positive: the same voice is more likely than a stranger. The calibration already accounts for the amount of
// speech on both sides, the noise, and whether it came over a telephone.
import { dot } from '../embedding/vector.js';
import { rememberedStatistics, type NormStatistics } from './cohort.js';
import { reliabilityOf, weaknessOf, type Weakness } from './reliability.js';
import { clamp, sameModel } from './speaker-model.js';
import type { Bandwidth, Conditions, ScoringSettings, SpeakerModel, VoiceSample } from './speaker-model.js';
import type { Template } from './template.js';

interface Score {
  llr: number;
  cosine: number;
  /** The cosine in units of the strangers' spread. */
  normalized: number;
  /** 0 to 100. */
  reliability: number;
  /** What lowers the reliability most. */
  weakness: Weakness;
}

export const CALIBRATION_TERMS = 13;

/** The regressors of the calibration, in the order of the manifest's coefficients. */
export function calibrationTerms(
  settings: ScoringSettings,
  cosine: number,
  z: number,
  at: Conditions,
): number[] {
  const test = Math.log(clamp(at.netTestMs / 1000, settings.netTestClampS));
  const enrol = Math.log(clamp(at.netEnrolMs / 1000, settings.netEnrolClampS));
  const snr = clamp(at.snrDb, settings.snrClampDb) / 10;
  const both = at.narrowSides === 2 ? 1 : 0;
  const mixed = at.narrowSides === 1 ? 1 : 0;
  return [1, z, cosine, test, enrol, snr, both, mixed, z * test, z * enrol, z * snr, z * both, z * mixed];
}

export function calibrate(settings: ScoringSettings, terms: readonly number[]): number {
  let llr = 0;
  for (let i = 0; i < terms.length; i++) llr += (terms[i] ?? 0) * (settings.coefficients[i] ?? 0);
  return clamp(llr, settings.llrClamp);
}

export function conditionsOf(template: Template, sample: VoiceSample): Conditions {
  const sides = (template.bandwidth === 'narrow' ? 1 : 0) + (sample.bandwidth === 'narrow' ? 1 : 0);
  return {
    netTestMs: sample.netMs,
    netEnrolMs: template.netMs,
    snrDb: Math.min(sample.snrDb, template.snrDb),
    narrowSides: sides as 0 | 1 | 2,
  };
}

/** The statistics of strangers that a sample is compared with, by the bandwidth of the other side. */
type StrangersOf = (band: Bandwidth) => NormStatistics;

const strangersOf =
  ({ cohort }: SpeakerModel, sample: VoiceSample): StrangersOf =>
  (band) =>
    rememberedStatistics(cohort, sample.embedding, band);

/**
 * The cosine in units of the spread of strangers; each side is compared with strangers of the other side's
 * bandwidth.
 */
export function normalizedCosine(
  model: SpeakerModel,
  template: Template,
  sample: VoiceSample,
  strangers: StrangersOf = strangersOf(model, sample),
): { cosine: number; z: number } {
  const cosine = dot(template.embedding, sample.embedding);
  if (!model.cohort) return { cosine, z: cosine };
  const forTemplate = template.norm[sample.bandwidth];
  const forSample = strangers(template.bandwidth);
  return {
    cosine,
    z: 0.5 * ((cosine - forTemplate.mean) / forTemplate.sd + (cosine - forSample.mean) / forSample.sd),
  };
}

export function scoreSample(model: SpeakerModel, template: Template, sample: VoiceSample): Score {
  return sampleScorer(model, sample)(template);
}

/** The same for many templates: everything that depends on the sample alone is looked up once. */
export function sampleScorer(model: SpeakerModel, sample: VoiceSample): (template: Template) => Score {
  const look = strangersOf(model, sample);
  const known: Partial<Record<Bandwidth, NormStatistics>> = {};
  const strangers: StrangersOf = (band) => (known[band] ??= look(band));
  return (template) => {
    if (!sameModel(template, sample) || template.modelRevision !== model.revision) {
      throw new RangeError(
        `cannot compare ${sample.modelRevision} with ${template.modelRevision} under ${model.revision}`,
      );
    }
    const { cosine, z } = normalizedCosine(model, template, sample, strangers);
    const conditions = conditionsOf(template, sample);
    const llr = calibrate(model.scoring, calibrationTerms(model.scoring, cosine, z, conditions));
    return {
      llr,
      cosine,
      normalized: z,
      reliability: reliabilityOf(conditions),
      weakness: weaknessOf(conditions),
    };
  };
}
