// Which callers sound most like the print of somebody else: one person under two names, or a call that somebody else made.
import type { CallerTrial } from './caller-trials.js';

const PAIRS_MAX = 10;

export interface AlikeCaller {
  /** Whose call it was; absent if nobody said who calls. */
  gkPersonId?: string;
  /** The call. */
  gkSessionId: string;
  /** The owner of the print. */
  owner: string;
  score: number;
}

/** The highest score between any two; a pair of persons is reported once, whichever of them called. */
export function alikeCallers(trials: readonly CallerTrial[]): AlikeCaller[] {
  const best = new Map<string, CallerTrial>();
  for (const trial of trials) {
    const key = [...trial.groups].sort().join(' ');
    if ((best.get(key)?.score ?? -Infinity) < trial.score) best.set(key, trial);
  }
  return [...best.values()]
    .sort((a, b) => b.score - a.score)
    .slice(0, PAIRS_MAX)
    .map(({ caller: { gkPersonId, gkSessionId }, owner, score }) => ({
      ...(gkPersonId !== undefined && { gkPersonId }),
      gkSessionId,
      owner,
      score,
    }));
}
