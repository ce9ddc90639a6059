// Which attack check keeps the answer open when it could not tell. Pure.
import type { Decision } from '../model/outcome.js';
import { LIVE_OPERATION, SPEAKER_CHANGED, type Factor, type FactorKind } from '../model/sessions.js';
import type { AttackKind } from './judge-attack.js';

/** As what a session remembers each attack check. */
export const attackFactors = {
  synthetic: 'SYNTHETIC_SPEECH',
  playback: 'CHANNEL_PLAYBACK',
} as const satisfies Record<AttackKind, FactorKind>;

/**
 * The check for synthetic speech where it could not tell: no other check looks for that, so none can say for it that nothing was
 * found. The one for playback often cannot know on the telephone, and leaves the answer to the rest (ADR 0031).
 */
export const keepsAnswerOpen = ({ kind, decision }: { kind: FactorKind; decision: Decision }): boolean =>
  kind === attackFactors.synthetic && decision !== 'NO_RISK_DETECTED';

/** Whoever reads it carries on. */
export const readsAsYes = (decision: Decision | undefined): boolean =>
  decision === 'AUTHENTIC' || decision === 'NO_RISK_DETECTED';

/**
 * The attack checks that could not tell whether a live person spoke, beside an answer that reads as a yes: whoever relies on it has
 * to know.
 */
export function undecidedAmong(
  decision: Decision,
  attacks: readonly ({ kind: AttackKind; decision: Decision } | undefined)[],
): { undecidedChecks?: FactorKind[] } {
  if (!readsAsYes(decision)) return {};
  const open = attacks.flatMap((check) =>
    check && check.decision !== 'NO_RISK_DETECTED' ? attackFactors[check.kind] : [],
  );
  return open.length > 0 ? { undecidedChecks: open } : {};
}

const attackKinds: ReadonlySet<FactorKind> = new Set(Object.values(attackFactors));

const isAttackCheck = ({ kind }: Pick<Factor, 'kind'>): boolean => attackKinds.has(kind);

/** A watchlist on which nobody has a trained print: the voice was compared with nobody's. */
export const hasComparedNobody = ({ kind, reason }: Pick<Factor, 'kind' | 'reason'>): boolean =>
  kind === 'FRAUD_DETECTION' && (reason === 'NO_SCORES' || reason === 'NOT_ENOUGH_SEGMENTS');

/**
 * Whether a session that reads as a yes, because a voice matched or is no known fraudster's, has never been checked for attacks; or one
 * that is uncertain, because there was nobody to compare with.
 */
export function isUncheckedIn(
  decision: Decision | undefined,
  factors: readonly Pick<Factor, 'kind' | 'decision' | 'reason'>[],
): boolean {
  if (factors.some(isAttackCheck)) return false;
  const made = factors.filter(({ kind }) => isComparison(kind));
  if (readsAsYes(decision)) return made.some((factor) => readsAsYes(factor.decision));
  return decision === 'UNCERTAIN' && made.length > 0 && made.every(hasComparedNobody);
}

/** Whether checks that were made since tell of an attack, or that there was none: one that could not decide leaves it as it was. */
export const makesUpFor = (later: readonly Pick<Factor, 'kind' | 'decision'>[]): boolean =>
  later.some((check) => isAttackCheck(check) && check.decision === 'FRAUD') ||
  later.some((check) => check.kind === attackFactors.synthetic && !keepsAnswerOpen(check));

const isComparison = (kind: FactorKind): boolean => kind === 'AUTHENTICATION' || kind === 'FRAUD_DETECTION';

const isLive = ({ operation }: Pick<Factor, 'operation'>): boolean => operation === LIVE_OPERATION;

/**
 * Whether the voice does not match in a comparison of a session that was decided by a match. Who is not found in one group may be found
 * in another, or be the person that the voice was compared with; and too little speech says nothing, unless a live call had matched before.
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
 * Whether somebody else speaks in a part of what was heard: a comparison says so, or a live call had matched and does not at its end. Of a
 * live call the last word counts.
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

/**
 * The attack checks of a session that could not tell, by what it remembers, oldest first. Beside a match only checks of a recording that matched count; a live call
 * is judged again and again on more of the same speech, and the last word counts. Where the session is uncertain, they count if it is
 * because of them alone.
 */
export function undecidedIn<T extends Pick<Factor, 'kind' | 'decision' | 'reason' | 'operation'>>(
  decision: Decision | undefined,
  factors: readonly T[],
  recordingOf: (factor: T) => string,
): FactorKind[] {
  const lastLive = new Map(factors.filter(isLive).map((factor) => [factor.kind, factor]));
  const standing = factors.filter((factor) => !isLive(factor) || lastLive.get(factor.kind) === factor);
  if (!readsAsYes(decision) && !(decision === 'UNCERTAIN' && standing.every(saysNoOther))) return [];
  const isMatch = (factor: T) => factor.kind === 'AUTHENTICATION' && factor.decision === 'AUTHENTIC';
  const matched = new Set(factors.filter(isMatch).map(recordingOf));
  const open = standing.filter(
    (factor) =>
      factor.decision !== 'NO_RISK_DETECTED' &&
      (decision !== 'AUTHENTIC' || matched.has(recordingOf(factor))),
  );
  return Object.values(attackFactors).filter((kind) => open.some((factor) => factor.kind === kind));
}

/** What was asked beside attacks has its answer, and that is a yes; or there was nobody to compare with. */
const saysNoOther = (factor: Pick<Factor, 'kind' | 'decision' | 'reason'>): boolean =>
  !isComparison(factor.kind) || readsAsYes(factor.decision) || hasComparedNobody(factor);
