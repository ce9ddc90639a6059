// Prompts that callers are asked to repeat.
import { sql } from 'kysely';
import type { Migration } from './migration.js';

const statements = [
  `create table liveness_prompts (
    prompt_id text not null constraint liveness_prompts_pk primary key, gk_scope_id text not null,
    gk_session_id text, gk_person_id text, language text not null, words text not null,
    issued_at bigint not null, expires_at bigint not null, used_at bigint
  )`,
  'create index liveness_prompts_words on liveness_prompts (gk_scope_id, words, issued_at)',
  'create index liveness_prompts_issued_at on liveness_prompts (gk_scope_id, issued_at)',
  'create index liveness_prompts_gk_person_id on liveness_prompts (gk_person_id)',
] as const;

export const livenessPrompts: Migration = {
  version: 68,
  name: 'liveness-prompts',
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
