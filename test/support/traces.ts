// Looks for words in everything that an installation keeps: every column of every table there is, sealed ones opened, and every blob.
// Tables and columns come from the database itself, so that a new one is looked through without anybody thinking of it.
import { sql } from 'kysely';
import { tableNames } from '../../src/storage/backup/snapshot.js';
import type { Storage } from '../../src/storage/open-storage.js';
import { placeOf, SYSTEM_TENANT_KEY, type TenantSealer } from '../../src/storage/sealing/keyring.js';

type Row = Record<string, unknown>;

/** Where bare IDs stay: evidence that leads to nobody, and what is needed to know whom a late recording belongs to. */
const bareIds = new Set([
  'audit_records.context',
  'audit_records.detail',
  'audit_records.subject_ids',
  'audit_subjects.subject_id',
  // Calls that named them afterwards, until the engagement is over.
  'asked_persons.gk_person_id',
  'erased_persons.gk_person_id',
  'former_prints.gk_person_id',
  'former_prints.gk_voiceprint_profile_id',
  // What a call is for that is prepared, or ended a few minutes ago.
  'live_calls.sealed',
  'live_calls.asked',
  'jobs.document',
  'jobs.gk_job_id',
  'print_changes.gk_id',
  'print_changes.member_gk_id',
]);

export const isBareId = (found: string): boolean => bareIds.has(found.split(':')[0] ?? '');

export interface Traces {
  /** `table.column: word`, or `blob: word`. */
  found: string[];
  /** Columns with bytes that are not sealed for their place under the keys of the tenant or of the system. */
  unread: string[];
}

export async function tracesOf(
  { database, keyring, blobs }: Pick<Storage, 'database' | 'keyring' | 'blobs'>,
  tenantId: string,
  words: readonly string[],
): Promise<Traces> {
  const found = new Set<string>();
  const unread = new Set<string>();
  const look = (where: string, text: string): void => {
    for (const word of words) if (text.includes(word)) found.add(`${where}: ${word}`);
  };
  const sealers = [
    await keyring.forTenant(database.db, tenantId),
    await keyring.forTenant(database.db, SYSTEM_TENANT_KEY),
  ];
  const openers: Openers = new Map();
  for (const table of await tableNames(database)) {
    const { rows } = await sql<Row>`select * from ${sql.table(table)}`.execute(database.db);
    for (const row of rows)
      for (const [column, value] of Object.entries(row)) {
        const where = `${table}.${column}`;
        if (typeof value === 'string') look(where, value);
        if (!(value instanceof Uint8Array) || value.length === 0) continue;
        const opened = openedAt(openers, sealers, { table, column, row }, value);
        if (opened) look(where, Buffer.from(opened).toString('latin1'));
        else unread.add(where);
      }
  }
  for await (const blobId of blobs.list(tenantId)) {
    const pieces: Uint8Array[] = [];
    for await (const piece of blobs.read({ tenantKey: tenantId, blobId })) pieces.push(piece);
    look('blob', `${blobId} ${Buffer.concat(pieces).toString('latin1')}`);
  }
  return { found: [...found].sort(), unread: [...unread].sort() };
}

type Opener = (row: Row, value: Uint8Array) => Uint8Array;
/** What has opened a column, for the rows that follow. */
type Openers = Map<string, Opener>;

/** A sealed value names its row; which columns that name is made of is tried out, what opened the row before first. */
function openedAt(
  openers: Openers,
  sealers: readonly TenantSealer[],
  place: { table: string; column: string; row: Row },
  value: Uint8Array,
): Uint8Array | undefined {
  const { table, column, row } = place;
  const key = `${table}.${column}`;
  const before = openers.get(key);
  // One after another: nearly always the first one opens it, and making the others would take most of the time.
  const candidates = function* (): Generator<Opener> {
    if (before) yield before;
    const names = Object.keys(row).filter(
      (name) => typeof row[name] === 'string' || typeof row[name] === 'number',
    );
    const pairs = [...names.map((name) => [name]), ...names.flatMap((a) => names.map((b) => [a, b]))];
    for (const sealer of sealers)
      for (const pair of pairs)
        yield (at, sealed) =>
          sealer.open(sealed, placeOf(table, column, pair.map((name) => String(at[name])).join('/')));
  };
  for (const open of candidates())
    try {
      const opened = open(row, value);
      openers.set(key, open);
      return opened;
    } catch {
      continue;
    }
  return undefined;
}
