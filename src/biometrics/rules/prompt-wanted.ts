// When a caller should be asked to repeat digits (config set, `promptedWords`), and whether that was done. Pure.
import type { Parameters } from '../model/parameters.js';
import type { Factor } from '../model/sessions.js';

/** A result that says no by itself needs no prompt. */
export function wantsPrompt(
  { kind, decision, risk = 0, bandwidth }: Pick<Factor, 'kind' | 'decision' | 'risk' | 'bandwidth'>,
  { promptedWords: { always, whenUnresolved, fromRisk } }: Parameters,
): boolean {
  const isRisky = fromRisk > 0 && risk >= fromRisk;
  if (kind === 'AUTHENTICATION') return decision === 'AUTHENTIC' && (always || isRisky);
  if (kind !== 'SYNTHETIC_SPEECH' && kind !== 'CHANNEL_PLAYBACK') return false;
  // On the telephone the check for playback never can tell.
  const canTell = kind === 'SYNTHETIC_SPEECH' || bandwidth !== 'narrow';
  return decision === 'UNCERTAIN' ? whenUnresolved && canTell : decision === 'NO_RISK_DETECTED' && isRisky;
}

/** The last answer that could be judged counts; `made` comes oldest first. */
export function promptOutcome(
  made: readonly Pick<Factor, 'kind' | 'decision'>[],
): 'PASSED' | 'FAILED' | undefined {
  const last = made.findLast(
    ({ kind, decision }) => kind === 'LIVENESS' && (decision === 'AUTHENTIC' || decision === 'NO_MATCH'),
  );
  return last && (last.decision === 'AUTHENTIC' ? 'PASSED' : 'FAILED');
}
