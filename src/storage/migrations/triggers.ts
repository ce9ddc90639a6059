// What the database does itself. When 0.2.0 writes beside this program, it fills the columns of checks from their documents and makes the sessions
// unassessed, in the same transaction; this program assesses the sessions that it writes before it commits, and so takes them out again. These
// triggers are to be dropped when nobody runs 0.2.0 any more. What deleted sessions mean goes with them, whoever deletes them.
import type { DialectName } from '../database.js';

interface Trigger {
  name: string;
  event: string;
  when?: string;
  statements: readonly string[];
}

const columns = {
  decision: 'decision',
  operation: 'operation',
  gk_voiceprint_profile_id: 'gkVoiceprintProfileId',
  gk_processed_audio_id: 'gkProcessedAudioId',
} as const;

const memberOf = (dialect: DialectName, document: string, name: string): string =>
  dialect === 'postgres' ? `${document}::json ->> '${name}'` : `json_extract(${document}, '$.${name}')`;

/** All rows, or those that match. */
export const fillFactorColumns = (dialect: DialectName, where = ''): string =>
  `update factors set ${Object.entries(columns)
    .map(([column, name]) => `${column} = ${memberOf(dialect, 'document', name)}`)
    .join(', ')} ${where}`;

/** A session that is being assessed at this moment is assessed again: whoever assesses it takes it out first, and waits. */
export const unassess = (sessions: string): string =>
  `insert into unassessed_sessions (gk_session_id, gk_scope_id, created_at)
    select gk_session_id, gk_scope_id, created_at from sessions where ${sessions} order by gk_session_id
    on conflict (gk_session_id) do update set created_at = excluded.created_at`;

const OF_SESSION = 'gk_session_id = new.gk_session_id';
const OF_ENGAGEMENT = 'gk_engagement_id = new.gk_engagement_id';

function triggersIn(dialect: DialectName): Trigger[] {
  const differs = Object.entries(columns)
    .map(([column, name]) => `new.${column} is distinct from (${memberOf(dialect, 'new.document', name)})`)
    .join(' or ');
  const fill = [fillFactorColumns(dialect, 'where factor_id = new.factor_id'), unassess(OF_ENGAGEMENT)];
  const outcome = (row: string) => `(${memberOf(dialect, `${row}.document`, 'verdict')})`;
  return [
    { name: 'factors_of_older', event: 'insert on factors', when: 'new.decision is null', statements: fill },
    {
      name: 'factors_changed_by_older',
      event: 'update of document on factors',
      when: differs,
      statements: fill,
    },
    { name: 'sessions_started', event: 'insert on sessions', statements: [unassess(OF_SESSION)] },
    {
      name: 'sessions_changed',
      event: 'update of modified_at, cut_off_at on sessions',
      statements: [unassess(OF_SESSION)],
    },
    {
      name: 'sessions_deleted',
      event: 'delete on sessions',
      statements: ['session_assessments', 'session_caveats', 'unassessed_sessions'].map(
        (table) => `delete from ${table} where gk_session_id = old.gk_session_id`,
      ),
    },
    { name: 'sessions_found', event: 'insert on call_findings', statements: [unassess(OF_SESSION)] },
    {
      name: 'engagements_judged',
      event: 'update of document on engagements',
      when: `${outcome('new')} is distinct from ${outcome('old')}`,
      statements: [unassess(OF_ENGAGEMENT)],
    },
  ];
}

export const createTriggers = (dialect: DialectName): string[] =>
  triggersIn(dialect).flatMap(({ name, event, when, statements }) => {
    const head = `create trigger ${name} after ${event} for each row ${when === undefined ? '' : `when (${when})`}`;
    const body = statements.map((statement) => `${statement};`).join('\n');
    if (dialect === 'sqlite') return `${head} begin ${body} end`;
    // A restore that was interrupted leaves functions when it drops the tables.
    return [
      `create or replace function ${name}() returns trigger language plpgsql as $$ begin ${body} return null; end $$`,
      `${head} execute function ${name}()`,
    ];
  });
