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
