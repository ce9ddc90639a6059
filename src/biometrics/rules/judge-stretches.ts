// More audio must not weaken a finding: besides the voice of the whole recording, its stretches count too. Pure. How the lines
// were chosen, and what they cost: docs/adr/0039-more-audio-never-weakens-a-finding.md.
import type { SpeakerChange } from '../../voice/embedding/voice-window.js';
import { usualLikeness, type SpeakerModel } from '../../voice/scoring/speaker-model.js';
import type { ScoredStretch } from '../model/comparison.js';

/** Enough speech to say whose voice it is. */
export const STRETCH_NET_MS = 6000;
/** Enough only together with a change of speaker: short speech of the right person may also score badly. */
export const SHORT_STRETCH_NET_MS = 3000;
/** How much earlier a short stretch is considered: there must be a change of speaker as well. */
const SHORT_STRETCH_LLR_ABOVE = 1;

interface StretchEvidence {
  /** Against the print that the whole recording matches. */
  stretches: readonly ScoredStretch[];
  shortStretches: readonly ScoredStretch[];
  speakerChange: SpeakerChange | undefined;
}

/** The stretch in which somebody other than the owner speaks, if there is one. */
export function stretchAgainstOwner(
  { stretches, shortStretches, speakerChange }: StretchEvidence,
  llrMin: number,
  model: Pick<SpeakerModel, 'likeness'>,
): ScoredStretch | undefined {
  const worst = lowest(stretches);
  if (worst && worst.llr < llrMin) return worst;
  if (!speakerChange || !isSecondVoice(speakerChange, model)) return undefined;
  const short = lowest(shortStretches);
  return short && short.llr < llrMin + SHORT_STRETCH_LLR_ABOVE ? short : undefined;
}

/** Whether two people speak, before and after the change. */
export const isSecondVoice = ({ likeness }: SpeakerChange, model: Pick<SpeakerModel, 'likeness'>): boolean =>
  likeness < (model.likeness ?? usualLikeness).secondVoiceMost;

/** How many times a recording is compared: the target rate is for all of them together. */
export function comparisonsOf(netMs: number): number {
  return Math.max(1, Math.floor(netMs / STRETCH_NET_MS));
}

function lowest(stretches: readonly ScoredStretch[]): ScoredStretch | undefined {
  return stretches.reduce<ScoredStretch | undefined>(
    (low, stretch) => (low && low.llr <= stretch.llr ? low : stretch),
    undefined,
  );
}
