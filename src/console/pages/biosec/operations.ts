// Operations, record types and channels in everyday words.
import type {
  EngagementVerdictJson,
  SessionIntentJson,
  SessionTypeJson,
} from '../../../gen/vendor/biosec/v1/common_pb.js';
import type { RecordTypeJson } from '../../../gen/vendor/biosec/v1/history/history_pb.js';
import { num } from '../../text/tools.js';
import { words } from '../../format/text.js';
import { t } from '../../text/checks.js';
import { t as done } from '../../text/operations.js';
import { t as shell } from '../../text/shell.js';

const wordFor = (catalog: Readonly<Record<string, string>>, key: string): string | undefined => catalog[key];

/** The comparisons that AnalyzeAudio makes at once, by the operation that makes each alone. */
const comparisons: Readonly<Record<string, string>> = {
  AUTHENTICATION: 'Verify',
  FRAUD_DETECTION: 'DetectKnownFraudsters',
};

/** The target of an action on the installation. */
export const targetWords = (type = ''): string => wordFor(done.targets, type) ?? type;

/** Several checks are recorded under one operation; `factor` tells them apart. */
export function operationWords(operation: string | undefined, factor = ''): string {
  if (!operation) return shell.none;
  const made = operation === 'AnalyzeAudio' ? (comparisons[factor] ?? operation) : operation;
  const known =
    t.attacks[factor] ??
    (operation === 'LiveAudio' ? wordFor(done.live, factor) : undefined) ??
    wordFor(done.operations, made);
  return known ?? words(operation.replace(/([a-z])([A-Z])/g, '$1_$2').replaceAll('.', '_'));
}

export function recordWords(type: RecordTypeJson | undefined): string {
  if (!type) return shell.none;
  return t.records[type] ?? words(type.replace(/^RECORD_TYPE_/, '').replace(/_EVENT$/, ''));
}

/** Sessions that people open by working in the console, or in a similar one. */
export const consoleTypes = [
  'SESSION_TYPE_ADMINISTRATION',
  'SESSION_TYPE_FRAUD_ANALYST',
] as const satisfies readonly SessionTypeJson[];

/** All others. */
export const callTypes = (Object.keys(t.channels) as SessionTypeJson[]).filter(
  (type) => type !== 'SESSION_TYPE_UNSPECIFIED' && !consoleTypes.some((other) => other === type),
);

export const channelWords = (type: SessionTypeJson = 'SESSION_TYPE_UNSPECIFIED'): string => t.channels[type];
export const intentWords = (intent: SessionIntentJson = 'SESSION_INTENT_UNSPECIFIED'): string =>
  t.intents[intent];
export const verdictWord = (verdict: EngagementVerdictJson = 'ENGAGEMENT_VERDICT_UNSPECIFIED'): string =>
  t.verdicts[verdict].word;

/** The outcome of an engagement, with its cost. */
export function outcomeWords(verdict: EngagementVerdictJson | undefined, amount: string | undefined): string {
  const word = verdictWord(verdict);
  return amount === undefined ? word : t.withLoss(word, num(BigInt(amount)));
}
