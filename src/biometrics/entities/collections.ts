// Groups of persons and watchlists of fraudsters: create, rename, update, delete, read. Deleting one keeps
// its members.
import { type AuditDetail, auditDetail } from '../../audit/model.js';
import { notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { audit } from '../call/audit.js';
import { openTenant, openSessionContext, type RequestContext, type SessionContext } from '../call/context.js';
import type { BiometricsDeps } from '../ports/deps.js';
import { Faults } from '../call/limits.js';
import type { CustomData } from '../model/outcome.js';
import type { BiometricsTransaction } from '../ports/store.js';
import { collectionEvent, gkIdField, idField, nameOf } from './party-rules.js';
import type { Collection, CollectionKind } from '../model/entities.js';
import type { CollectionRepository } from '../ports/entities.js';
import type { AuditAct } from '../../words/audit/english.js';

interface CollectionReference {
  context: RequestContext;
  kind: CollectionKind;
  gkId: string;
}

export async function createCollection(
  deps: BiometricsDeps,
  call: Call,
  input: { context: RequestContext; kind: CollectionKind; externalId: string; customData: CustomData },
): Promise<string> {
  const faults = new Faults()
    .id(idField(input.kind), input.externalId)
    .customData('details.custom_data', input.customData);
  const opened = await openSessionContext(deps, call, input.context, faults.found);
  const gkId = deps.ids.uuid();
  const now = deps.clock.now();
  await deps.store.transaction(async (tx) => {
    const { kind, externalId, customData } = input;
    await tx.collections.insert({
      kind,
      gkId,
      gkScopeId: opened.gkScopeId,
      externalId,
      customData,
      createdAtMs: now,
      modifiedAtMs: now,
    });
    await auditCollection(tx, call, opened, {
      kind,
      operation: `Create${nameOf(kind)}`,
      gkId,
      detail: auditDetail({ externalId }),
    });
  });
  return gkId;
}

export async function renameCollection(
  deps: BiometricsDeps,
  call: Call,
  input: CollectionReference & { newExternalId: string },
): Promise<void> {
  await change(deps, call, input, {
    operation: `Rename${nameOf(input.kind)}`,
    faults: new Faults().id(`new_${idField(input.kind)}`, input.newExternalId),
    edit: (collection) => ({ ...collection, externalId: input.newExternalId }),
  });
}

export async function updateCollection(
  deps: BiometricsDeps,
  call: Call,
  input: CollectionReference & { customData?: CustomData },
): Promise<void> {
  await change(deps, call, input, {
    operation: `Update${nameOf(input.kind)}`,
    faults: new Faults().customData('details.custom_data', input.customData),
    edit: (collection) => ({ ...collection, ...(input.customData && { customData: input.customData }) }),
  });
}

export async function deleteCollection(
  deps: BiometricsDeps,
  call: Call,
  input: CollectionReference,
): Promise<void> {
  const faults = new Faults().required(gkIdField(input.kind), input.gkId);
  const opened = await openSessionContext(deps, call, input.context, faults.found);
  await deps.store.transaction(async (tx) => {
    const { kind, gkId } = input;
    const { externalId } = await collectionOrThrow(tx.collections, opened.gkScopeId, kind, gkId);
    await tx.collections.delete(opened.gkScopeId, kind, gkId);
    // Which list it was may be asked later.
    const detail = auditDetail({ externalId });
    await auditCollection(tx, call, opened, { kind, operation: `Delete${nameOf(kind)}`, gkId, detail });
  });
}

export async function getCollection(
  deps: BiometricsDeps,
  call: Call,
  input: CollectionReference,
): Promise<Collection> {
  const faults = new Faults().required(gkIdField(input.kind), input.gkId);
  const gkScopeId = await openTenant(deps, call, input.context, faults.found);
  return collectionOrThrow(deps.store.read.collections, gkScopeId, input.kind, input.gkId);
}

export async function getGkCollectionId(
  deps: BiometricsDeps,
  call: Call,
  input: { context: RequestContext; kind: CollectionKind; externalId: string },
): Promise<string> {
  const faults = new Faults().required(idField(input.kind), input.externalId);
  const gkScopeId = await openTenant(deps, call, input.context, faults.found);
  const collection = await deps.store.read.collections.findByExternalId(
    gkScopeId,
    input.kind,
    input.externalId,
  );
  if (!collection) throw notFound(input.kind.toLowerCase(), idField(input.kind));
  return collection.gkId;
}

export async function collectionOrThrow(
  collections: CollectionRepository,
  gkScopeId: string,
  kind: CollectionKind,
  gkId: string,
): Promise<Collection> {
  const collection = await collections.find(gkScopeId, kind, gkId);
  if (!collection) throw notFound(kind.toLowerCase(), gkIdField(kind));
  return collection;
}

interface CollectionChange {
  operation: AuditAct;
  faults: Faults;
  edit(collection: Collection): Collection;
}

async function change(
  deps: BiometricsDeps,
  call: Call,
  input: CollectionReference,
  { operation, faults, edit }: CollectionChange,
): Promise<void> {
  faults.required(gkIdField(input.kind), input.gkId);
  const opened = await openSessionContext(deps, call, input.context, faults.found);
  await deps.store.transaction(async (tx) => {
    const collection = await collectionOrThrow(tx.collections, opened.gkScopeId, input.kind, input.gkId);
    await tx.collections.update({ ...edit(collection), modifiedAtMs: deps.clock.now() });
    const { kind, gkId } = input;
    await auditCollection(tx, call, opened, { kind, operation, gkId });
  });
}

interface CollectionEvent {
  kind: CollectionKind;
  operation: AuditAct;
  gkId: string;
  detail?: AuditDetail;
  members?: readonly string[];
}

export async function auditCollection(
  tx: BiometricsTransaction,
  call: Call,
  { gkScopeId, engagement, session }: SessionContext,
  { kind, operation, gkId, detail, members = [] }: CollectionEvent,
): Promise<void> {
  await audit(tx, call, {
    type: collectionEvent(kind),
    operation,
    gkScopeId,
    gkEngagementId: engagement.gkEngagementId,
    gkSessionId: session.gkSessionId,
    subjects: [gkId, ...members],
    ...(detail && { detail }),
  });
}
