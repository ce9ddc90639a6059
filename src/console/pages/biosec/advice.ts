// Codes of the service as sentences: what happened, and what to do next.
import { num } from '../../format/text.js';
import { t } from '../../text/checks.js';
import type { Advice } from '../../text/tools.js';
import type { DecisionJson } from '../../../gen/vendor/biosec/v1/common_pb.js';

export type { Advice };

function look(
  tables: readonly Readonly<Record<string, Advice>>[],
  prefix: string,
  code: string | undefined,
): Advice {
  const bare = (code ?? '').replace(prefix, '');
  for (const table of tables) {
    const found = table[bare] ?? table[`REASON_${bare}`];
    if (found) return found;
  }
  const plain = bare.toLowerCase().replaceAll('_', ' ');
  return { title: plain === '' ? t.noReason : plain.charAt(0).toUpperCase() + plain.slice(1), next: '' };
}

export const adviceOnAudio = (validity: string | undefined): Advice => look([t.audio], '', validity);
export const adviceOnEnroll = (reason: string | undefined): Advice => look([t.enroll], '', reason);
export const adviceOnTrain = (reason: string | undefined): Advice => look([t.train], '', reason);
export const adviceOnDecision = (reason: string | undefined): Advice =>
  look([t.match, t.audio], 'DECISION_REASON_', reason);
export const adviceOnAttack = (reason: string | undefined): Advice =>
  look([t.attack, t.match, t.audio], 'DECISION_REASON_', reason);

export function sessionReason(reason: string): string {
  return t.session[reason.replace('DECISION_REASON_', '')] ?? adviceOnDecision(reason).title;
}

export type DecisionTone = 'good' | 'warn' | 'bad' | 'neutral';

const tones: Readonly<Record<DecisionJson, DecisionTone>> = {
  DECISION_UNSPECIFIED: 'neutral',
  DECISION_AUTHENTIC: 'good',
  DECISION_NO_MATCH: 'warn',
  DECISION_FRAUD: 'bad',
  DECISION_UNCERTAIN: 'warn',
  DECISION_FAILED: 'bad',
  DECISION_NO_RISK_DETECTED: 'good',
};

export function decisionWord(decision: DecisionJson | undefined): { word: string; tone: DecisionTone } {
  const code = decision ?? 'DECISION_UNSPECIFIED';
  return { word: t.decisions[code], tone: tones[code] };
}

const MILLION_LLR = Math.log(1e6);

/** A log-likelihood ratio as odds that people can read. */
export function evidenceWords(llr: number | undefined): string {
  if (llr === undefined) return t.evidence.none;
  const size = Math.abs(llr);
  const times = Math.exp(size);
  const odds =
    size > MILLION_LLR ? t.evidence.million : times < 10 ? num(times, 1) : num(Math.round(times), 0);
  return llr >= 0 ? t.evidence.same(odds) : t.evidence.other(odds);
}
