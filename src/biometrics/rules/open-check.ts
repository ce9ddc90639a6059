// What keeps a result from being a plain yes: attack checks that could not tell, watchlists with nobody to compare with,
// voices that do not match. Pure.
import type { Decision } from '../model/outcome.js';
import { LIVE_OPERATION, SPEAKER_CHANGED, type Factor, type FactorKind } from '../model/sessions.js';
import type { AttackKind } from './judge-attack.js';

/** The factor under which a session stores each attack check. */
export const attackFactors = {
  synthetic: 'SYNTHETIC_SPEECH',
  playback: 'CHANNEL_PLAYBACK',
} as const satisfies Record<AttackKind, FactorKind>;

/**
 * The check for synthetic speech, if inconclusive: no other check looks for that, so none can say in its
 * place that nothing was found. The check for playback is often inconclusive on the telephone, and leaves the
 * answer to the others (ADR 0031).
 */
export const keepsAnswerOpen = ({ kind, decision }: { kind: FactorKind; decision: Decision }): boolean =>
  kind === attackFactors.synthetic && decision !== 'NO_RISK_DETECTED';

/** A decision after which readers carry on. */
export const readsAsYes = (decision: Decision | undefined): boolean =>
  decision === 'AUTHENTIC' || decision === 'NO_RISK_DETECTED';

/** Whether an attack check is inconclusive beside a positive answer: anybody who relies on it has to know. */
export const hasUndecided = (
  decision: Decision,
  attacks: readonly ({ decision: Decision } | undefined)[],
): boolean => readsAsYes(decision) && attacks.some((check) => check && check.decision !== 'NO_RISK_DETECTED');

/** A watchlist on which nobody has a trained print: the voice was compared with nobody's. */
export const hasComparedNobody = ({ kind, reason }: Pick<Factor, 'kind' | 'reason'>): boolean =>
  kind === 'FRAUD_DETECTION' && (reason === 'NO_SCORES' || reason === 'NOT_ENOUGH_SEGMENTS');

const isLive = ({ operation }: Pick<Factor, 'operation'>): boolean => operation === LIVE_OPERATION;

/**
 * Whether the voice does not match in a comparison of a session that was decided by a match. A person not
 * found in one group may be in another, or may be the person that the voice was compared with; and too little
 * speech says nothing, unless a live call had matched before.
 */
export function hasMismatch(
  decision: Decision | undefined,
  factors: readonly Pick<Factor, 'kind' | 'decision' | 'operation' | 'gkCollectionId'>[],
): boolean {
  if (decision !== 'AUTHENTIC') return false;
  const made = factors.filter(({ kind }) => kind === 'AUTHENTICATION');
  const matches = made.filter((factor) => factor.decision === 'AUTHENTIC');
  const groups = new Set(matches.map(({ gkCollectionId = '' }) => gkCollectionId));
  const lastLive = made.findLast(isLive);
  return made.some((factor) => {
    if (factor.decision === 'AUTHENTIC' || matches.length === 0) return false;
    if (isLive(factor)) return factor === lastLive && matches.some(isLive);
    const { gkCollectionId: group = '' } = factor;
    return factor.decision === 'NO_MATCH' && (group === '' || groups.has(group));
  });
}

/**
 * Whether somebody else speaks in a part of the audio: a comparison says so, or a live call had matched and
 * no longer does at its end. For a live call the last result counts.
 */
export function hasSecondVoice(
  factors: readonly Pick<Factor, 'kind' | 'decision' | 'reason' | 'operation'>[],
): boolean {
  const made = factors.filter(({ kind }) => kind === 'AUTHENTICATION');
  const lastLive = made.findLast(isLive);
  return made.some((factor) => {
    if (isLive(factor) && factor !== lastLive) return false;
    if (factor.reason === SPEAKER_CHANGED) return true;
    const isAnother = factor.decision === 'NO_MATCH' || factor.decision === 'FRAUD';
    return isLive(factor) && isAnother && made.some((one) => isLive(one) && one.decision === 'AUTHENTIC');
  });
}
