// The persons whom calls in a session have asked for. If a session asked for only one person, it is about
// that person, whether or not they were recognized.
import type { AskedPerson, ErasureRepository } from '../../biometrics/ports/erasure.js';
import { namedInTenant } from '../columns.js';
import type { Db } from '../database.js';
import { isOnHold } from './holds.js';
import { heardInEngagement } from './heard-recordings.js';

type AskedRepository = Pick<
  ErasureRepository,
  'noteAsked' | 'noteNamed' | 'engagementsAskingFor' | 'askedForIn' | 'isOnHold' | 'settleAsked'
>;

export function askedPersons(db: Db): AskedRepository {
  const ofPerson = (gkPersonId: string) =>
    db
      .selectFrom('asked_persons')
      .select('gk_engagement_id')
      .distinct()
      .where('gk_person_id', '=', gkPersonId);
  const noteAsked = async ({
    gkScopeId,
    gkPersonId,
    gkEngagementId,
    gkSessionId,
  }: AskedPerson): Promise<void> => {
    await db
      .insertInto('asked_persons')
      .values({
        gk_person_id: gkPersonId,
        gk_session_id: gkSessionId,
        gk_engagement_id: gkEngagementId,
        gk_scope_id: gkScopeId,
        is_kept: 0,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  };
  return {
    noteAsked,
    async noteNamed(gkScopeId, gkPersonId, heardIn) {
      const named = await db
        .selectFrom('voice_ties')
        .innerJoin('media_segments', 'media_segments.gk_media_segment_id', 'voice_ties.gk_media_segment_id')
        .select(['media_segments.gk_engagement_id', 'media_segments.gk_session_id'])
        .distinct()
        .where('voice_ties.gk_person_id', '=', gkPersonId)
        .where('voice_ties.by_session', '=', 0)
        .where(namedInTenant('media_segments.gk_scope_id', gkScopeId))
        .execute();
      for (const { gk_engagement_id: gkEngagementId, gk_session_id: gkSessionId } of named)
        if (!heardIn.has(gkEngagementId))
          await noteAsked({ gkScopeId, gkPersonId, gkEngagementId, gkSessionId });
    },
    async engagementsAskingFor(gkScopeId, gkPersonId) {
      const rows = await ofPerson(gkPersonId).where(namedInTenant('gk_scope_id', gkScopeId)).execute();
      return rows.map((row) => row.gk_engagement_id);
    },
    async askedForIn(gkEngagementId) {
      const asked = await db
        .selectFrom('asked_persons')
        .select('gk_person_id')
        .distinct()
        .where('gk_engagement_id', '=', gkEngagementId)
        .execute();
      // A link that comes with the recording itself counts too; a guess does not.
      const named = await db
        .selectFrom('media_segments')
        .innerJoin('voice_ties', 'voice_ties.gk_media_segment_id', 'media_segments.gk_media_segment_id')
        .select('voice_ties.gk_person_id')
        .distinct()
        .where('media_segments.gk_engagement_id', '=', gkEngagementId)
        .where('voice_ties.by_session', '=', 0)
        .execute();
      return [...new Set([...asked, ...named].map((row) => row.gk_person_id))];
    },
    async isOnHold(gkEngagementId) {
      const onHold = db.selectFrom('media_segments').select('gk_media_segment_id').where(isOnHold()).limit(1);
      const lies = onHold.where('gk_engagement_id', '=', gkEngagementId);
      const heard = onHold.where('gk_media_segment_id', 'in', heardInEngagement(gkEngagementId));
      return Boolean((await lies.executeTakeFirst()) ?? (await heard.executeTakeFirst()));
    },
    async settleAsked(gkPersonId, { kept, waiting }) {
      for (const { gk_engagement_id } of await ofPerson(gkPersonId).execute()) {
        if (waiting.has(gk_engagement_id)) continue;
        if (kept.has(gk_engagement_id))
          await db
            .updateTable('asked_persons')
            .set({ is_kept: 1 })
            .where('gk_person_id', '=', gkPersonId)
            .where('gk_engagement_id', '=', gk_engagement_id)
            .execute();
        else
          await db
            .deleteFrom('asked_persons')
            .where('gk_person_id', '=', gkPersonId)
            .where('gk_engagement_id', '=', gk_engagement_id)
            .execute();
      }
    },
  };
}

/** Erased persons who were asked for after their erasure, in engagements that have since ended. */
export async function erasedAndAskedFor(
  db: Db,
  limit: number,
): Promise<{ gk_scope_id: string; gk_person_id: string }[]> {
  return db
    .selectFrom('erased_persons')
    .innerJoin('asked_persons', 'asked_persons.gk_person_id', 'erased_persons.gk_person_id')
    .innerJoin('engagements', 'engagements.gk_engagement_id', 'asked_persons.gk_engagement_id')
    .select(['erased_persons.gk_scope_id', 'erased_persons.gk_person_id'])
    .distinct()
    .where('asked_persons.is_kept', '=', 0)
    .where('engagements.is_active', '=', 0)
    .limit(limit)
    .execute();
}
