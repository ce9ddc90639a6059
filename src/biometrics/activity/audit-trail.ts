// The audit trail of one tenant: a search, newest first, and the proof that nothing in it was changed.
import { idOfActor } from '../../audit/actor.js';
import type { AuditRecord, RecordType } from '../../audit/model.js';
import { searchRecords, type AuditEntryView } from '../../audit/search-records.js';
import { verifyChain, type ChainReport } from '../../audit/verify-chain.js';
import type { Call } from '../../platform.js';
import { openTenant, type RequestContext } from '../call/context.js';
import { compareIn } from '../call/paging.js';
import type { SessionRepository } from '../ports/sessions.js';
import { matcherOf } from '../search/match-text.js';
import { deletedCalled, namesOfDeleted } from './deleted-names.js';
import type { ActivityDeps } from './session-timeline.js';

interface ListAuditInput {
  context: RequestContext;
  pageSize: number;
  pageToken: string;
  query?: string;
  fromMs?: number;
  toMs?: number;
  recordTypes?: readonly RecordType[];
  gkSessionId?: string;
  gkEngagementId?: string;
  /** By name or ID. */
  actor?: string;
  changesOnly?: boolean;
}

interface NamedRecord extends AuditEntryView {
  /**
   * Names of the actor, and of the person, fraudster, group or watchlist that it is or was about; empty if
   * nothing tells any more.
   */
  actorName: string;
  objectName: string;
  /** It is about somebody who was erased, or their print. */
  isObjectErased?: true;
  /** The session it happened in, or the first of the engagement that it is about. */
  session?: NamedSession;
}

interface NamedSession {
  gkSessionId: string;
  /** The own ID; empty if it has none, or was deleted. */
  sessionId: string;
}

export async function listAuditRecords(
  deps: ActivityDeps,
  call: Call,
  input: ListAuditInput,
): Promise<{ entries: NamedRecord[]; next?: string }> {
  const gkScopeId = await openTenant(deps, call, input.context);
  const { pageSize, pageToken, fromMs, toMs, recordTypes, gkSessionId, gkEngagementId } = input;
  const query = input.query?.trim() ?? '';
  const { entries, ...rest } = await searchRecords(deps.audit, gkScopeId, {
    pageSize,
    pageToken,
    ...(fromMs !== undefined && { fromMs }),
    ...(toMs !== undefined && { toMs }),
    ...(recordTypes && { recordTypes }),
    ...(gkSessionId && { gkSessionId }),
    ...(gkEngagementId && { gkEngagementId }),
    ...(input.actor && { actor: await idOfActor(deps.actors, input.actor) }),
    ...(input.changesOnly && { changesOnly: true }),
    ...(query !== '' && { text: query, named: await namedBy(deps, gkScopeId, query) }),
  });
  return { entries: await withNames(deps, gkScopeId, entries), ...rest };
}

/** A name that more things share says little. */
const NAMED_MAX = 50;

/** The people and things that a search for a name may mean. */
async function namedBy(
  { actors, audit, searches, store }: ActivityDeps,
  gkScopeId: string,
  query: string,
): Promise<{ actors: readonly string[]; subjects: string[] }> {
  const subjects: string[] = [];
  for (const kind of ['PERSON', 'FRAUDSTER'] as const) {
    const found = await (
      await searches.parties(gkScopeId, kind)
    )?.find({
      fits: matcherOf(query),
      placeOf: (entry) => entry,
      compare: compareIn('newest'),
      limit: NAMED_MAX,
    });
    subjects.push(...(found?.found ?? []).map(({ id }) => id));
  }
  for (const kind of ['GROUP', 'WATCHLIST'] as const) {
    const { collections } = await store.read.collections.list(gkScopeId, kind, query, { limit: NAMED_MAX });
    subjects.push(...collections.map(({ gkId }) => gkId));
  }
  subjects.push(...(await deletedCalled(audit, gkScopeId, { fits: matcherOf(query), limit: NAMED_MAX })));
  return { actors: await actors.called(query), subjects };
}

/**
 * For a check of a whole list that recognized nobody: only the list. The nearest member would read like a
 * hit.
 */
function subjectsOf({ recordType, subjectIds, detail }: AuditRecord): readonly string[] {
  if (recordType !== 'FACTORS_AUDIT_INFO_EVENT') return subjectIds;
  const { decision, gkWatchlistId, gkGroupId } = detail;
  const isFound = decision === 'FRAUD' || decision === 'AUTHENTIC';
  const list = gkWatchlistId ?? gkGroupId;
  return typeof list === 'string' && !isFound ? [list] : subjectIds;
}

async function withNames(
  { actors, audit, store }: ActivityDeps,
  gkScopeId: string,
  entries: readonly AuditEntryView[],
): Promise<NamedRecord[]> {
  const { read } = store;
  const actorNames = await actors.namesOf(entries.map(({ record }) => record.actor.subject));
  const ids = [...new Set(entries.flatMap(({ record }) => subjectsOf(record)))];
  const objects = [
    ...(await read.parties.findMany(gkScopeId, ids)),
    ...(await read.collections.findMany(gkScopeId, ids)),
  ];
  const objectNames = new Map(objects.map(({ gkId, externalId }) => [gkId, externalId]));
  const others = ids.filter((id) => !objectNames.has(id));
  const formerNames = await namesOfDeleted({ audit, store }, gkScopeId, others);
  const erasedPersons = await read.erasure.erasedPersons(others);
  const erasedPrints = await read.erasure.erasedAmong({ gkSessionIds: [], gkVoiceprintProfileIds: others });
  const isErased = (id: string): boolean => erasedPersons.has(id) || erasedPrints.has(id);
  const sessionOf = await sessionsOf(read.sessions, gkScopeId, entries);
  return entries.map((entry) => {
    const session = sessionOf(entry);
    const subjects = subjectsOf(entry.record);
    const objectName =
      subjects.map((id) => objectNames.get(id)).find(Boolean) ??
      subjects.map((id) => formerNames.get(id)).find(Boolean) ??
      '';
    const isObjectErased = objectName === '' && subjects.some(isErased);
    return {
      ...entry,
      objectName,
      ...(isObjectErased && { isObjectErased }),
      actorName: actorNames.get(entry.record.actor.subject) ?? '',
      ...(session && { session }),
    };
  });
}

/** Records about an engagement as a whole, such as its outcome, are about a call nevertheless. */
async function sessionsOf(
  sessions: SessionRepository,
  gkScopeId: string,
  entries: readonly AuditEntryView[],
): Promise<(entry: AuditEntryView) => NamedSession | undefined> {
  const contexts = entries.map(({ record }) => record.context);
  const ids = [...new Set(contexts.flatMap(({ gkSessionId }) => gkSessionId ?? []))];
  const names = new Map(
    (await sessions.findMany(gkScopeId, ids)).map(({ gkSessionId, details }) => [
      gkSessionId,
      details.sessionId,
    ]),
  );
  const engagementsAlone = new Set(
    contexts.flatMap(({ gkSessionId, gkEngagementId }) => (gkSessionId ? [] : (gkEngagementId ?? []))),
  );
  const firsts = new Map<string, NamedSession>();
  for (const gkEngagementId of engagementsAlone) {
    const [first] = await sessions.listByEngagement(gkScopeId, gkEngagementId);
    if (first)
      firsts.set(gkEngagementId, { gkSessionId: first.gkSessionId, sessionId: first.details.sessionId });
  }
  return ({ record: { context } }) =>
    context.gkSessionId
      ? { gkSessionId: context.gkSessionId, sessionId: names.get(context.gkSessionId) ?? '' }
      : firsts.get(context.gkEngagementId ?? '');
}

export async function verifyAuditChain(
  deps: ActivityDeps,
  call: Call,
  context: RequestContext,
): Promise<ChainReport> {
  return verifyChain(deps.audit, await openTenant(deps, call, context));
}
