// The checks that each recording of a session has had, by session: lists look for missing ones. The index
// covers these queries, so that no document is opened for them.
import { sql } from 'kysely';
import type { Migration } from './migration.js';

export const checksByRecording: Migration = {
  version: 54,
  name: 'checks-by-recording',
  async up(db, { dialect }) {
    const audio =
      dialect === 'postgres'
        ? `substring(document from '"gkProcessedAudioId":"([^"]*)"')`
        : `json_extract(document, '$.gkProcessedAudioId')`;
    await sql`create index factors_heard on factors
      (gk_scope_id, gk_session_id, ${sql.raw(`(coalesce(${audio}, ''))`)}, kind)
      where kind in ('AUTHENTICATION', 'FRAUD_DETECTION', 'SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK')`.execute(
      db,
    );
  },
};
