// The records of a chain that name a subject in their personal part.
import type { Db } from '../database.js';

/** To be narrowed further, and by what is wanted of them: one that names another person too may have been emptied with them. */
export const recordsNaming = (db: Db, chain: string, subjectId: string) =>
  db
    .selectFrom('audit_subjects')
    .innerJoin('audit_records', (join) =>
      join
        .onRef('audit_records.scope_key', '=', 'audit_subjects.scope_key')
        .onRef('audit_records.seq', '=', 'audit_subjects.seq'),
    )
    .where('audit_subjects.scope_key', '=', chain)
    .where('audit_subjects.subject_id', '=', subjectId);
