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

type Answered = Pick<Factor, 'kind' | 'decision' | 'recording'>;

/**
 * By recording or live call, what the last answer that could be judged says; `made` comes oldest first. An answer speaks only for the
 * voice that it was compared with: whoever answers may not vouch for another recording.
 */
export function promptOutcomes(made: readonly Answered[]): ReadonlyMap<string, 'PASSED' | 'FAILED'> {
  const outcomes = new Map<string, 'PASSED' | 'FAILED'>();
  for (const { kind, decision, recording = '' } of made)
    if (kind === 'LIVENESS' && (decision === 'AUTHENTIC' || decision === 'NO_MATCH'))
      outcomes.set(recording, decision === 'AUTHENTIC' ? 'PASSED' : 'FAILED');
  return outcomes;
}

/** Somebody who repeats random digits in time is there: attack checks of that call that were not made are answered. */
export const hasPassedPrompt = (made: readonly Answered[], recording: string): boolean =>
  promptOutcomes(made).get(recording) === 'PASSED';

/** So are those that could not tell. */
export function answeredByPrompt(made: readonly Answered[]): (check: Answered) => boolean {
  const outcomes = promptOutcomes(made);
  return ({ kind, decision, recording = '' }) =>
    (kind === 'SYNTHETIC_SPEECH' || kind === 'CHANNEL_PLAYBACK') &&
    decision === 'UNCERTAIN' &&
    outcomes.get(recording) === 'PASSED';
}
