// What erasure needs beyond the repositories: whose print a recording also serves, what sessions tell about a person,
// and what is left afterwards, asked of the tables themselves.
import { sql } from 'kysely';
import type { ErasureRepository } from '../../biometrics/ports/jobs.js';
import { emptyDetails } from '../../biometrics/sessions/start-session.js';
import type { Db } from '../database.js';
import type { Keyring } from '../sealing/keyring.js';
import { sealJson } from '../sealing/sealed-json.js';
import { outdatedBlocks } from './voice-blocks.js';

const IDS_PER_QUERY = 500;

export function erasureRepository(db: Db, keyring: Keyring): ErasureRepository {
  return {
    hasTraces: (gkScopeId, gkPersonId) => hasTraces(db, gkScopeId, gkPersonId),
    async noteErased(gkScopeId, gkPersonId, atMs) {
      await db
        .insertInto('erased_persons')
        .values({ gk_person_id: gkPersonId, gk_scope_id: gkScopeId, erased_at: atMs })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
    async isErased(gkPersonId) {
      const row = await db
        .selectFrom('erased_persons')
        .select('gk_person_id')
        .where('gk_person_id', '=', gkPersonId)
        .executeTakeFirst();
      return row !== undefined;
    },
    async erasedWithRecordings(limit) {
      const rows = await db
        .selectFrom('erased_persons')
        .innerJoin('voice_ties', 'voice_ties.gk_person_id', 'erased_persons.gk_person_id')
        .select(['erased_persons.gk_scope_id', 'erased_persons.gk_person_id'])
        .distinct()
        .where('voice_ties.is_kept', '=', 0)
        .limit(limit)
        .execute();
      return rows.map((row) => ({ gkScopeId: row.gk_scope_id, gkPersonId: row.gk_person_id }));
    },
    async servesOthers(gkMediaSegmentId, gkPersonId) {
      if (await isKnownOfOthers(db, gkMediaSegmentId, gkPersonId)) return true;
      const row = await db
        .selectFrom('enrollment_segments')
        .innerJoin(
          'voiceprint_profiles',
          'voiceprint_profiles.gk_voiceprint_profile_id',
          'enrollment_segments.gk_voiceprint_profile_id',
        )
        .select('voiceprint_profiles.gk_owner_id')
        .where('enrollment_segments.gk_media_segment_id', '=', gkMediaSegmentId)
        .where('voiceprint_profiles.gk_owner_id', '!=', gkPersonId)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },
    async forgetInSessions(gkScopeId, gkPersonId, keptEngagements, atMs) {
      const rows = await db
        .selectFrom('sessions')
        .select(['gk_session_id', 'gk_engagement_id'])
        .where('claimed_gk_person_id', '=', gkPersonId)
        .forUpdate()
        .execute();
      const claimed = rows.filter((row) => !keptEngagements.has(row.gk_engagement_id));
      if (claimed.length === 0) return 0;
      const sealer = await keyring.forTenant(db, gkScopeId);
      for (const { gk_session_id } of claimed)
        await db
          .updateTable('sessions')
          .set({
            claimed_gk_person_id: null,
            details: sealJson(sealer, `sessions/details/${gk_session_id}`, emptyDetails),
            // What nodes hold of it in memory follows what was modified.
            modified_at: atMs,
          })
          .where('gk_session_id', '=', gk_session_id)
          .execute();
      return claimed.length;
    },
    async untie(gkPersonId, keptMedia) {
      const rows = await db
        .selectFrom('voice_ties')
        .select('gk_media_segment_id')
        .where('gk_person_id', '=', gkPersonId)
        .execute();
      for (const { gk_media_segment_id } of rows) {
        if (keptMedia.has(gk_media_segment_id))
          await db
            .updateTable('voice_ties')
            .set({ is_kept: 1 })
            .where('gk_person_id', '=', gkPersonId)
            .where('gk_media_segment_id', '=', gk_media_segment_id)
            .execute();
        else
          await db
            .deleteFrom('voice_ties')
            .where('gk_person_id', '=', gkPersonId)
            .where('gk_media_segment_id', '=', gk_media_segment_id)
            .execute();
      }
    },
    async reconsider(gkScopeId, kept) {
      const ties = db
        .updateTable('voice_ties')
        .set({ is_kept: 0 })
        .where('gk_scope_id', '=', gkScopeId)
        .where('is_kept', '=', 1);
      const recordings = db.selectFrom('media_segments').select('gk_media_segment_id');
      await (
        'gkMediaSegmentId' in kept
          ? ties.where('gk_media_segment_id', '=', kept.gkMediaSegmentId)
          : ties.where(
              'gk_media_segment_id',
              'in',
              recordings.where('gk_engagement_id', '=', kept.gkEngagementId),
            )
      ).execute();
    },
    async remains(gkScopeId, gkPersonId, gkMediaSegmentIds) {
      const counted = (query: { executeTakeFirstOrThrow(): Promise<{ count: number | string }> }) =>
        query.executeTakeFirstOrThrow().then(({ count }) => Number(count));
      const rows = sql<number>`count(*)`.as('count');
      let left = await counted(db.selectFrom('parties').select(rows).where('gk_id', '=', gkPersonId));
      left += await counted(
        db.selectFrom('voiceprint_profiles').select(rows).where('gk_owner_id', '=', gkPersonId),
      );
      left += await counted(
        db.selectFrom('collection_members').select(rows).where('member_gk_id', '=', gkPersonId),
      );
      for (let at = 0; at < gkMediaSegmentIds.length; at += IDS_PER_QUERY) {
        const ids = gkMediaSegmentIds.slice(at, at + IDS_PER_QUERY);
        for (const table of [
          'media_segments',
          'processed_audios',
          'call_voices',
          'enrollment_segments',
          'voice_ties',
        ] as const)
          left += await counted(db.selectFrom(table).select(rows).where('gk_media_segment_id', 'in', ids));
      }
      // A block that holds more voices than there are still holds somebody's who is gone.
      left += (await outdatedBlocks(db, gkScopeId)).length;
      return left;
    },
  };
}

async function hasTraces(db: Db, gkScopeId: string, gkPersonId: string): Promise<boolean> {
  const tie = db
    .selectFrom('voice_ties')
    .select('gk_person_id')
    .where('gk_person_id', '=', gkPersonId)
    .where('gk_scope_id', '=', gkScopeId)
    .limit(1);
  if (await tie.executeTakeFirst()) return true;
  const session = db
    .selectFrom('sessions')
    .select('gk_session_id')
    .where('claimed_gk_person_id', '=', gkPersonId)
    .where('gk_scope_id', '=', gkScopeId)
    .limit(1);
  if (await session.executeTakeFirst()) return true;
  const record = db
    .selectFrom('audit_subjects')
    .innerJoin('audit_records', (join) =>
      join
        .onRef('audit_records.scope_key', '=', 'audit_subjects.scope_key')
        .onRef('audit_records.seq', '=', 'audit_subjects.seq'),
    )
    .select('audit_records.seq')
    .where('audit_subjects.scope_key', '=', gkScopeId)
    .where('audit_subjects.subject_id', '=', gkPersonId)
    .where('audit_records.personal', 'is not', null)
    .limit(1);
  return (await record.executeTakeFirst()) !== undefined;
}

/** Theirs by the session alone, while the recording itself is known to be somebody else's, or the session was not only theirs. */
async function isKnownOfOthers(db: Db, gkMediaSegmentId: string, gkPersonId: string): Promise<boolean> {
  const ties = await db
    .selectFrom('voice_ties')
    .select(['gk_person_id', 'by_session'])
    .where('gk_media_segment_id', '=', gkMediaSegmentId)
    .execute();
  const isGuess = ties.some((tie) => tie.gk_person_id === gkPersonId && tie.by_session === 1);
  if (!isGuess) return false;
  if (ties.some((tie) => tie.gk_person_id !== gkPersonId && tie.by_session === 0)) return true;
  const other = await db
    .selectFrom('media_segments as guessed')
    .innerJoin('media_segments as heard', 'heard.gk_session_id', 'guessed.gk_session_id')
    .innerJoin('voice_ties', 'voice_ties.gk_media_segment_id', 'heard.gk_media_segment_id')
    .select('voice_ties.gk_person_id')
    .where('guessed.gk_media_segment_id', '=', gkMediaSegmentId)
    .where('voice_ties.is_speaker', '=', 1)
    .where('voice_ties.gk_person_id', '!=', gkPersonId)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}
