// Checks whether the segments of one print sound like one person: each is scored against a template of the
// others.
import { scoreSample } from './score.js';
import type { SpeakerModel, VoiceSample } from './speaker-model.js';
import { buildTemplate } from './template.js';

interface SegmentConsistency {
  /**
   * LLR against the template of the other segments in use; for an excluded segment, against all in use. Absent if there is
   * no other to compare with.
   */
  score?: number;
  used: boolean;
}

interface ConsistencyParameters {
  /** Segments that score lower are outliers. Zero: as likely a stranger as the same person. */
  minLlr: number;
}

const defaultConsistency: ConsistencyParameters = { minLlr: 0 };

function scoreAgainst(
  model: SpeakerModel,
  samples: readonly VoiceSample[],
  use: readonly boolean[],
  index: number,
): number | undefined {
  const sample = samples[index];
  const others = samples.filter((_, other) => other !== index && use[other]);
  return sample && others.length > 0
    ? scoreSample(model, buildTemplate(model, others), sample).llr
    : undefined;
}

/** Excludes the worst outlier again and again until the remaining segments agree. */
export function consistentSubset(
  model: SpeakerModel,
  samples: readonly VoiceSample[],
  parameters: ConsistencyParameters = defaultConsistency,
): SegmentConsistency[] {
  const use = samples.map(() => true);
  for (let left = samples.length; left > 1; left--) {
    let worst = -1;
    let worstScore = parameters.minLlr;
    samples.forEach((_, index) => {
      if (!use[index]) return;
      const score = scoreAgainst(model, samples, use, index) ?? Infinity;
      if (score < worstScore) [worst, worstScore] = [index, score];
    });
    if (worst < 0) break;
    use[worst] = false;
  }
  return samples.map((_, index) => {
    const score = scoreAgainst(model, samples, use, index);
    return { ...(score !== undefined && { score }), used: use[index] ?? false };
  });
}
