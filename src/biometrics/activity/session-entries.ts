// What a list shows of each session, as of now.
import type { NamedAssessment } from '../assessment/names.js';
import type { Party } from '../model/entities.js';
import type { Session } from '../model/sessions.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { Repositories } from '../ports/store.js';
import { nameOf } from '../rules/name-of.js';
import { engagementTexts, partyTexts } from '../search/entries.js';
import { uploadsAmong } from '../sessions/uploads.js';
import { asOfNow } from '../sessions/as-of-now.js';
import { caseFactsOf, type CaseFacts } from './cases.js';
import type { OutcomeEffects } from './outcome-effects.js';
import { claimedNames } from '../sessions/claimed-names.js';
import { idsIn, namedIn, type NamedFraudster, type NamedPerson } from './named.js';

/** As a list has it. */
export interface SessionEntry extends FoundEntry {
  assessment?: NamedAssessment;
  caseOwnerName?: string;
  /** Set if requested. */
  effects?: OutcomeEffects;
}

/** As it is found. */
export interface FoundEntry extends CaseFacts {
  session: Session;
  claimedPersonId: string;
  claimedPersonName: string;
  /** The persons it is about, according to its checks. */
  persons: readonly NamedPerson[];
  fraudsters: readonly NamedFraudster[];
  /** Fraudsters whose voice was enrolled in it. */
  enrolledFraudsters: readonly NamedFraudster[];
  /** When listening to a live call broke off, if nothing was heard since. */
  cutOffAtMs?: number;
  /** Verifications that were refused because of a lock. */
  refused: number;
  /** Texts by which the claimed person and all of these are found. */
  partyTexts: readonly string[];
  /** Notes of analysts. */
  notedTexts: readonly string[];
  /** It only holds recordings. */
  isUpload?: true;
  factors: number;
}

const textsOf = (party: Party | undefined): string[] => (party ? partyTexts(party) : []);

const unique = (ids: readonly (string | undefined)[]) => [...new Set(ids.filter((id) => id !== undefined))];

export async function entriesOf(
  deps: BiometricsDeps,
  gkScopeId: string,
  sessions: readonly Session[],
): Promise<FoundEntry[]> {
  const { read } = deps.store;
  const ids = sessions.map(({ gkSessionId }) => gkSessionId);
  const about = await read.factors.aboutSessions(gkScopeId, ids);
  const cutOff = await read.sessions.cutOffAmong(gkScopeId, ids);
  const parties = await read.parties.findMany(
    gkScopeId,
    unique([
      ...sessions.map(({ claimedGkPersonId }) => claimedGkPersonId),
      ...[...about.values()].flatMap(idsIn),
    ]),
  );
  const engagementIds = unique(sessions.map(({ gkEngagementId }) => gkEngagementId));
  const engagements = await read.engagements.findMany(gkScopeId, engagementIds);
  const factors = await read.factors.countBySessions(gkScopeId, ids);
  const uploads = await uploadsAmong(read, gkScopeId, unheardAmong(sessions, factors));
  const names = await claimedNames(deps, gkScopeId, sessions);
  const partyOf = new Map(parties.map((party) => [party.gkId, party]));
  const byId = new Map(engagements.map((engagement) => [engagement.gkEngagementId, engagement]));
  const erased = await erasedClaims(read, sessions, partyOf);
  const entries: FoundEntry[] = [];
  for (const session of sessions) {
    const engagement = byId.get(session.gkEngagementId);
    const count = factors.get(session.gkSessionId) ?? 0;
    const claimed = partyOf.get(session.claimedGkPersonId ?? '');
    const found = about.get(session.gkSessionId);
    const { persons, fraudsters, enrolledFraudsters } = namedIn(found, partyOf);
    const isUpload = uploads.has(session.gkSessionId);
    const cutOffAtMs = cutOff.get(session.gkSessionId);
    const known = unique([
      claimed?.gkId,
      ...persons.map(({ gkPersonId }) => gkPersonId || undefined),
      ...[...fraudsters, ...enrolledFraudsters].map(({ gkFraudsterId }) => gkFraudsterId),
    ]);
    entries.push({
      session: { ...(await asOfNow(deps, session, count > 0)), ...erased(session) },
      claimedPersonId: claimed?.externalId ?? names.get(session.gkSessionId) ?? '',
      claimedPersonName: claimed ? nameOf(claimed) : '',
      persons,
      fraudsters,
      enrolledFraudsters,
      ...(cutOffAtMs !== undefined && { cutOffAtMs }),
      ...(isUpload && { isUpload }),
      refused: found?.refused ?? 0,
      partyTexts: known.flatMap((gkId) => textsOf(partyOf.get(gkId))),
      ...(engagement ? caseFactsOf(engagement) : { caseNumber: '', caseOwner: '' }),
      notedTexts: engagement ? engagementTexts(engagement) : [],
      factors: count,
    });
  }
  return entries;
}

const unheardAmong = (sessions: readonly Session[], factors: ReadonlyMap<string, number>): Session[] =>
  sessions.filter(({ gkSessionId }) => !factors.has(gkSessionId));

/** For a session kept with its claim, as evidence: the person may have been erased nevertheless. */
export async function erasedClaims(
  { erasure }: Pick<Repositories, 'erasure'>,
  sessions: readonly Session[],
  partyOf: ReadonlyMap<string, Party>,
): Promise<(session: Session) => Pick<Session, 'isClaimErased'>> {
  const claimed = unique(sessions.map(({ claimedGkPersonId }) => claimedGkPersonId));
  const missing = claimed.filter((gkId) => !partyOf.has(gkId));
  const erased = await erasure.erasedPersons(missing);
  return ({ claimedGkPersonId = '' }) => (erased.has(claimedGkPersonId) ? { isClaimErased: true } : {});
}
