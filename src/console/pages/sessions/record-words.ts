// The contents of an audit record in the reader's words, and the page of its subject. Records contain the
// codes of the contract; an unknown code is at least not shown in capitals.
import type { TimelineEventJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import type { RecordTypeJson } from '../../../gen/vendor/biosec/v1/history/history_pb.js';
import type { DecisionJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import { dateTime, shortId, words } from '../../format/text.js';
import { t as checks } from '../../text/checks.js';
import { t as people } from '../../text/people.js';
import { t } from '../../text/records.js';
import { smallNum, num } from '../../text/tools.js';
import { t as sessions } from '../../text/sessions.js';
import { t as shell } from '../../text/shell.js';
import { t as tenants } from '../../text/tenants.js';
import { adviceOn, REFUSED_FOR_LOCK, type Question } from '../biosec/advice.js';
import { operationWords } from '../biosec/operations.js';

/** `gkVoiceprintProfileId` by the catalogue, or else as `Voiceprint profile id`. */
export function nameWords(name: string): string {
  const known = t.names[name] ?? t.names[camel(name)];
  if (known !== undefined) return known;
  const plain = name
    .replace(/^gk(?=[A-Z])/, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_.-]/g, ' ')
    .toLowerCase();
  const words = plain.charAt(0).toUpperCase() + plain.slice(1);
  return name.includes('.') ? t.parameter(name, words) : words;
}

/** Field names may also be in the contract's spelling. */
const camel = (name: string): string =>
  name.replace(/(?<=[a-z])_([a-z])/g, (_all, letter: string) => letter.toUpperCase());

const code = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const moment = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

/** The words for a reason of any kind. */
export function reasonWords(reason: string): string | undefined {
  for (const findings of Object.values(checks.findings)) {
    const found = findings[reason];
    if (found) return found.title;
  }
  const bare = { ...checks.audio, ...checks.train, ...checks.enroll } as Readonly<
    Record<string, { title: string }>
  >;
  return (
    (bare[`REASON_${reason}`] ?? bare[`TRAIN_REASON_${reason}`] ?? bare[`ENROLL_REASON_${reason}`])?.title ??
    checks.session[reason]
  );
}

const tenantStates: Readonly<Record<string, string>> = tenants.states;

/** By the name of the member: the same code may mean different things. */
const codesOf: Readonly<Record<string, (value: string) => string | undefined>> = {
  decision: (value) => (checks.decisions as Readonly<Record<string, string>>)[`DECISION_${value}`],
  verdict: (value) =>
    (checks.verdicts as Readonly<Record<string, { word: string }>>)[`ENGAGEMENT_VERDICT_${value}`]?.word,
  sessionType: (value) => (checks.channels as Readonly<Record<string, string>>)[`SESSION_TYPE_${value}`],
  intent: (value) => (checks.intents as Readonly<Record<string, string>>)[`SESSION_INTENT_${value}`],
  reason: reasonWords,
  lockReason: (value) => (people.lockReasons as Readonly<Record<string, string>>)[`LOCK_REASON_${value}`],
  from: (value) => tenantStates[`SCOPE_STATE_${value}`],
  to: (value) => tenantStates[`SCOPE_STATE_${value}`],
  validity: (value) =>
    (checks.audio as Readonly<Record<string, { title: string }>>)[`REASON_${value}`]?.title,
};

/** States of checks are decisions, too. */
function codeWords(name: string, value: string): string | undefined {
  return (
    codesOf[name]?.(value) ??
    t.valuesOf[name]?.[value] ??
    t.values[value] ??
    codesOf['decision']?.(value) ??
    reasonWords(value)
  );
}

/** The name behind an identifier, if known; `member` is the record's member that holds it. */
export type NameOfId = (id: string, member?: string) => string | undefined;

/** `TENANT=ROLE`, the form of a user's roles in records. */
const grant = /^([^=]+)=([^=]+)$/;

function grantWords(value: string, nameOf: NameOfId): string {
  const [, tenant = '', role = ''] = grant.exec(value) ?? [];
  if (tenant === '') return value;
  return t.roleIn(codeWords('role', role) ?? role, nameOf(tenant, 'tenantId') ?? shortId(tenant));
}

function textWords(name: string, value: string, nameOf: NameOfId): string {
  if (name === 'changed') return t.changedNames[value] ?? nameWords(value);
  if (name === 'granted') return grantWords(value, nameOf);
  if (moment.test(value)) return dateTime(value);
  if (uuid.test(value)) return nameOf(value, name) ?? shortId(value);
  return codeWords(name, value) ?? (code.test(value) && value.includes('_') ? words(value) : value);
}

/** Smaller numbers, such as rates, would be rounded to nothing with two digits. */
const SMALL = 0.1;

/** More than three years is not a duration but a point in time. */
const EPOCH_MS_MIN = 1e11;
const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;

/** In whole hours or minutes if possible: a grace period is not given in seconds. */
function timeWords(seconds: number): string {
  if (seconds >= HOUR_SECONDS && seconds % HOUR_SECONDS === 0) return t.hours(seconds / HOUR_SECONDS);
  if (seconds >= MINUTE_SECONDS && seconds % MINUTE_SECONDS === 0) return t.minutes(seconds / MINUTE_SECONDS);
  return t.seconds(num(seconds, 1));
}

const noNames: NameOfId = () => undefined;

export function valueWords(name: string, value: unknown, nameOf = noNames): string {
  if (value === null || value === undefined || value === '') return shell.none;
  if (name === 'overlapMs' && value === 0) return t.noTime;
  if (typeof value === 'number')
    return name.endsWith('Ms') && value > EPOCH_MS_MIN
      ? dateTime(new Date(value).toISOString())
      : name.endsWith('Ms') || name.endsWith('Seconds')
        ? timeWords(name.endsWith('Ms') ? value / 1000 : value)
        : Math.abs(value) < SMALL && value !== 0
          ? smallNum(value)
          : num(value, Number.isInteger(value) ? 0 : 2);
  if (typeof value === 'boolean') return value ? sessions.audit.yes : sessions.audit.no;
  if (Array.isArray(value))
    return value.length === 0 ? shell.none : value.map((each) => valueWords(name, each, nameOf)).join(', ');
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([inner, each]) => `${nameWords(inner)}: ${valueWords(inner, each, nameOf)}`)
      .join('; ');
  return textWords(name, String(value), nameOf);
}

/** Why a call was cut off: that the person objected says more than that it could not go on. */
export const cutOffWords = ({ attributes: { fault, endReason } = {} }: TimelineEventJson): string =>
  valueWords('endReason', fault === 'PERSON_OPTED_OUT' ? fault : endReason);

/** A member of a record, with the value that it replaced, if any. */
interface RecordItem {
  name: string;
  value: string;
  before?: string;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The outcome of a check, as its record has it. */
interface CheckOutcome {
  question: Question;
  decision: DecisionJson;
  reason: string;
}

type Detail = Readonly<Record<string, unknown>>;

/** The question of the check: the same reason means something else for another question. */
function questionOf(operation: string | undefined, { factor, check }: Detail): Question | undefined {
  if (check === 'liveness' || check === 'text') return 'verify';
  if (check !== undefined) return 'attack';
  if (factor === 'FRAUD_DETECTION') return 'watchlist';
  if (factor === 'AUTHENTICATION') return operation === 'Identify' ? 'identify' : 'verify';
  return undefined;
}

/** Undefined if the record is not about a check. */
export function checkOf(operation: string | undefined, detail: Detail): CheckOutcome | undefined {
  const question = questionOf(operation, detail);
  const { decision, reason } = detail;
  if (!question || typeof decision !== 'string' || typeof reason !== 'string') return undefined;
  return { question, decision: `DECISION_${decision}` as DecisionJson, reason };
}

/** What happened; a check that was refused because of a lock has compared nothing. */
export function recordTitle(operation: string | undefined, detail: Detail): string {
  if (checkOf(operation, detail)?.reason === REFUSED_FOR_LOCK) return t.refusedForLock;
  return operationWords(operation);
}

const isRefusedFor = (validity: unknown): boolean => typeof validity === 'string' && validity !== 'AUDIO_OK';

/** Decision and reason of a check in its own words. */
function outcomeOf(operation: string | undefined, detail: Detail): Readonly<Record<string, string>> {
  const check = checkOf(operation, detail);
  const { netSpeechMs, validity } = detail;
  const speech = typeof netSpeechMs === 'number' ? { speechSeconds: netSpeechMs / 1000 } : {};
  // Describes the recording in the words of its check: without any speech it must not be called short in one
  // line and silent in the next.
  const heard =
    speech.speechSeconds === 0 && isRefusedFor(validity) ? { validity: checks.noSpeech.title } : {};
  if (!check) return heard;
  return {
    ...heard,
    reason: adviceOn({ ...check, ...speech }).title,
    ...(check.reason === REFUSED_FOR_LOCK && { decision: checks.refused }),
  };
}

/** `before` and `after` of a change member by member, and `xBefore` beside `x`; everything else as it is. */
export function recordItems(detail: Detail, operation?: string, nameOf = noNames): RecordItem[] {
  const outcome = outcomeOf(operation, detail);
  const { before, after, ...rest } = detail;
  const isChange = isObject(before) && isObject(after);
  const changes = isChange
    ? [...new Set([...Object.keys(before), ...Object.keys(after)])]
        .map((name) => ({
          name: nameWords(name),
          before: valueWords(name, before[name], nameOf),
          value: valueWords(name, after[name], nameOf),
          isAnswer: typeof after[name] === 'boolean',
        }))
        .filter((item) => item.before !== item.value)
        // If it is yes now, it was no before, and vice versa.
        .map(({ isAnswer, before: former, ...item }) => (isAnswer ? item : { ...item, before: former }))
    : [];
  const plain = Object.entries(isChange ? rest : detail).flatMap(([name, value]): RecordItem[] => {
    const isFormer = name.endsWith('Before') && name.replace(/Before$/, '') in detail;
    // The target is shown beside the record.
    if (name === 'target' && isObject(value)) return [];
    // Skips values that already have their own line.
    if (isFormer || (name === 'changed' && Array.isArray(value) && value.length === 0)) return [];
    const former = detail[`${name}Before`];
    return [
      {
        name: nameWords(name),
        value: outcome[name] ?? valueWords(name, value, nameOf),
        ...(former === undefined ? {} : { before: valueWords(name, former, nameOf) }),
      },
    ];
  });
  return [...changes, ...plain];
}

/** The same for the attributes of a timeline, which are all text; identifiers are shown in full. */
export const attributeItems = (
  attributes: Readonly<Record<string, string>>,
  operation?: string,
): RecordItem[] =>
  recordItems(
    Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, memberOf(name, value)])),
    operation,
    (id) => id,
  );

const madeText = /^(?:true|false|\[.*\]|\{.*\}|-?\d+\.\d+(?:e-?\d+)?)$/s;

/** Restores the original type. Integers may be a reference or a telephone number, unless they count time. */
function memberOf(name: string, value: string): unknown {
  if (!madeText.test(value) && !(name.endsWith('Ms') && /^-?\d+$/.test(value))) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

/** What is known about a record when its subject's page is looked up. */
interface RecordPlace {
  type: RecordTypeJson | undefined;
  operation: string | undefined;
  /** The subject. */
  subject: string | undefined;
  /** The session that it belongs to. */
  gkSessionId: string | undefined;
}

/** The page of a record's subject, for those kinds whose names the server does not know. */
export function placeOf({ type, operation = '', subject, gkSessionId }: RecordPlace): string | undefined {
  const session = gkSessionId ? `/sessions/${gkSessionId}` : undefined;
  switch (type) {
    case 'RECORD_TYPE_ENGAGEMENT_EVENT':
    case 'RECORD_TYPE_SESSION_EVENT':
    case 'RECORD_TYPE_MEDIA_EVENT':
    case 'RECORD_TYPE_AUDIO_EVENT':
    case 'RECORD_TYPE_ANTI_SPOOFING_AUDIT_INFO_EVENT':
    case 'RECORD_TYPE_RISK_ENGINE_EVENT':
      return session;
    case 'RECORD_TYPE_CALIBRATION_EVENT':
      return '/accuracy';
    case 'RECORD_TYPE_JOBS_EVENT':
      return operation.endsWith('Batch') && subject ? `/batches/${subject}` : undefined;
    case 'RECORD_TYPE_SCOPE_EVENT':
      return operation.includes('Scope') ? '/tenants' : '/accuracy';
    case 'RECORD_TYPE_WEB_APP_EVENT':
      return operation.includes('Webhook') && operation !== 'DeleteWebhook' && subject
        ? `/webhooks/${subject}`
        : undefined;
    case 'RECORD_TYPE_PERSON_EVENT':
    case 'RECORD_TYPE_FRAUDSTER_EVENT':
    case 'RECORD_TYPE_GROUP_EVENT':
    case 'RECORD_TYPE_WATCHLIST_EVENT':
    case 'RECORD_TYPE_VOICEPRINT_EVENT':
    case 'RECORD_TYPE_DELETE_PERSONAL_DATA_EVENT':
    case 'RECORD_TYPE_PERSONAL_DATA_DELETED_EVENT':
    case 'RECORD_TYPE_FACTORS_AUDIT_INFO_EVENT':
    case 'RECORD_TYPE_ASR_AUDIT_INFO_EVENT':
    case 'RECORD_TYPE_TEXT_EVENT':
    case 'RECORD_TYPE_CONVOPRINT_EVENT':
    case 'RECORD_TYPE_DEVICEPRINT_EVENT':
    case 'RECORD_TYPE_CALLER_ID_RISK_ASSESSMENT_EVENT':
    case 'RECORD_TYPE_CALLER_ID_WATCH_LIST_EVENT':
    case 'RECORD_TYPE_UNSPECIFIED':
    case undefined:
      return undefined;
  }
}

/** The page of the target of an action on the installation. */
export function targetPlace(type = '', id = ''): string | undefined {
  switch (type) {
    case 'application':
      return `/applications/${encodeURIComponent(id)}`;
    case 'user':
      return '/users';
    case 'signing-key':
      return '/system';
    case 'site':
      return `/engagement/sites/${encodeURIComponent(id)}`;
    case 'business-unit':
    case 'agent':
    case 'agent-group':
    case 'hours':
      return '/engagement?tab=sites';
    default:
      return undefined;
  }
}
