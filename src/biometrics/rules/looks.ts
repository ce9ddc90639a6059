// A call is compared with a person more than once while it runs, and each look is another chance for a stranger. So the looks
// share the target rate of false accepts: half of it is for those before the policy's patience is over, in equal parts, the
// other half for all later ones. Pure (docs/reference/voiceprint-contract.md#checkpoints).
import type { Parameters } from '../model/parameters.js';

/** Speech comes in frames, so a look may be this much early. */
const FRAME_SLACK_MS = 1;

export interface Look {
  netMs: number;
  /** The audio ends here. */
  isLast: boolean;
}

/** An early look may leave open who is speaking, because there will be more speech. */
export const isEarly = ({ netMs, isLast }: Look, { authentication }: Parameters): boolean =>
  !isLast && netMs < 1000 * authentication.patienceSeconds - FRAME_SLACK_MS;

/**
 * How many looks as certain as this one would use up the whole target rate. `plannedMs`: when the audio is
 * looked at before its end; with none before this one it is the only look.
 */
export function looksLike(look: Look, plannedMs: readonly number[], parameters: Parameters): number {
  if (look.isLast && !plannedMs.some((atMs) => atMs < look.netMs - FRAME_SLACK_MS)) return 1;
  if (!isEarly(look, parameters)) return 2;
  const early = plannedMs.filter((netMs) => isEarly({ netMs, isLast: false }, parameters));
  return 2 * Math.max(1, early.length);
}

/** Nobody is verified by a voice at such an early look: neither a match nor certainly somebody else. */
export const isBorderline = (risk: number, { authentication }: Parameters): boolean =>
  risk > authentication.riskLow && risk < authentication.riskHigh;
