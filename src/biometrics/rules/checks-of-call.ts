// What a stored attack check says about its call on its own, whatever alarm threshold it was judged by. Pure.
import { ALARM_RISK, UNDECIDED_RELIABILITY } from '../../voice/spoof/detector.js';
import type { Factor } from '../model/sessions.js';

/** At its highest: a live call is checked several times. */
export const riskOfCheck = ({ risk = 0, highestRisk = risk }: Factor): number => Math.max(risk, highestRisk);

/**
 * Its risk is meaningful: the check trusted itself, or would have but for a score that people and attacks
 * share.
 */
export const isTrustedCheck = (
  { decision, reliability = 0 }: Pick<Factor, 'decision' | 'reliability'>,
  reliabilityMin: number,
): boolean =>
  decision === 'UNCERTAIN' ? reliability === UNDECIDED_RELIABILITY : reliability >= reliabilityMin;

/** An alarm that is not based on a tenant's alarm threshold for synthetic speech. */
export const isSureAttack = ({ kind, decision, risk = 0 }: Factor): boolean =>
  decision === 'FRAUD' &&
  (kind === 'CHANNEL_PLAYBACK' || (kind === 'SYNTHETIC_SPEECH' && risk >= ALARM_RISK));
