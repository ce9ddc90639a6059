// Reads the trail of one tenant for export: by type and time window, in pages, with an iterator that can be
// kept and used later to go on where the last export stopped (docs/reference/voiceprint-management.md#audit-export).
import { AppError, invalidFields, requireTenant } from '../errors.js';
import type { Call } from '../platform.js';
import { type AuditRecord, type RecordType, recordTypes } from './model.js';
import type { AuditReader } from './ports.js';
import { say, type Said } from '../words/server/say.js';

interface ExportDeps {
  reader: AuditReader;
}

export interface ExportStart {
  gkScopeId: string;
  recordType: RecordType;
  /** Inclusive; absent: from the first, to the last record there is. */
  fromMs?: number;
  toMs?: number;
}

export interface ExportContinue {
  gkScopeId: string;
  iterator: string;
  /** How much time after the last exported record to read; absent: all there is. */
  durationMs?: number;
}

/** `mask` leaves personal values out, `encrypted` gives them as they are stored, `plain` opens them. */
export type PersonalMode = 'mask' | 'encrypted' | 'plain';

interface ExportedRecord {
  atMs: number;
  record: AuditRecord;
  /** The whole record as JSON, personal part as asked for. */
  json: string;
}

export interface ExportPage {
  records: ExportedRecord[];
  iterator: string;
  endOfRecords: boolean;
}

interface Cursor {
  chain: string;
  recordType: RecordType;
  afterSeq: number;
  /** Time of the last record that was handed out, or where the export starts. */
  lastAtMs: number;
  fromMs?: number;
}

const PAGE_RECORDS = 200;

/** All pages of an export, one after the other; the last one says so. */
export async function* exportRecords(
  deps: ExportDeps,
  call: Call,
  request: ExportStart | ExportContinue,
  mode: PersonalMode,
): AsyncGenerator<ExportPage> {
  requireTenant(call.caller, request.gkScopeId, 'context.gk_scope_id');
  const start =
    'iterator' in request ? decodeIterator(request.iterator, request.gkScopeId) : startOf(request);
  const toMs = endOf(request, start);
  let cursor = start;
  for (;;) {
    if (call.signal.aborted) throw new AppError('CANCELLED_CLIENT', 'the export was canceled');
    const records = await deps.reader.read({
      chain: cursor.chain,
      recordType: cursor.recordType,
      afterSeq: cursor.afterSeq,
      limit: PAGE_RECORDS,
      ...(cursor.fromMs === undefined ? {} : { fromMs: cursor.fromMs }),
      ...(toMs === undefined ? {} : { toMs }),
    });
    const last = records.at(-1);
    if (last) cursor = { ...cursor, afterSeq: last.seq, lastAtMs: last.atMs };
    const exported: ExportedRecord[] = [];
    for (const record of records)
      exported.push({ atMs: record.atMs, record, json: await recordAsJson(deps.reader, record, mode) });
    const endOfRecords = records.length < PAGE_RECORDS;
    yield { records: exported, iterator: encodeIterator(cursor), endOfRecords };
    if (endOfRecords) return;
  }
}

function startOf(request: ExportStart): Cursor {
  return {
    chain: request.gkScopeId,
    recordType: request.recordType,
    afterSeq: 0,
    lastAtMs: request.fromMs ?? 0,
    ...(request.fromMs === undefined ? {} : { fromMs: request.fromMs }),
  };
}

function endOf(request: ExportStart | ExportContinue, cursor: Cursor): number | undefined {
  if (!('iterator' in request)) return request.toMs;
  return request.durationMs === undefined ? undefined : cursor.lastAtMs + request.durationMs;
}

/** Opaque to callers, but no secret: what it may read is checked again on every use. */
function encodeIterator(cursor: Cursor): string {
  return Buffer.from(
    JSON.stringify([
      1,
      cursor.chain,
      cursor.recordType,
      cursor.afterSeq,
      cursor.lastAtMs,
      cursor.fromMs ?? null,
    ]),
  ).toString('base64url');
}

function decodeIterator(iterator: string, gkScopeId: string): Cursor {
  const fault = (said: Said) =>
    invalidFields([{ field: 'export_iterator_request.iterator', violation: 'INVALID_FORMAT', ...said }]);
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(iterator, 'base64url').toString('utf8'));
  } catch {
    throw fault(say('NOT_AN_ITERATOR'));
  }
  if (!Array.isArray(parts)) throw fault(say('NOT_AN_ITERATOR'));
  const [version, chain, recordType, afterSeq, lastAtMs, fromMs] = parts as unknown[];
  const known = recordTypes.find((type) => type === recordType);
  const whole =
    version === 1 &&
    typeof chain === 'string' &&
    known &&
    Number.isSafeInteger(afterSeq) &&
    Number.isSafeInteger(lastAtMs);
  if (!whole || (fromMs !== null && !Number.isSafeInteger(fromMs))) throw fault(say('NOT_AN_ITERATOR'));
  if (chain !== gkScopeId) throw fault(say('OTHER_TENANT'));
  return {
    chain,
    recordType: known,
    afterSeq: afterSeq as number,
    lastAtMs: lastAtMs as number,
    ...(fromMs === null ? {} : { fromMs: fromMs as number }),
  };
}

/** The whole record as JSON, its personal part as asked for. */
export async function recordAsJson(
  reader: AuditReader,
  record: AuditRecord,
  mode: PersonalMode,
): Promise<string> {
  const { chain, seq, atMs, ...rest } = record;
  const personal = await personalAs(reader, record, mode);
  return JSON.stringify({ scope: chain, seq, time: new Date(atMs).toISOString(), ...rest, personal });
}

async function personalAs(reader: AuditReader, record: AuditRecord, mode: PersonalMode): Promise<unknown> {
  const { personal } = record;
  if (personal.kind === 'none') return undefined;
  if (personal.kind === 'erased') return { erased: true };
  if (mode === 'mask') return { masked: true };
  if (mode === 'encrypted') return { encrypted: Buffer.from(personal.bytes).toString('base64') };
  return (await reader.openPersonal(record)) ?? { erased: true };
}
