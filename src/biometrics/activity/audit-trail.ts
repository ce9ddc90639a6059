// The audit trail of one tenant: a search, newest first, and the proof that nothing in it was changed.
import type { RecordType } from '../../audit/model.js';
import { searchRecords, type AuditPage } from '../../audit/search-records.js';
import { verifyChain, type ChainReport } from '../../audit/verify-chain.js';
import type { Call } from '../../platform.js';
import { openTenant, type RequestContext } from '../call/context.js';
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

export async function listAuditRecords(
  deps: ActivityDeps,
  call: Call,
  input: ListAuditInput,
): Promise<AuditPage> {
  const chain = await openTenant(deps, call, input.context);
  const { pageSize, pageToken, query, fromMs, toMs, recordTypes, gkSessionId, gkEngagementId } = input;
  return searchRecords(deps.audit, chain, {
    pageSize,
    pageToken,
    ...(fromMs !== undefined && { startMs: fromMs }),
    ...(toMs !== undefined && { endMs: toMs }),
    ...(recordTypes && { recordTypes }),
    ...(gkSessionId && { gkSessionId }),
    ...(gkEngagementId && { gkEngagementId }),
    ...(query !== undefined && { text: query }),
  });
}

export async function verifyAuditChain(
  deps: ActivityDeps,
  call: Call,
  context: RequestContext,
): Promise<ChainReport> {
  return verifyChain(deps.audit, await openTenant(deps, call, context));
}
