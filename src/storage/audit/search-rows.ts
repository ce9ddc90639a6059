// The audit records that match a search.
import { type RawBuilder, sql, type SqlBool } from 'kysely';
import { passing } from '../../audit/model.js';
import type { AuditSearch } from '../../audit/ports.js';
import { contains } from '../columns.js';
import type { Database, DialectName } from '../database.js';
import type { AuditRecordsTable } from '../schema/core.js';

/** Newest first. */
export function searchRows(database: Database, query: AuditSearch): Promise<AuditRecordsTable[]> {
  const { recordTypes, beforeSeq, fromMs, toMs, gkSessionId, gkEngagementId, text, named } = query;
  const { operations, actor, subjectId, changesOnly = false } = query;
  let rows = database.db.selectFrom('audit_records').selectAll().where('scope_key', '=', query.chain);
  if (recordTypes && recordTypes.length > 0) rows = rows.where('record_type', 'in', [...recordTypes]);
  if (operations && operations.length > 0) rows = rows.where('operation', 'in', [...operations]);
  if (changesOnly) rows = rows.where('operation', 'not in', [...passing]);
  if (actor) rows = rows.where('actor_subject', '=', actor);
  if (subjectId) rows = rows.where(contains('subject_ids', JSON.stringify(subjectId)));
  if (beforeSeq !== undefined) rows = rows.where('seq', '<', beforeSeq);
  if (fromMs !== undefined) rows = rows.where('time', '>=', fromMs);
  if (toMs !== undefined) rows = rows.where('time', '<', toMs);
  if (gkSessionId) rows = rows.where(inContext(database.dialect, 'gkSessionId', gkSessionId));
  if (gkEngagementId) rows = rows.where(inContext(database.dialect, 'gkEngagementId', gkEngagementId));
  if (text) {
    const columns = ['operation', 'actor_subject', 'context', 'subject_ids', 'detail', 'record_type'];
    const { actors = [], subjects = [] } = named ?? {};
    rows = rows.where((where) =>
      where.or([
        ...columns.map((column) => contains(column, text)),
        ...(actors.length > 0 ? [where('actor_subject', 'in', [...actors])] : []),
        ...subjects.map((subject) => contains('subject_ids', JSON.stringify(subject))),
      ]),
    );
  }
  return rows.orderBy('seq', 'desc').limit(query.limit).execute();
}

/**
 * Written exactly as in the index (migration 44). The context is canonical JSON: a member always has the same
 * spelling.
 */
function inContext(
  dialect: DialectName,
  member: 'gkSessionId' | 'gkEngagementId',
  id: string,
): RawBuilder<SqlBool> {
  const named =
    dialect === 'postgres'
      ? `substring(context from '"${member}":"([^"]*)"')`
      : `json_extract(context, '$.${member}')`;
  return sql<SqlBool>`${sql.raw(named)} = ${id}`;
}
