// More audio must not weaken a finding: beside the voice of the whole recording, its stretches have a say. Pure. How the
// lines were chosen, and what they cost: docs/adr/0039-more-audio-never-weakens-a-finding.md.
import type { SpeakerChange } from '../../voice/engine.js';
import type { ScoredStretch } from '../model/comparison.js';

/** Speech that is enough to say whose voice it is. */
export const STRETCH_NET_MS = 6000;
/** Enough only together with another sign: short speech of the right person may score badly, too. */
export const SHORT_STRETCH_NET_MS = 3000;
/** So much sooner a short stretch is looked at: the other sign has to be there as well. */
const SHORT_STRETCH_LLR_ABOVE = 2;
/**
 * A short stretch that falls so far behind the whole is somebody else's, whom the owner's speech outweighs. On a bad line the
 * whole scores badly, too.
 */
const BEHIND_WHOLE_LLR = 11;
/** Voices before and after a change that are less alike than this are those of two people. */
const CHANGE_LIKENESS_MOST = 0.235;

export interface StretchEvidence {
  /** Of the whole recording, against the print that it matches. */
  wholeLlr: number;
  /** Against the same print. */
  stretches: readonly ScoredStretch[];
  shortStretches: readonly ScoredStretch[];
  speakerChange: SpeakerChange | undefined;
}

/** The stretch in which somebody else than the owner speaks, if there is one. */
export function stretchAgainstOwner(
  { wholeLlr, stretches, shortStretches, speakerChange }: StretchEvidence,
  llrMin: number,
): ScoredStretch | undefined {
  const worst = lowest(stretches);
  if (worst && worst.llr < llrMin) return worst;
  const short = lowest(shortStretches);
  if (!short || short.llr >= llrMin + SHORT_STRETCH_LLR_ABOVE) return undefined;
  const isChange = speakerChange !== undefined && isSecondVoice(speakerChange);
  return isChange || wholeLlr - short.llr > BEHIND_WHOLE_LLR ? short : undefined;
}

/** Whether two people speak, before and after the change. */
export const isSecondVoice = ({ likeness }: SpeakerChange): boolean => likeness < CHANGE_LIKENESS_MOST;

/** How many times a recording is looked at: the target rate is for all of them together. */
export function looksAt(netMs: number): number {
  return Math.max(1, Math.floor(netMs / STRETCH_NET_MS));
}

function lowest(stretches: readonly ScoredStretch[]): ScoredStretch | undefined {
  return stretches.reduce<ScoredStretch | undefined>(
    (low, stretch) => (low && low.llr <= stretch.llr ? low : stretch),
    undefined,
  );
}
