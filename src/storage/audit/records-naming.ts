// The records of a chain that name a subject in their personal part.
import type { Db } from '../database.js';
import type { AuditRecordsTable } from '../schema/core.js';

const IDS_PER_QUERY = 500;

/** Records that name any of several subjects; each row says which subject it was found by. */
export async function rowsNaming(
  db: Db,
  chain: string,
  subjectIds: readonly string[],
  operations: readonly string[],
): Promise<(AuditRecordsTable & { subject_id: string })[]> {
  const rows = [];
  for (let first = 0; first < subjectIds.length; first += IDS_PER_QUERY) {
    const part = linkedRecords(db, chain)
      .selectAll('audit_records')
      .select('audit_subjects.subject_id')
      .where('audit_subjects.subject_id', 'in', subjectIds.slice(first, first + IDS_PER_QUERY))
      .where('audit_records.operation', 'in', [...operations]);
    rows.push(...(await part.execute()));
  }
  return rows;
}

/**
 * Callers narrow this further, also by whether the part they want is still there: a record that names a
 * second person may have been emptied when that person was erased.
 */
export const recordsNaming = (db: Db, chain: string, subjectId: string) =>
  linkedRecords(db, chain).where('audit_subjects.subject_id', '=', subjectId);

/** Oldest first, by the column of the links: by that of the records, SQLite would read the whole chain in order. */
const linkedRecords = (db: Db, chain: string) =>
  db
    .selectFrom('audit_subjects')
    .innerJoin('audit_records', (join) =>
      join
        .onRef('audit_records.scope_key', '=', 'audit_subjects.scope_key')
        .onRef('audit_records.seq', '=', 'audit_subjects.seq'),
    )
    .where('audit_subjects.scope_key', '=', chain)
    .orderBy('audit_subjects.seq');
