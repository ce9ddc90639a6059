// Pages of sessions with a given mark, read along the index of marks, which has them in order of time.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { StoredName } from '../../biometrics/ports/marks.js';
import type { Page } from '../../biometrics/ports/page.js';
import type { SessionFilter } from '../../biometrics/ports/sessions.js';
import { flag } from '../columns.js';
import type { Db } from '../database.js';
import type { SessionsTable } from '../schema/biometrics.js';
import { hasMark } from './marks.js';
import { readPage } from './page.js';

interface Sought {
  gkScopeId: string;
  /** Sessions must have all of these. */
  marks: readonly StoredName[];
  filter: SessionFilter;
}

export function listMarked(
  db: Db,
  { gkScopeId, marks: [first = 'UNCHECKED', ...others], filter }: Sought,
  page: Page,
): Promise<{ rows: SessionsTable[]; next?: string }> {
  let query = db
    .selectFrom('session_marks')
    .innerJoin('sessions', 'sessions.gk_session_id', 'session_marks.gk_session_id')
    .selectAll('sessions')
    .where('session_marks.gk_scope_id', '=', gkScopeId)
    .where('session_marks.mark', '=', first);
  for (const mark of others) query = query.where(hasMark('sessions.gk_session_id', mark));
  for (const condition of conditionsOf(filter, 'session_marks')) query = query.where(condition);
  return readPage(query, 'gk_session_id', page, 'session_marks');
}

/** `times` is the table whose `created_at` orders the page. */
export function conditionsOf(
  { active, types = [], fromMs, toMs }: SessionFilter,
  times: 'sessions' | 'session_marks',
): RawBuilder<SqlBool>[] {
  const created = sql.ref(`${times}.created_at`);
  return [
    ...(active === undefined ? [] : [sql<SqlBool>`sessions.is_active = ${flag(active)}`]),
    ...(types.length === 0 ? [] : [sql<SqlBool>`sessions.session_type in (${sql.join([...types])})`]),
    ...(fromMs === undefined ? [] : [sql<SqlBool>`${created} >= ${fromMs}`]),
    ...(toMs === undefined ? [] : [sql<SqlBool>`${created} < ${toMs}`]),
  ];
}
