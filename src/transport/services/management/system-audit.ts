// The audit trail of the installation: a search for administrators and auditors, and the proof that it is whole.
import type { MessageInitShape } from '@bufbuild/protobuf';
import { SYSTEM_CHAIN } from '../../../audit/model.js';
import type { AuditReader } from '../../../audit/ports.js';
import { searchRecords, type AuditEntryView } from '../../../audit/search-records.js';
import { verifyChain } from '../../../audit/verify-chain.js';
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
      const startMs = msOf(request.startTime);
      const endMs = msOf(request.endTime);
      const named = actor === '' ? undefined : await auth.store.direct.users.findByName(actor.toLowerCase());
      const { entries, next = '' } = await searchRecords(audit, SYSTEM_CHAIN, {
        pageSize,
        pageToken,
        text: query,
        operations: operation,
        actor: named?.userId ?? actor,
        subjectId: targetId,
        ...(startMs === undefined ? {} : { startMs }),
        ...(endMs === undefined ? {} : { endMs }),
      });
      return {
        records: await Promise.all(entries.map((entry) => recordInit(auth, entry))),
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

async function recordInit(
  auth: Auth,
  { record, json, hash, prevHash }: AuditEntryView,
): Promise<MessageInitShape<typeof SystemAuditRecordSchema>> {
  const { clientId, ...detail } = record.detail as { clientId?: string } & Record<string, unknown>;
  const target = (detail['target'] as Target | undefined) ?? engagementTarget(record.operation, detail);
  return {
    sequence: BigInt(record.seq),
    createTime: time(record.atMs),
    operation: record.operation,
    actor: record.actor.subject,
    actorUsername: (await auth.directory.userRights(record.actor.subject))?.userName ?? '',
    clientId: clientId ?? '',
    targetType: target?.type ?? '',
    targetId: target?.id ?? record.subjectIds[0] ?? '',
    requestId: record.context.requestId ?? '',
    recordAsJson: json,
    hash,
    previousHash: prevHash,
  };
}
