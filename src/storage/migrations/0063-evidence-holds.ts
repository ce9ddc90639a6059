// Evidence holds on persons and recordings, with their reason, their end and who placed them.
import { sql } from 'kysely';
import type { Migration } from './migration.js';

const tableOf = (bytes: string): readonly string[] => [
  `create table evidence_holds (
    gk_hold_id text not null constraint evidence_holds_pk primary key, gk_scope_id text not null,
    gk_person_id text, gk_media_segment_id text, reason ${bytes} not null, actor_subject text not null,
    actor_issuer text not null, placed_at bigint not null, ends_at bigint
  )`,
  'create index evidence_holds_gk_scope_id_placed_at on evidence_holds (gk_scope_id, placed_at)',
  'create index evidence_holds_gk_person_id on evidence_holds (gk_person_id)',
  'create index evidence_holds_gk_media_segment_id on evidence_holds (gk_media_segment_id)',
];

export const evidenceHolds: Migration = {
  version: 63,
  name: 'evidence-holds',
  async up(db, { bytes }) {
    for (const statement of tableOf(bytes)) await sql.raw(statement).execute(db);
  },
};
