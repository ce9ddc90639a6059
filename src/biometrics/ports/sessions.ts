// Where engagements, sessions and factors are kept.
import type { AssessmentFilter } from './assessments.js';
import type { ChangePosition, Page } from './page.js';
import type { Engagement, Factor, Session, SessionAbout, SessionType } from '../model/sessions.js';

export interface EngagementRepository {
  insert(engagement: Engagement): Promise<void>;
  /** Locks the row until the transaction ends when called inside one. */
  find(gkScopeId: string, gkEngagementId: string): Promise<Engagement | undefined>;
  findByExternalId(gkScopeId: string, engagementId: string): Promise<Engagement | undefined>;
  /** Newest first. */
  listByCorrelation(gkScopeId: string, correlationId: string, limit: number): Promise<Engagement[]>;
  update(engagement: Engagement): Promise<void>;
  /** Whether its person was erased. Inside a transaction the row is locked until it ends. */
  isErased(gkEngagementId: string): Promise<boolean>;
  findMany(gkScopeId: string, gkEngagementIds: readonly string[]): Promise<Engagement[]>;
  /** Engagements with notes: custom data, or a text with the verdict. */
  countNoted(gkScopeId: string): Promise<number>;
  /** Those of them modified after a position, in order of modification. */
  notedChanged(gkScopeId: string, after: ChangePosition, limit: number): Promise<Engagement[]>;
  notedChangedIds(gkScopeId: string, after: ChangePosition, limit: number): Promise<ChangePosition[]>;
  touch(gkEngagementId: string, atMs: number): Promise<void>;
  /** Removes engagements last used before a time that have no sessions and no audio; returns how many. */
  deleteOlder(gkScopeId: string, beforeMs: number, limit: number): Promise<number>;
}

/** By a fraudster who was found in them, even later. */
export interface FraudsterFilter {
  /**
   * Found by a check in them, or by a later one in one of their recordings; or made from one of their
   * recordings.
   */
  gkFraudsterId?: string;
  /** Searches through stored calls count, for callers who may see them. */
  bySearches?: boolean;
}

export interface SessionFilter extends FraudsterFilter {
  active?: boolean;
  fromMs?: number;
  toMs?: number;
  types?: readonly SessionType[];
  /**
   * Claimed, or the owner of a print that a factor names: a superset of those who are meant
   * (rules/session-persons.ts).
   */
  gkPersonId?: string;
  assessed?: AssessmentFilter;
}

export interface SessionRepository {
  insert(session: Session): Promise<void>;
  find(gkScopeId: string, gkSessionId: string): Promise<Session | undefined>;
  listByEngagement(gkScopeId: string, gkEngagementId: string): Promise<Session[]>;
  /** Whether its person was erased. Inside a transaction the row is locked until it ends. */
  isErased(gkSessionId: string): Promise<boolean>;
  /** Newest first, for the console. */
  list(gkScopeId: string, filter: SessionFilter, page: Page): Promise<{ sessions: Session[]; next?: string }>;
  findMany(gkScopeId: string, gkSessionIds: readonly string[]): Promise<Session[]>;
  /** Those of these that match. */
  amongFound(
    gkScopeId: string,
    gkSessionIds: readonly string[],
    filter: FraudsterFilter,
  ): Promise<Set<string>>;
  /** The newest sessions in which a fraudster was found, even later. */
  withFraudster(gkScopeId: string, filter: FraudsterFilter, limit: number): Promise<string[]>;
  /**
   * Those of these that hold recordings and have checked nothing, and are for offline processing or were
   * heard by it.
   */
  onlyHolding(gkScopeId: string, gkSessionIds: readonly string[]): Promise<Set<string>>;
  /**
   * For each recording, the sessions that have heard it, wherever it is stored, earliest first; without those
   * of the console.
   */
  heardBy(
    gkScopeId: string,
    gkMediaSegmentIds: readonly string[],
  ): Promise<Map<string, Pick<Session, 'gkSessionId' | 'gkEngagementId'>[]>>;
  count(gkScopeId: string): Promise<number>;
  /** Those modified after a position, in order of modification; deleted ones leave no trace. */
  changed(gkScopeId: string, after: ChangePosition, limit: number): Promise<Session[]>;
  changedIds(gkScopeId: string, after: ChangePosition, limit: number): Promise<ChangePosition[]>;
  update(session: Session): Promise<void>;
  touch(gkSessionId: string, atMs: number): Promise<void>;
  /**
   * Records that listening to a live call in it broke off; false if there is no such session, or if it is
   * over and does not count.
   */
  markCutOff(
    gkScopeId: string,
    gkSessionId: string,
    at: { atMs: number; alsoIfOver: boolean },
  ): Promise<boolean>;
  /** It is heard again, unless it is over. */
  unmarkCutOff(gkScopeId: string, gkSessionId: string): Promise<boolean>;
  /** When that was, for those of these in which nothing was heard since. */
  cutOffAmong(gkScopeId: string, gkSessionIds: readonly string[]): Promise<Map<string, number>>;
  /** Scopes with a session or an engagement last used before a time. */
  tenantsWithOlder(beforeMs: number): Promise<string[]>;
  /** Removes sessions last used before a time, with their factors; returns how many. */
  deleteOlder(gkScopeId: string, beforeMs: number, limit: number): Promise<number>;
}

/** A check of a recording that was made in another session. */
export interface MadeLater {
  factor: Factor;
  gkMediaSegmentId: string;
}

/** Checks of an interval that are alike. */
export interface CountedFactors extends Pick<Factor, 'kind' | 'decision' | 'reason' | 'isTest'> {
  /** Which interval, from 0. */
  place: number;
  count: number;
  netSpeechMs: number;
}

export interface FactorRepository {
  insert(factor: Factor): Promise<void>;
  /** Oldest first. */
  listBySession(gkScopeId: string, gkSessionId: string): Promise<Factor[]>;
  /** How many factors each of these sessions has; those without any are left out. */
  countBySessions(gkScopeId: string, gkSessionIds: readonly string[]): Promise<Map<string, number>>;
  /** Sessions in which a live call was judged since a time. */
  countLiveSessions(gkScopeId: string, fromMs: number): Promise<number>;
  /** By session, oldest first; if all together exceed 20,000, the oldest. */
  listBySessions(gkScopeId: string, gkSessionIds: readonly string[]): Promise<Map<string, Factor[]>>;
  /**
   * The persons that each of these sessions is about, according to its factors; sessions about nobody are
   * left out.
   */
  aboutSessions(gkScopeId: string, gkSessionIds: readonly string[]): Promise<Map<string, SessionAbout>>;
  /** Of a period, newest first. */
  list(
    gkScopeId: string,
    filter: { fromMs?: number; toMs?: number },
    page: Page,
  ): Promise<{ factors: Factor[]; next?: string }>;
  /** A live call counts once, by its last result. */
  countInIntervals(
    gkScopeId: string,
    span: { fromMs: number; toMs: number; stepMs: number },
  ): Promise<CountedFactors[]>;
  listByEngagement(gkScopeId: string, gkEngagementId: string): Promise<Factor[]>;
  /**
   * What other sessions decided on the recordings that are stored in this one, and, after it, on those that
   * it has heard, oldest first; beyond the limit, the newest.
   */
  listByRecordingsOf(
    session: Pick<Session, 'gkScopeId' | 'gkSessionId'>,
    sought: { limit: number },
  ): Promise<Factor[]>;
  /**
   * Attack checks and watchlist checks among those, by session, oldest first; if there are more than 20,000,
   * the oldest.
   */
  laterBySessions(gkScopeId: string, gkSessionIds: readonly string[]): Promise<Map<string, MadeLater[]>>;
}
