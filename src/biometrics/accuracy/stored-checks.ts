// The stored calls that may set a tenant's alarm threshold for synthetic speech: what the check heard in each, who called, and
// reasons not to count a call. No recording is processed again: what counts is what the check said during the call. Frequent
// callers count no more than others, by person and by number.
import type { Call } from '../../platform.js';
import type { HeardCaller } from '../../voice/calibration/alarm-threshold.js';
import type { Bandwidth } from '../../voice/scoring/speaker-model.js';
import { pauseBetweenSlices } from '../call/pause.js';
import type { Decision } from '../model/outcome.js';
import {
  consoleTypes,
  type Engagement,
  type Factor,
  type Session,
  type SessionAbout,
} from '../model/sessions.js';
import type { BiometricsDeps } from '../ports/deps.js';
import { isSureAttack, isTrustedCheck, riskOfCheck } from '../rules/checks-of-call.js';
import { isFraudsterHit } from '../rules/session-persons.js';
import { voicesOf } from './same-persons.js';

/** Why a call does not count. */
export type ExclusionReason =
  | 'ERASED'
  | 'NO_CHECK'
  | 'OTHER_DETECTOR'
  | 'NOT_JUDGED'
  | 'FRAUD_OUTCOME'
  | 'FRAUDSTER_FOUND'
  | 'ATTACK_FOUND'
  | 'SUSPICIOUS'
  | 'OPTED_OUT'
  | 'UNKNOWN_CALLER'
  | 'CALLER_COUNTED'
  | 'OWN_ALARM';

/** A call that the check could judge. */
interface JudgedCall {
  gkSessionId: string;
  bandwidth: Bandwidth;
  risk: number;
}

export interface CountedCall extends JudgedCall, HeardCaller {
  /** Somebody has recorded that it was the right person. */
  isGenuine: boolean;
  /** The check raised an alarm in it, by a line of the tenant's own; otherwise it would not count. */
  isAlarm: boolean;
  /** The application's name for it; empty if there is none. */
  sessionId: string;
  decision?: Decision;
}

export interface StoredChecks {
  /** How many were examined. */
  calls: number;
  /** Counted or not. */
  judged: JudgedCall[];
  counted: CountedCall[];
  excluded: ReadonlyMap<ExclusionReason, number>;
  /** There are more calls than were examined. */
  isCut: boolean;
}

interface StoredCheckLimits {
  fromMs: number;
  detector: string;
  reliabilityMin: number;
  callsPerCaller: number;
}

const CALLS_MAX = 20_000;
const PAGE_SIZE = 200;

export async function storedChecks(
  deps: BiometricsDeps,
  call: Call,
  gkScopeId: string,
  limits: StoredCheckLimits,
): Promise<StoredChecks> {
  const pool = new Pool(limits, await voicesOf(deps, gkScopeId));
  const pause = pauseBetweenSlices(call);
  let after: string | undefined;
  do {
    const { sessions, next } = await deps.store.read.sessions.list(
      gkScopeId,
      { fromMs: limits.fromMs },
      { limit: PAGE_SIZE, ...(after && { after }) },
    );
    const calls = sessions.filter(
      ({ isTest, sessionType }) => !isTest && !consoleTypes.includes(sessionType),
    );
    for (const heard of await readCalls(deps, gkScopeId, calls)) {
      pool.add(heard);
      await pause();
    }
    after = next;
  } while (after && pool.calls < CALLS_MAX);
  return { ...pool.found, isCut: after !== undefined };
}

/** One call with everything that may speak against it. */
interface ReadCall {
  session: Session;
  factors: readonly Factor[];
  engagement: Engagement | undefined;
  about: SessionAbout | undefined;
  /** Something was found in it afterwards. */
  isFoundLater: boolean;
  optedOut: ReadonlySet<string>;
}

async function readCalls(
  deps: BiometricsDeps,
  gkScopeId: string,
  sessions: readonly Session[],
): Promise<ReadCall[]> {
  const { read } = deps.store;
  const ids = sessions.map(({ gkSessionId }) => gkSessionId);
  if (ids.length === 0) return [];
  const factors = await read.factors.listBySessions(gkScopeId, ids);
  const about = await read.factors.aboutSessions(gkScopeId, ids);
  const later = await read.findings.laterIn(gkScopeId, ids);
  const engagements = await read.engagements.findMany(gkScopeId, [
    ...new Set(sessions.map(({ gkEngagementId }) => gkEngagementId)),
  ]);
  const ofId = new Map(engagements.map((engagement) => [engagement.gkEngagementId, engagement]));
  const persons = sessions.flatMap((session) => personOf(session, about.get(session.gkSessionId)) ?? []);
  const people = await read.parties.findMany(gkScopeId, [...new Set(persons)]);
  const optedOut = new Set(
    people.filter(({ consent }) => consent?.status === 'OPTED_OUT').map(({ gkId }) => gkId),
  );
  return sessions.map((session) => ({
    session,
    factors: factors.get(session.gkSessionId) ?? [],
    engagement: ofId.get(session.gkEngagementId),
    about: about.get(session.gkSessionId),
    isFoundLater: later.has(session.gkSessionId),
    optedOut,
  }));
}

/**
 * The person whom the voice matched, else whom the call was compared with or claims; not one whom it did not
 * match.
 */
function personOf({ claimedGkPersonId }: Session, about: SessionAbout | undefined): string | undefined {
  const { persons = [] } = about ?? {};
  const matched = persons.find(({ isMatch }) => isMatch);
  if (matched) return matched.gkPersonId;
  const refused = new Set(persons.filter(({ isMismatch }) => isMismatch).map(({ gkPersonId }) => gkPersonId));
  const named = [claimedGkPersonId, ...persons.map(({ gkPersonId }) => gkPersonId)];
  return named.find((gkPersonId) => gkPersonId !== undefined && !refused.has(gkPersonId));
}

const NUMBER_DIGITS_MIN = 4;
/** Country and area codes may be written or not. */
const NUMBER_DIGITS = 9;

/** However it is written or passed on; names and addresses, which callers choose, do not count. */
function numberOf({ details: { ani } }: Session): string | undefined {
  const [number = ''] = ani
    .trim()
    .replace(/^(tel|sips?|callto):(\/\/)?/i, '')
    .split(/[;?@]/);
  if (/[a-z]/i.test(number)) return undefined;
  const digits = number.replaceAll(/\D/g, '');
  return digits.length < NUMBER_DIGITS_MIN ? undefined : digits.slice(-NUMBER_DIGITS);
}

class Pool {
  readonly #limits: StoredCheckLimits;
  readonly #voiceOf: (gkPersonId: string) => string;
  readonly #judged: JudgedCall[] = [];
  readonly #counted: CountedCall[] = [];
  readonly #excluded = new Map<ExclusionReason, number>();
  /** How often each person and each number has counted so far. */
  readonly #times = new Map<string, number>();
  calls = 0;

  constructor(limits: StoredCheckLimits, voiceOf: (gkPersonId: string) => string) {
    this.#limits = limits;
    this.#voiceOf = voiceOf;
  }

  get found(): Omit<StoredChecks, 'isCut'> {
    const { calls } = this;
    return { calls, judged: this.#judged, counted: this.#counted, excluded: this.#excluded };
  }

  add(read: ReadCall): void {
    this.calls++;
    const judged = this.#judge(read);
    if (typeof judged === 'string') return this.#exclude(judged);
    this.#judged.push(judged);
    const isGenuine = read.engagement?.verdict?.verdict === 'AUTHENTIC';
    const objection = objectionTo(read, isGenuine);
    if (objection) return this.#exclude(objection);
    const caller = this.#callerOf(read);
    if ('reason' in caller) return this.#exclude(caller.reason);
    this.#counted.push({ ...judged, ...caller, ...factsOf(read), isGenuine });
  }

  #exclude(reason: ExclusionReason): void {
    this.#excluded.set(reason, (this.#excluded.get(reason) ?? 0) + 1);
  }

  /** What the check heard in the call, by its highest risk. */
  #judge({ session, factors }: ReadCall): JudgedCall | ExclusionReason {
    if (session.isErased) return 'ERASED';
    const checks = factors.filter(({ kind, isTest }) => kind === 'SYNTHETIC_SPEECH' && !isTest);
    if (checks.length === 0) return 'NO_CHECK';
    const scored = checks.filter(({ risk }) => risk !== undefined);
    if (scored.length === 0) return 'NOT_JUDGED';
    const own = scored.filter(({ detector }) => detector === this.#limits.detector);
    if (own.length === 0) return 'OTHER_DETECTOR';
    const trusted = own.filter((factor) => isTrustedCheck(factor, this.#limits.reliabilityMin));
    const [highest] = trusted.toSorted((a, b) => riskOfCheck(b) - riskOfCheck(a));
    if (!highest?.bandwidth) return 'NOT_JUDGED';
    const { gkSessionId } = session;
    return { gkSessionId, bandwidth: highest.bandwidth, risk: riskOfCheck(highest) };
  }

  /** Who called, if they do not count often enough already. */
  #callerOf({ session, about, optedOut }: ReadCall): { person: string } | { reason: ExclusionReason } {
    const gkPersonId = personOf(session, about);
    if (gkPersonId !== undefined && optedOut.has(gkPersonId)) return { reason: 'OPTED_OUT' };
    const number = numberOf(session);
    const keys = [
      ...(gkPersonId === undefined ? [] : [`person ${this.#voiceOf(gkPersonId)}`]),
      ...(number === undefined ? [] : [`number ${number}`]),
    ];
    const [person] = keys;
    if (person === undefined) return { reason: 'UNKNOWN_CALLER' };
    if (keys.some((key) => (this.#times.get(key) ?? 0) >= this.#limits.callsPerCaller))
      return { reason: 'CALLER_COUNTED' };
    for (const key of keys) this.#times.set(key, (this.#times.get(key) ?? 0) + 1);
    return { person };
  }
}

/** How people identify a call, and its outcome. */
function factsOf({ session, factors }: ReadCall): Pick<CountedCall, 'isAlarm' | 'sessionId' | 'decision'> {
  const { details, decision } = session;
  return {
    isAlarm: factors.some((made) => made.kind === 'SYNTHETIC_SPEECH' && made.decision === 'FRAUD'),
    sessionId: details.sessionId ?? '',
    ...(decision && { decision: decision.decision }),
  };
}

/**
 * What speaks against it being an honest call. An alarm by the tenant's alarm threshold does not: otherwise the line
 * would go down each time it is set. Nor may it raise the line (propose-alarm-thresholds.ts).
 */
function objectionTo(
  { session, factors, engagement, about, isFoundLater }: ReadCall,
  isGenuine: boolean,
): ExclusionReason | undefined {
  const { verdict } = engagement?.verdict ?? {};
  if (verdict === 'FRAUD' || verdict === 'SOMEONE_ELSE') return 'FRAUD_OUTCOME';
  if (factors.some(isFraudsterHit) || (about?.gkFraudsterIds.length ?? 0) > 0) return 'FRAUDSTER_FOUND';
  if (isGenuine) return undefined;
  if (isFoundLater || factors.some(isSureAttack)) return 'ATTACK_FOUND';
  return session.details.isSuspicious ? 'SUSPICIOUS' : undefined;
}
