// Prompts: rows that are inserted, used once, and forgotten.
import type { Selectable } from 'kysely';
import type { Prompt } from '../../biometrics/model/prompts.js';
import type { PromptRepository } from '../../biometrics/ports/prompts.js';
import { optional, orNull } from '../columns.js';
import type { Db } from '../database.js';
import type { LivenessPromptsTable } from '../schema/prompts.js';

const fromRow = (row: Selectable<LivenessPromptsTable>): Prompt => ({
  promptId: row.prompt_id,
  gkScopeId: row.gk_scope_id,
  ...optional('gkSessionId', row.gk_session_id),
  ...optional('gkPersonId', row.gk_person_id),
  language: row.language,
  words: row.words,
  issuedAtMs: Number(row.issued_at),
  expiresAtMs: Number(row.expires_at),
  ...optional('usedAtMs', row.used_at === null ? null : Number(row.used_at)),
});

export function promptRepository(db: Db): PromptRepository {
  return {
    async insert(prompt, forgetBeforeMs) {
      await db
        .deleteFrom('liveness_prompts')
        .where('gk_scope_id', '=', prompt.gkScopeId)
        .where('issued_at', '<', forgetBeforeMs)
        .execute();
      await db
        .insertInto('liveness_prompts')
        .values({
          prompt_id: prompt.promptId,
          gk_scope_id: prompt.gkScopeId,
          gk_session_id: orNull(prompt.gkSessionId),
          gk_person_id: orNull(prompt.gkPersonId),
          language: prompt.language,
          words: prompt.words,
          issued_at: prompt.issuedAtMs,
          expires_at: prompt.expiresAtMs,
          used_at: orNull(prompt.usedAtMs),
        })
        .execute();
    },
    async listByWords(gkScopeId, words, limit) {
      const rows = await db
        .selectFrom('liveness_prompts')
        .selectAll()
        .where('gk_scope_id', '=', gkScopeId)
        .where('words', '=', words)
        .orderBy('issued_at', 'desc')
        .limit(limit)
        .execute();
      return rows.map(fromRow);
    },
    async use(promptId, atMs) {
      const { numUpdatedRows } = await db
        .updateTable('liveness_prompts')
        .set({ used_at: atMs })
        .where('prompt_id', '=', promptId)
        .where('used_at', 'is', null)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    async forgetPerson(gkScopeId, gkPersonId) {
      await db
        .deleteFrom('liveness_prompts')
        .where('gk_scope_id', '=', gkScopeId)
        .where('gk_person_id', '=', gkPersonId)
        .execute();
    },
  };
}
