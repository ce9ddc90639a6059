// The audit trail in the database: appends inside the transaction of the change, and reads for export and
// verification. Records are only ever inserted; erasure empties the sealed personal bytes and nothing else, and
// retention removes the oldest ones, never one from the middle.
import {
  bytesDigest,
  canonicalJson,
  CUT_OPERATION,
  genesisHash,
  recordHash,
  type Cut,
} from '../../audit/chain.js';
import {
  systemActor,
  type AuditEntry,
  type AuditRecord,
  type JsonObject,
  type PersonalPart,
  type RecordType,
  auditDetail,
} from '../../audit/model.js';
import type {
  AuditAppender,
  AuditQuery,
  AuditReader,
  ChainHead,
  ChainedRecord,
  PersonalSaid,
} from '../../audit/ports.js';
import type { Clock } from '../../platform.js';
import { fromJson } from '../columns.js';
import type { Database, Db, Tx } from '../database.js';
import { noteChange } from '../atomic-call.js';
import { doLast } from '../last-steps.js';
import type { AuditRecordsTable } from '../schema/core.js';
import { type Keyring, placeOf } from '../sealing/keyring.js';
import { StorageError } from '../storage-error.js';
import { recordsNaming, rowsNaming } from './records-naming.js';
import { searchRows } from './search-rows.js';

interface AuditLogDeps {
  database: Database;
  keyring: Keyring;
  clock: Clock;
}

export interface AuditLog extends AuditReader {
  /** For adapters: the appender that belongs to their transaction. */
  within(tx: Tx): AuditAppender;
  /**
   * Like `within`, but written after everything else: for transactions that lock rows which other
   * transactions lock before they append.
   */
  atEndOf(tx: Tx): AuditAppender;
  /** Destroys the personal part of every record that names the subject; returns how many had one. */
  erasePersonal(tx: Tx, chain: string, subjectId: string): Promise<number>;
  /**
   * The personal parts of records of these operations that name the subject, oldest first, without those that
   * can no longer be opened.
   */
  personalOf(tx: Tx, chain: string, subjectId: string, operations: readonly string[]): Promise<PersonalOf[]>;
  /** Removes records from before a time, at most `limit`, and notes that in the chain; returns how many. */
  cut(chain: string, beforeMs: number, limit: number): Promise<number>;
}

interface PersonalOf {
  operation: string;
  atMs: number;
  personal: Record<string, unknown>;
}

export function auditLog(deps: AuditLogDeps): AuditLog {
  return {
    within: (tx) => ({ append: (entry) => append(deps, tx, entry) }),
    atEndOf: (tx) => ({
      append: (entry) => {
        noteChange(tx);
        return doLast(tx, {
          lock: 'AUDIT_HEAD',
          key: entry.chain,
          work: () => append(deps, tx, entry),
        });
      },
    }),
    erasePersonal,
    personalOf: (tx, chain, subjectId, operations) => personalOf(deps, tx, { chain, subjectId, operations }),
    cut: (chain, before, limit) => cut(deps, chain, before, limit),
    chains: () => chains(deps.database),
    head: (chain) => head(deps.database, chain),
    read: (query) => read(deps.database, query),
    search: async (query) => (await searchRows(deps.database, query)).map(toChained),
    readChained: (chain, afterSeq, limit) => readChained(deps.database, chain, afterSeq, limit),
    openPersonal: (record) => openPersonal(deps, record),
    personalAbout: async (chain, subjectIds, operations) => {
      const { db } = deps.database;
      const found: PersonalSaid[] = [];
      for (const { subject_id: subjectId, ...row } of await rowsNaming(db, chain, subjectIds, operations)) {
        const record = toRecord(row);
        const personal = await openPersonal(deps, record);
        if (personal) found.push({ subjectId, subjectIds: record.subjectIds, personal });
      }
      return found;
    },
  };
}

async function append(deps: AuditLogDeps, tx: Tx, entry: AuditEntry): Promise<void> {
  noteChange(tx);
  const before = await lockHead(tx, entry.chain);
  const seq = before.seq + 1;
  const atMs = deps.clock.now();
  const context = canonicalJson({ ...entry.context, requestId: entry.requestId });
  const subjects = [...new Set(entry.subjectIds ?? [])];
  const subjectIds = canonicalJson(subjects);
  const detail = canonicalJson(entry.detail ?? {});
  const personal =
    entry.personal === undefined ? null : await sealPersonal(deps, tx, entry.chain, seq, entry.personal);
  const personalDigest = personal === null ? null : bytesDigest(personal);
  const hash = recordHash(before.hash, {
    chain: entry.chain,
    seq,
    atMs,
    recordType: entry.recordType,
    operation: entry.operation,
    actor: entry.actor,
    context,
    subjectIds,
    detail,
    personalDigest,
  });
  await tx
    .insertInto('audit_records')
    .values({
      scope_key: entry.chain,
      seq,
      time: atMs,
      record_type: entry.recordType,
      operation: entry.operation,
      actor_subject: entry.actor.subject,
      actor_issuer: entry.actor.issuer,
      context,
      subject_ids: subjectIds,
      detail,
      personal,
      personal_digest: personalDigest,
      prev_hash: before.hash,
      hash,
    })
    .execute();
  if (personal !== null && subjects.length > 0) {
    const links = subjects.map((subjectId) => ({ scope_key: entry.chain, subject_id: subjectId, seq }));
    await tx.insertInto('audit_subjects').values(links).execute();
  }
  await tx.updateTable('audit_heads').set({ seq, hash }).where('scope_key', '=', entry.chain).execute();
}

/** Locks the head, so that appends to one chain wait for each other until the transaction ends. */
async function lockHead(tx: Tx, chain: string): Promise<ChainHead> {
  const find = () =>
    tx
      .selectFrom('audit_heads')
      .select(['seq', 'hash'])
      .where('scope_key', '=', chain)
      .forUpdate()
      .executeTakeFirst();
  const known = await find();
  if (known) return known;
  await tx
    .insertInto('audit_heads')
    .values({ scope_key: chain, seq: 0, hash: genesisHash(chain) })
    .onConflict((c) => c.doNothing())
    .execute();
  const made = await find();
  if (!made) throw new StorageError('MISUSE', `audit chain ${chain} has no head`);
  return made;
}

function placeOfPersonal(chain: string, seq: number): string {
  return placeOf('audit_records', 'personal', `${chain}/${seq}`);
}

async function sealPersonal(
  deps: AuditLogDeps,
  tx: Tx,
  chain: string,
  seq: number,
  personal: JsonObject,
): Promise<Uint8Array> {
  const sealer = await deps.keyring.forTenant(tx, chain);
  return sealer.seal(Buffer.from(canonicalJson(personal), 'utf8'), placeOfPersonal(chain, seq));
}

async function openPersonal(
  deps: AuditLogDeps,
  record: AuditRecord,
  db: Db = deps.database.db,
): Promise<Record<string, unknown> | undefined> {
  if (record.personal.kind !== 'sealed') return undefined;
  const sealer = await deps.keyring.forTenant(db, record.chain);
  try {
    const plain = sealer.open(record.personal.bytes, placeOfPersonal(record.chain, record.seq));
    return fromJson<Record<string, unknown>>(Buffer.from(plain).toString('utf8'));
  } catch (error) {
    if (error instanceof StorageError && error.fault === 'KEY_DESTROYED') return undefined;
    throw error;
  }
}

async function personalOf(
  deps: AuditLogDeps,
  tx: Tx,
  { chain, subjectId, operations }: { chain: string; subjectId: string; operations: readonly string[] },
): Promise<PersonalOf[]> {
  const rows = await recordsNaming(tx, chain, subjectId)
    .selectAll('audit_records')
    .where('audit_records.operation', 'in', [...operations])
    .execute();
  const found: PersonalOf[] = [];
  for (const record of rows.map(toRecord)) {
    const personal = await openPersonal(deps, record, tx);
    if (personal) found.push({ operation: record.operation, atMs: record.atMs, personal });
  }
  return found;
}

async function erasePersonal(tx: Tx, chain: string, subjectId: string): Promise<number> {
  const named = tx
    .selectFrom('audit_subjects')
    .select('seq')
    .where('scope_key', '=', chain)
    .where('subject_id', '=', subjectId);
  const result = await tx
    .updateTable('audit_records')
    .set({ personal: null })
    .where('scope_key', '=', chain)
    .where('seq', 'in', named)
    .where('personal', 'is not', null)
    .executeTakeFirst();
  await tx
    .deleteFrom('audit_subjects')
    .where('scope_key', '=', chain)
    .where('subject_id', '=', subjectId)
    .execute();
  return Number(result.numUpdatedRows);
}

async function cut(deps: AuditLogDeps, chain: string, beforeMs: number, limit: number): Promise<number> {
  return deps.database.transaction(async (tx) => {
    // Held until the end: another node may want to cut the same records.
    const head = await lockHead(tx, chain);
    const old = await tx
      .selectFrom('audit_records')
      .select(['seq', 'hash', 'time'])
      .where('scope_key', '=', chain)
      .orderBy('seq')
      .limit(limit)
      .execute();
    // Up to the first record that is young enough, even if clocks went backwards after it.
    const young = old.findIndex(({ time }) => time >= beforeMs);
    const expired = young < 0 ? old : old.slice(0, young);
    const last = expired.at(-1);
    // The head's own record stays, so that the next record always has one to link to.
    if (!last || last.seq >= head.seq) return 0;
    for (const table of ['audit_records', 'audit_subjects'] as const)
      await tx.deleteFrom(table).where('scope_key', '=', chain).where('seq', '<=', last.seq).execute();
    const detail = { lastSeq: last.seq, lastHash: last.hash } satisfies Cut;
    await append(deps, tx, {
      chain,
      recordType: 'SCOPE_EVENT',
      operation: CUT_OPERATION,
      actor: systemActor,
      context: {},
      detail: auditDetail({ ...detail, records: expired.length, before: new Date(beforeMs).toISOString() }),
    });
    return expired.length;
  });
}

async function chains(database: Database): Promise<string[]> {
  const rows = await database.db.selectFrom('audit_heads').select('scope_key').execute();
  return rows.map((row) => row.scope_key).sort();
}

function head(database: Database, chain: string): Promise<ChainHead | undefined> {
  return database.db
    .selectFrom('audit_heads')
    .select(['seq', 'hash'])
    .where('scope_key', '=', chain)
    .executeTakeFirst();
}

async function read(database: Database, query: AuditQuery): Promise<AuditRecord[]> {
  let rows = database.db
    .selectFrom('audit_records')
    .selectAll()
    .where('scope_key', '=', query.chain)
    .where('seq', '>', query.afterSeq);
  if (query.recordType !== undefined) rows = rows.where('record_type', '=', query.recordType);
  if (query.fromMs !== undefined) rows = rows.where('time', '>=', query.fromMs);
  if (query.toMs !== undefined) rows = rows.where('time', '<=', query.toMs);
  return (await rows.orderBy('seq').limit(query.limit).execute()).map(toRecord);
}

async function readChained(
  database: Database,
  chain: string,
  afterSeq: number,
  limit: number,
): Promise<ChainedRecord[]> {
  const rows = await database.db
    .selectFrom('audit_records')
    .selectAll()
    .where('scope_key', '=', chain)
    .where('seq', '>', afterSeq)
    .orderBy('seq')
    .limit(limit)
    .execute();
  return rows.map(toChained);
}

function toChained(row: AuditRecordsTable): ChainedRecord {
  return {
    record: toRecord(row),
    prevHash: row.prev_hash,
    hash: row.hash,
    computedHash: hashOfRow(row),
  };
}

function hashOfRow(row: AuditRecordsTable): string {
  if (row.personal !== null && bytesDigest(row.personal) !== row.personal_digest)
    return 'personal part changed';
  return recordHash(row.prev_hash, {
    chain: row.scope_key,
    seq: row.seq,
    atMs: row.time,
    recordType: row.record_type,
    operation: row.operation,
    actor: { subject: row.actor_subject, issuer: row.actor_issuer },
    context: row.context,
    subjectIds: row.subject_ids,
    detail: row.detail,
    personalDigest: row.personal_digest,
  });
}

function toRecord(row: AuditRecordsTable): AuditRecord {
  return {
    chain: row.scope_key,
    seq: row.seq,
    atMs: row.time,
    recordType: row.record_type as RecordType,
    operation: row.operation,
    actor: { subject: row.actor_subject, issuer: row.actor_issuer },
    context: fromJson(row.context),
    subjectIds: fromJson(row.subject_ids),
    detail: fromJson(row.detail),
    personal: personalPart(row),
  };
}

function personalPart(row: AuditRecordsTable): PersonalPart {
  if (row.personal_digest === null) return { kind: 'none' };
  if (row.personal === null) return { kind: 'erased', digest: row.personal_digest };
  return { kind: 'sealed', bytes: row.personal, digest: row.personal_digest };
}

/** When the newest record of any chain was written; undefined where there is none. */
export async function newestAuditAtMs({ db }: Database): Promise<number | undefined> {
  const newest = await db
    .selectFrom('audit_records')
    .select((select) => select.fn.max<number | null>('time').as('time'))
    .executeTakeFirst();
  return newest?.time ?? undefined;
}
