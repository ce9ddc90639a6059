// Which attack check keeps the answer open when it could not tell. Pure.
import type { Decision } from '../model/outcome.js';
import type { FactorKind } from '../model/sessions.js';
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

/**
 * The attack checks that could not tell whether a live person spoke, beside an answer that reads as a yes: whoever relies on it has
 * to know.
 */
export function undecidedAmong(
  decision: Decision,
  attacks: readonly ({ kind: AttackKind; decision: Decision } | undefined)[],
): { undecidedChecks?: FactorKind[] } {
  if (decision !== 'AUTHENTIC' && decision !== 'NO_RISK_DETECTED') return {};
  const open = attacks.flatMap((check) =>
    check && check.decision !== 'NO_RISK_DETECTED' ? attackFactors[check.kind] : [],
  );
  return open.length > 0 ? { undecidedChecks: open } : {};
}
