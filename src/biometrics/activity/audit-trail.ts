// The audit trail of one tenant: a search, newest first, and the proof that nothing in it was changed.
import type { RecordType } from '../../audit/model.js';
import { searchRecords, type AuditEntryView } from '../../audit/search-records.js';
import { verifyChain, type ChainReport } from '../../audit/verify-chain.js';
import type { Call } from '../../platform.js';
import { openTenant, type RequestContext } from '../call/context.js';
import { compareIn } from '../call/paging.js';
import { matcherOf } from '../search/match-text.js';
import type { ActivityDeps } from './session-timeline.js';

export interface ListAuditInput {
  context: RequestContext;
  pageSize: number;
  pageToken: string;
  query?: string;
  fromMs?: number;
  toMs?: number;
  recordTypes?: readonly RecordType[];
  gkSessionId?: string;
  gkEngagementId?: string;
}

export interface NamedRecord extends AuditEntryView {
  /** Of who acted, and of the person, fraudster, group or watchlist that it is about; empty where there is none any more. */
  actorName: string;
  objectName: string;
}

export async function listAuditRecords(
  deps: ActivityDeps,
  call: Call,
  input: ListAuditInput,
): Promise<{ entries: NamedRecord[]; next?: string }> {
  const chain = await openTenant(deps, call, input.context);
  const { pageSize, pageToken, fromMs, toMs, recordTypes, gkSessionId, gkEngagementId } = input;
  const query = input.query?.trim() ?? '';
  const { entries, ...rest } = await searchRecords(deps.audit, chain, {
    pageSize,
    pageToken,
    ...(fromMs !== undefined && { startMs: fromMs }),
    ...(toMs !== undefined && { endMs: toMs }),
    ...(recordTypes && { recordTypes }),
    ...(gkSessionId && { gkSessionId }),
    ...(gkEngagementId && { gkEngagementId }),
    ...(query !== '' && { text: query, named: await namedBy(deps, chain, query) }),
  });
  return { entries: await withNames(deps, chain, entries), ...rest };
}

/** A name that more things have says little. */
const NAMED_MAX = 50;

/** Whom and what somebody who searches for a name may mean. */
async function namedBy(
  { actors, searches, store }: ActivityDeps,
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
  return { actors: await actors.called(query), subjects };
}

async function withNames(
  { actors, store: { read } }: ActivityDeps,
  gkScopeId: string,
  entries: readonly AuditEntryView[],
): Promise<NamedRecord[]> {
  const actorNames = await actors.namesOf(entries.map(({ record }) => record.actor.subject));
  const ids = [...new Set(entries.flatMap(({ record }) => record.subjectIds))];
  const objects = [
    ...(await read.parties.findMany(gkScopeId, ids)),
    ...(await read.collections.findMany(gkScopeId, ids)),
  ];
  const objectNames = new Map(objects.map(({ gkId, externalId }) => [gkId, externalId]));
  return entries.map((entry) => ({
    ...entry,
    actorName: actorNames.get(entry.record.actor.subject) ?? '',
    objectName: entry.record.subjectIds.map((id) => objectNames.get(id)).find(Boolean) ?? '',
  }));
}

export async function verifyAuditChain(
  deps: ActivityDeps,
  call: Call,
  context: RequestContext,
): Promise<ChainReport> {
  return verifyChain(deps.audit, await openTenant(deps, call, context));
}
