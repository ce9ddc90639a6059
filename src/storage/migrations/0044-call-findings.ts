// What became known about a call after it, by call: searches that found a fraudster in it, and fraudsters
// whose prints were made from it. And indexes for what a session's page reads from the audit trail and the
// factors.
import { type Kysely, sql } from 'kysely';
import type { DialectName } from '../database.js';
import type { Migration } from './migration.js';
import { createIndex, createTable } from './table.js';

export const callFindings: Migration = {
  version: 44,
  name: 'call-findings',
  async up(db, { dialect }) {
    await createTable(
      db,
      'call_findings',
      {
        gk_session_id: 'text',
        gk_fraudster_id: 'text',
        operation: 'text',
        gk_scope_id: 'text',
        gk_voiceprint_profile_id: 'text',
        gk_media_segment_id: 'text?',
        gk_job_id: 'text?',
        gk_watchlist_id: 'text?',
        made_in_session: 'text?',
        actor_subject: 'text',
        actor_issuer: 'text',
        request_id: 'text?',
        created_at: 'bigint',
      },
      3,
    );
    await createIndex(db, 'call_findings', ['gk_scope_id', 'operation']);
    await createIndex(db, 'call_findings', ['gk_fraudster_id']);
    await createIndex(db, 'call_findings', ['gk_media_segment_id']);
    await indexContexts(db, dialect);
    await sql`create index factors_alarms on factors (gk_scope_id, kind)
      where document like '%"decision":"FRAUD"%'`.execute(db);
    await noteSearches(db);
  },
};

/**
 * A context is stored in the record as text; the index is on an expression over it, so that nodes of any
 * version maintain it.
 */
async function indexContexts(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  for (const [name, member] of [
    ['audit_records_session', 'gkSessionId'],
    ['audit_records_engagement', 'gkEngagementId'],
  ] as const) {
    const expression =
      dialect === 'postgres'
        ? `substring(context from '"${member}":"([^"]*)"')`
        : `json_extract(context, '$.${member}')`;
    await sql`create index ${sql.ref(name)} on audit_records (scope_key, (${sql.raw(expression)}), seq)`.execute(
      db,
    );
  }
}

interface SearchRecord {
  scope_key: string;
  at_ms: number;
  actor_subject: string;
  actor_issuer: string;
  context: string;
  subject_ids: string;
  detail: string;
}

const RECORDS_AT_ONCE = 500;

/**
 * For existing searches: the first that found a fraudster in a call. Which recording of the call it was is
 * not known.
 */
async function noteSearches(db: Kysely<unknown>): Promise<void> {
  for (let offset = 0; ; offset += RECORDS_AT_ONCE) {
    const { rows } = await sql<SearchRecord>`
      select scope_key, time as at_ms, actor_subject, actor_issuer, context, subject_ids, detail from audit_records
      where operation = 'FindCalls' order by scope_key, seq
      limit ${sql.lit(RECORDS_AT_ONCE)} offset ${sql.lit(offset)}`.execute(db);
    for (const row of rows) await noteSearch(db, row);
    if (rows.length < RECORDS_AT_ONCE) return;
  }
}

async function noteSearch(db: Kysely<unknown>, row: SearchRecord): Promise<void> {
  const [print, fraudster] = JSON.parse(row.subject_ids) as string[];
  const { sessions = [], gkJobId = null } = JSON.parse(row.detail) as {
    sessions?: string[];
    gkJobId?: string;
  };
  const { requestId = null } = JSON.parse(row.context) as { requestId?: string };
  if (!print || !fraudster) return;
  for (const session of sessions)
    await sql`insert into call_findings (gk_session_id, gk_fraudster_id, operation, gk_scope_id,
        gk_voiceprint_profile_id, gk_job_id, actor_subject, actor_issuer, request_id, created_at)
      select gk_session_id, ${fraudster}, 'FindCalls', gk_scope_id, ${print}, ${gkJobId},
        ${row.actor_subject}, ${row.actor_issuer}, ${requestId}, ${row.at_ms}
      from sessions where gk_session_id = ${session} and gk_scope_id = ${row.scope_key}
        and document not like '%"isErased":true%'
      on conflict do nothing`.execute(db);
}
