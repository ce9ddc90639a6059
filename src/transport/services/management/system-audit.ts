// The audit trail of the installation: a search for administrators and auditors, and the proof that it is whole.
import type { MessageInitShape } from '@bufbuild/protobuf';
import { SYSTEM_CHAIN, type AuditRecord } from '../../../audit/model.js';
import { idOfActor } from '../../../audit/actor.js';
import type { AuditReader } from '../../../audit/ports.js';
import { searchRecords, type AuditEntryView } from '../../../audit/search-records.js';
import { verifyChain } from '../../../audit/verify-chain.js';
import { actorNames } from '../../../auth/actor-names.js';
import type { Auth } from '../../../auth/create.js';
import { requireOverview } from '../../../auth/permissions.js';
import type { SystemAuditRecordSchema, SystemManager } from '../../../gen/voxgate/management/v1/system_pb.js';
import type { Handlers } from '../../service.js';
import { msOf, time } from './shared.js';

export interface SystemAuditDeps {
  auth: Auth;
  audit: AuditReader;
}

export function systemAuditHandlers({
  auth,
  audit,
}: SystemAuditDeps): Pick<Handlers<typeof SystemManager>, 'listSystemAuditRecords' | 'verifySystemAudit'> {
  return {
    listSystemAuditRecords: async (call, request) => {
      requireOverview(call);
      const { pageSize, pageToken, query, operation, actor, targetId } = request;
      const fromMs = msOf(request.startTime);
      const toMs = msOf(request.endTime);
      const actors = actorNames(auth);
      const called = query.trim() === '' ? [] : await actors.called(query.trim());
      const { entries, next = '' } = await searchRecords(audit, SYSTEM_CHAIN, {
        pageSize,
        pageToken,
        text: query,
        named: { actors: called, subjects: called },
        operations: operation,
        actor: actor === '' ? '' : await idOfActor(actors, actor),
        changesOnly: request.changesOnly,
        subjectId: targetId,
        ...(fromMs === undefined ? {} : { fromMs }),
        ...(toMs === undefined ? {} : { toMs }),
      });
      const targets = entries.map(({ record }) => targetOf(record).id ?? '');
      const names = await targetNames(auth, targets);
      return {
        records: await Promise.all(entries.map((entry) => recordInit(auth, entry, names))),
        nextPageToken: next,
      };
    },
    verifySystemAudit: async (call) => {
      requireOverview(call);
      const { ok, records, head, broken } = await verifyChain(audit, SYSTEM_CHAIN);
      return {
        intact: ok,
        recordsChecked: BigInt(records),
        firstBrokenSequence: BigInt(broken?.seq ?? 0),
        message: broken?.message ?? '',
        headHash: head.hash,
      };
    },
  };
}

interface Target {
  type?: string;
  id?: string;
}

/** Which member of a record of the engagement API names what it was done to. */
const engagementMembers: Readonly<Record<string, string>> = {
  site: 'siteId',
  'business-unit': 'businessUnitId',
  agent: 'agentId',
  'agent-group': 'agentGroupId',
  hours: 'hoursId',
};

/** `engagement.agent.put` was done to the agent that its detail names. */
function engagementTarget(operation: string, detail: Readonly<Record<string, unknown>>): Target | undefined {
  const [area, type = ''] = operation.split('.');
  const member = area === 'engagement' ? engagementMembers[type] : undefined;
  const id = member === undefined ? undefined : detail[member];
  return typeof id === 'string' ? { type, id } : undefined;
}

function targetOf({ operation, detail, subjectIds: [id = ''] }: AuditRecord): Target {
  return (detail['target'] as Target | undefined) ?? engagementTarget(operation, detail) ?? { id };
}

/** Of users and clients as actors have them, of applications and environments as they are called. */
async function targetNames(auth: Auth, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const names = new Map(await actorNames(auth).namesOf(ids));
  const { applications, environments } = auth.store.direct;
  for (const id of new Set(ids)) {
    if (id === '' || names.has(id)) continue;
    const name = ((await applications.get(id)) ?? (await environments.get(id)))?.name;
    if (name !== undefined) names.set(id, name);
  }
  return names;
}

async function recordInit(
  auth: Auth,
  { record, json, hash, prevHash }: AuditEntryView,
  names: ReadonlyMap<string, string>,
): Promise<MessageInitShape<typeof SystemAuditRecordSchema>> {
  const { clientId } = record.detail as { clientId?: string };
  const target = targetOf(record);
  const targetId = target.id ?? record.subjectIds[0] ?? '';
  return {
    sequence: BigInt(record.seq),
    createTime: time(record.atMs),
    operation: record.operation,
    actor: record.actor.subject,
    actorUsername: (await auth.directory.userRights(record.actor.subject))?.userName ?? '',
    clientId: clientId ?? '',
    targetType: target.type ?? '',
    targetId,
    targetName: names.get(targetId) ?? '',
    requestId: record.context.requestId ?? '',
    recordAsJson: json,
    hash,
    previousHash: prevHash,
  };
}
