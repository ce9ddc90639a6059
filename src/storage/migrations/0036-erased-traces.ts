// Lets erasure find what it missed: recordings sent for a deleted print, the other sessions of an engagement,
// scores that name a print or a recording, running calls, and details about a person in the audit trail of
// sessions.
import { type Kysely, sql } from 'kysely';
import type { DialectName } from '../database.js';
import type { Migration } from './migration.js';
import { createIndex, createTable } from './table.js';

/** An engagement with more recordings is not about one person. */
const ENGAGEMENT_RECORDINGS_MAX = 100;

export const erasedTraces: Migration = {
  version: 36,
  name: 'erased-traces',
  async up(db, { dialect }) {
    await createTable(db, 'former_prints', {
      gk_voiceprint_profile_id: 'text',
      gk_scope_id: 'text',
      gk_person_id: 'text',
    });
    await createIndex(db, 'former_prints', ['gk_person_id']);
    await createIndex(db, 'media_segments', ['gk_engagement_id']);
    await db.schema.alterTable('live_outcomes').addColumn('gk_session_id', 'text').execute();
    await createIndex(db, 'live_outcomes', ['gk_session_id']);
    await indexFactors(db, dialect);
    await tieEngagements(db);
    await nameSessions(db, dialect);
    await dropSpeechWithoutPrint(db);
  },
};

/**
 * The IDs that a factor names are in its document; the index is on an expression over it, so that nodes of
 * any version maintain it.
 */
async function indexFactors(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  for (const [name, member] of [
    ['factors_print', 'gkVoiceprintProfileId'],
    ['factors_audio', 'gkProcessedAudioId'],
  ] as const) {
    const expression =
      dialect === 'postgres'
        ? `substring(document from '"${member}":"([^"]*)"')`
        : `json_extract(document, '$.${member}')`;
    await sql`create index ${sql.ref(name)} on factors (${sql.raw(expression)})`.execute(db);
  }
}

/**
 * A person recognized, enrolled or claimed in one session of an engagement is also tied to its other
 * sessions.
 */
async function tieEngagements(db: Kysely<unknown>): Promise<void> {
  const few = sql`select gk_engagement_id from media_segments group by gk_engagement_id
    having count(*) <= ${sql.lit(ENGAGEMENT_RECORDINGS_MAX)}`;
  await sql`insert into voice_ties (gk_person_id, gk_media_segment_id, gk_scope_id, by_session)
    select distinct t.gk_person_id, other.gk_media_segment_id, t.gk_scope_id, 1
    from voice_ties t
    join media_segments heard on heard.gk_media_segment_id = t.gk_media_segment_id
    join media_segments other on other.gk_engagement_id = heard.gk_engagement_id
    where t.is_speaker = 1 and heard.gk_engagement_id in (${few}) on conflict do nothing`.execute(db);
  await sql`insert into voice_ties (gk_person_id, gk_media_segment_id, gk_scope_id, by_session)
    select distinct s.claimed_gk_person_id, m.gk_media_segment_id, m.gk_scope_id, 1
    from sessions s
    join media_segments m on m.gk_engagement_id = s.gk_engagement_id
    where s.claimed_gk_person_id is not null and m.gk_engagement_id in (${few}) on conflict do nothing`.execute(
    db,
  );
}

/** Makes records whose personal part is about a session or an engagement findable by it. */
async function nameSessions(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  for (const [operation, member] of [
    ['StartSession', 'gkSessionId'],
    ['SetEngagementVerdict', 'gkEngagementId'],
  ] as const) {
    const subject =
      dialect === 'postgres'
        ? sql`(context::json ->> ${sql.lit(member)})`
        : sql`json_extract(context, ${sql.lit(`$.${member}`)})`;
    await sql`insert into audit_subjects (scope_key, subject_id, seq)
      select scope_key, ${subject}, seq from audit_records
      where operation = ${sql.lit(operation)} and personal is not null and ${subject} is not null
      on conflict do nothing`.execute(db);
  }
}

/**
 * Enrolled speech of calls stayed when its print was deleted: it has no recording whose retention would
 * remove it.
 */
async function dropSpeechWithoutPrint(db: Kysely<unknown>): Promise<void> {
  for (const table of ['call_voices', 'processed_audios'])
    await sql`delete from ${sql.table(table)} where not exists (
        select 1 from media_segments m where m.gk_media_segment_id = ${sql.ref(`${table}.gk_media_segment_id`)})
      and not exists (
        select 1 from enrollment_segments e where e.gk_media_segment_id = ${sql.ref(`${table}.gk_media_segment_id`)})`.execute(
      db,
    );
}
