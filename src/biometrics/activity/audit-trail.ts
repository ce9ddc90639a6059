// The audit trail of one tenant: a search, newest first, and the proof that nothing in it was changed.
import { recordAsJson } from '../../audit/export-records.js';
import type { AuditRecord, RecordType } from '../../audit/model.js';
import { verifyChain, type ChainReport } from '../../audit/verify-chain.js';
import { invalidFields } from '../../errors.js';
import type { Call } from '../../platform.js';
import { openTenant, type RequestContext } from '../call/context.js';
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from '../call/paging.js';
import type { ActivityDeps } from './session-timeline.js';

export interface ListAuditInput {
  context: RequestContext;
  pageSize: number;
  pageToken: string;
  query?: string;
  from?: number;
  to?: number;
  recordTypes?: readonly RecordType[];
  gkSessionId?: string;
  gkEngagementId?: string;
}

export interface AuditEntryView {
  record: AuditRecord;
  /** Personal parts masked. */
  json: string;
  hash: string;
  prevHash: string;
}

export async function listAuditRecords(
  deps: ActivityDeps,
  call: Call,
  input: ListAuditInput,
): Promise<{ entries: AuditEntryView[]; next?: string }> {
  const chain = await openTenant(deps, call, input.context);
  if (input.pageSize < 0) {
    throw invalidFields([{ field: 'page_size', violation: 'OUT_OF_RANGE', message: 'must not be negative' }]);
  }
  const limit = Math.min(input.pageSize || PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX);
  const beforeSeq = placeOf(input.pageToken);
  const { from, to, recordTypes, gkSessionId, gkEngagementId } = input;
  const text = input.query?.trim();
  const found = await deps.audit.search({
    chain,
    limit: limit + 1,
    ...(beforeSeq !== undefined && { beforeSeq }),
    ...(from !== undefined && { startTime: from }),
    ...(to !== undefined && { endTime: to }),
    ...(recordTypes && { recordTypes }),
    ...(gkSessionId && { gkSessionId }),
    ...(gkEngagementId && { gkEngagementId }),
    ...(text && { text }),
  });
  const entries: AuditEntryView[] = [];
  for (const { record, hash, prevHash } of found.slice(0, limit)) {
    entries.push({ record, json: await recordAsJson(deps.audit, record, 'mask'), hash, prevHash });
  }
  const last = entries.at(-1);
  return { entries, ...(found.length > limit && last && { next: String(last.record.seq) }) };
}

/** The chain has no gaps: the place of the last record is the position. */
function placeOf(token: string): number | undefined {
  if (token === '') return undefined;
  if (/^[1-9]\d{0,14}$/.test(token)) return Number(token);
  throw invalidFields([
    { field: 'page_token', violation: 'INVALID_FORMAT', message: 'is not a token of this list' },
  ]);
}

export async function verifyAuditChain(
  deps: ActivityDeps,
  call: Call,
  context: RequestContext,
): Promise<ChainReport> {
  return verifyChain(deps.audit, await openTenant(deps, call, context));
}
