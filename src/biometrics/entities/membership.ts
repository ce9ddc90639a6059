// Who is in a group or watchlist. Lists are bounded: a larger set is a matter for paging through the directory.
import { auditDetail } from '../../audit/model.js';
import { AppError, missingField } from '../../errors.js';
import type { Call } from '../../platform.js';
import { openTenant, openSessionContext, type RequestContext, type SessionContext } from '../call/context.js';
import type { BiometricsDeps } from '../ports/deps.js';
import { Faults, LIST_LENGTH_MAX } from '../call/limits.js';
import { auditCollection, collectionOrThrow } from './collections.js';
import { searchLater } from './search-later.js';
import { gkIdField, partyOrThrow } from './party-rules.js';
import type { CollectionKind, PartyKind } from '../model/entities.js';
import type { BiometricsTransaction } from '../ports/store.js';
import { say } from '../../words/server/say.js';

const acts = {
  GROUP: { added: 'AddPersonToGroup', removed: 'RemovePersonsFromGroup' },
  WATCHLIST: { added: 'AddFraudsterToWatchlist', removed: 'RemoveFraudstersFromWatchlist' },
} as const;

/** The kind of party in a collection. */
const memberKind: Record<CollectionKind, PartyKind> = { GROUP: 'PERSON', WATCHLIST: 'FRAUDSTER' };

/** A watchlist may have a million prints; adding stops there. */
const MEMBERS_MAX = 1_000_000;

interface CollectionTarget {
  context: RequestContext;
  kind: CollectionKind;
  gkId: string;
}

export async function addMember(
  deps: BiometricsDeps,
  call: Call,
  input: CollectionTarget & { memberGkId: string },
): Promise<void> {
  const member = memberKind[input.kind];
  const faults = new Faults()
    .required(gkIdField(input.kind), input.gkId)
    .required(gkIdField(member), input.memberGkId);
  const opened = await openSessionContext(deps, call, input.context, faults.found);
  await deps.store.transaction((tx) => insertMember(tx, { deps, call, opened }, input));
}

/** Inside the caller's transaction. */
export async function insertMember(
  tx: BiometricsTransaction,
  { deps, call, opened }: { deps: BiometricsDeps; call: Call; opened: SessionContext },
  { kind, gkId, memberGkId }: { kind: CollectionKind; gkId: string; memberGkId: string },
): Promise<void> {
  const { gkScopeId } = opened;
  await collectionOrThrow(tx.collections, gkScopeId, kind, gkId);
  await partyOrThrow(tx.parties, gkScopeId, memberKind[kind], memberGkId);
  if ((await tx.collections.countMembers(gkScopeId, gkId)) >= MEMBERS_MAX)
    throw new AppError('TOO_LARGE', `a ${kind.toLowerCase()} can have at most ${MEMBERS_MAX} members`);
  const isNew = !(await tx.collections.hasMember(gkScopeId, gkId, memberGkId));
  await tx.collections.addMember(gkScopeId, gkId, memberGkId, deps.clock.now());
  const operation = acts[kind].added;
  await auditCollection(tx, call, opened, { kind, operation, gkId, members: [memberGkId] });
  if (isNew && kind === 'WATCHLIST')
    await searchLater(tx, deps, call, await tx.profiles.listByOwner(gkScopeId, memberGkId));
}

export async function removeMembers(
  deps: BiometricsDeps,
  call: Call,
  input: CollectionTarget & { memberGkIds: readonly string[] },
): Promise<void> {
  const member = memberKind[input.kind];
  const faults = new Faults().required(gkIdField(input.kind), input.gkId);
  if (input.memberGkIds.length === 0) faults.add(missingField(`${gkIdField(member)}s`));
  const memberGkIds = [...new Set(input.memberGkIds)];
  const opened = await openSessionContext(deps, call, input.context, faults.found);
  checkListLength(`${gkIdField(member)}s`, memberGkIds.length);
  await deps.store.transaction(async (tx) => {
    await collectionOrThrow(tx.collections, opened.gkScopeId, input.kind, input.gkId);
    await tx.collections.removeMembers(opened.gkScopeId, input.gkId, memberGkIds);
    await auditCollection(tx, call, opened, {
      kind: input.kind,
      operation: acts[input.kind].removed,
      gkId: input.gkId,
      detail: auditDetail({ removed: memberGkIds.length }),
      members: memberGkIds,
    });
  });
}

export async function listMembers(
  deps: BiometricsDeps,
  call: Call,
  input: CollectionTarget,
): Promise<string[]> {
  const faults = new Faults().required(gkIdField(input.kind), input.gkId);
  const gkScopeId = await openTenant(deps, call, input.context, faults.found);
  await collectionOrThrow(deps.store.read.collections, gkScopeId, input.kind, input.gkId);
  const members = await deps.store.read.collections.listMembers(gkScopeId, input.gkId, LIST_LENGTH_MAX + 1);
  checkListLength(gkIdField(input.kind), members.length);
  return members;
}

export async function isMember(
  deps: BiometricsDeps,
  call: Call,
  input: CollectionTarget & { memberGkId: string },
): Promise<boolean> {
  const faults = new Faults()
    .required(gkIdField(input.kind), input.gkId)
    .required(gkIdField(memberKind[input.kind]), input.memberGkId);
  const gkScopeId = await openTenant(deps, call, input.context, faults.found);
  await collectionOrThrow(deps.store.read.collections, gkScopeId, input.kind, input.gkId);
  return deps.store.read.collections.hasMember(gkScopeId, input.gkId, input.memberGkId);
}

function checkListLength(field: string, length: number): void {
  if (length <= LIST_LENGTH_MAX) return;
  throw new AppError('TOO_LARGE', `${field}: lists are limited to ${LIST_LENGTH_MAX} entries`, {
    fields: [{ field, violation: 'TOO_LONG', ...say('LIST_TOO_LONG', { max: LIST_LENGTH_MAX }) }],
  });
}
