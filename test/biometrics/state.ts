// Everything a scope holds in the database, as one text per table: to show that a refused call changed nothing.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { openDatabase, type Database } from '../../src/storage/database.js';

const tables = [
  'engagements',
  'sessions',
  'factors',
  'parties',
  'collections',
  'collection_members',
  'voiceprint_profiles',
  'media_segments',
  'processed_audios',
  'call_voices',
  'configset_revisions',
  'calibration_revisions',
  'shadow_runs',
  'same_persons',
] as const;

/** A second connection to the database that a server under test uses. */
export function databaseOf(settings: Record<string, unknown>): Database {
  const url = settings['database'] as string | undefined;
  return openDatabase(
    url
      ? { kind: 'postgres', url, poolMax: 2 }
      : { kind: 'sqlite', file: join(settings['home'] as string, 'voxgate.db') },
  );
}

export async function stateOf({ db }: Database, gkScopeId: string): Promise<Record<string, string>> {
  const state: Record<string, string> = {};
  for (const table of tables) {
    const rows = await db.selectFrom(table).selectAll().where('gk_scope_id', '=', gkScopeId).execute();
    state[table] = digest(rows);
  }
  const segments = await db
    .selectFrom('enrollment_segments')
    .selectAll('enrollment_segments')
    .innerJoin(
      'voiceprint_profiles',
      'voiceprint_profiles.gk_voiceprint_profile_id',
      'enrollment_segments.gk_voiceprint_profile_id',
    )
    .where('gk_scope_id', '=', gkScopeId)
    .execute();
  state['enrollment_segments'] = digest(segments);
  // A job goes on by itself; only that there is one is the caller's doing.
  const jobs = await db.selectFrom('jobs').select('gk_job_id').where('gk_scope_id', '=', gkScopeId).execute();
  state['jobs'] = digest(jobs);
  const heads = await db.selectFrom('audit_heads').selectAll().where('scope_key', '=', gkScopeId).execute();
  state['audit'] = digest(heads);
  return state;
}

function digest(rows: readonly object[]): string {
  const texts = rows
    .map((row) => {
      // When a session was last used is no state that a caller could rely on.
      const entries = Object.entries(row).filter(([column]) => column !== 'last_activity_at');
      return JSON.stringify(entries.map(([column, value]) => [column, plain(value)]));
    })
    .sort();
  return `${rows.length} rows, ${createHash('sha256').update(texts.join('\n')).digest('hex').slice(0, 16)}`;
}

const plain = (value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
