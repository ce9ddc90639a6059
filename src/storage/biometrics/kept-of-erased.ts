// What was kept of erased persons: when they were erased, and which engagements and recordings still lead to
// them.
import type { ErasureRepository } from '../../biometrics/ports/erasure.js';
import { namedInTenant } from '../columns.js';
import type { Db } from '../database.js';
import { isOnHold } from './holds.js';

const IDS_PER_QUERY = 500;

export function keptOfErased(db: Db): Pick<ErasureRepository, 'erasedAtMs' | 'erasedPersons' | 'keptIn'> {
  return {
    async erasedPersons(gkPersonIds) {
      const erased = new Set<string>();
      for (let at = 0; at < gkPersonIds.length; at += IDS_PER_QUERY) {
        const rows = await db
          .selectFrom('erased_persons')
          .select('gk_person_id')
          .where('gk_person_id', 'in', gkPersonIds.slice(at, at + IDS_PER_QUERY))
          .execute();
        for (const row of rows) erased.add(row.gk_person_id);
      }
      return erased;
    },
    async erasedAtMs(gkScopeId, gkPersonId) {
      const row = await db
        .selectFrom('erased_persons')
        .select('erased_at')
        .where('gk_person_id', '=', gkPersonId)
        .where(namedInTenant('gk_scope_id', gkScopeId))
        .executeTakeFirst();
      return row && Number(row.erased_at);
    },
    async keptIn(gkScopeId, gkEngagementId) {
      const claimed = db
        .selectFrom('sessions')
        .innerJoin('erased_persons', 'erased_persons.gk_person_id', 'sessions.claimed_gk_person_id')
        .select('sessions.gk_session_id')
        .where('sessions.gk_engagement_id', '=', gkEngagementId)
        .where(namedInTenant('sessions.gk_scope_id', gkScopeId));
      const asked = db
        .selectFrom('asked_persons')
        .innerJoin('erased_persons', 'erased_persons.gk_person_id', 'asked_persons.gk_person_id')
        .select('asked_persons.gk_session_id')
        .where('asked_persons.gk_engagement_id', '=', gkEngagementId)
        .where(namedInTenant('asked_persons.gk_scope_id', gkScopeId));
      const recordings = await db
        .selectFrom('media_segments')
        .innerJoin('voice_ties', 'voice_ties.gk_media_segment_id', 'media_segments.gk_media_segment_id')
        .innerJoin('erased_persons', 'erased_persons.gk_person_id', 'voice_ties.gk_person_id')
        .select([
          'media_segments.gk_media_segment_id',
          'media_segments.gk_session_id',
          isOnHold().as('on_hold'),
          (links) => links.fn.max('voice_ties.is_kept').as('is_kept'),
        ])
        .where('media_segments.gk_engagement_id', '=', gkEngagementId)
        .where(namedInTenant('media_segments.gk_scope_id', gkScopeId))
        .groupBy([
          'media_segments.gk_media_segment_id',
          'media_segments.gk_session_id',
          'media_segments.gk_scope_id',
          'media_segments.legal_hold',
        ])
        .execute();
      const about = (await claimed.limit(1).executeTakeFirst()) ?? (await asked.limit(1).executeTakeFirst());
      return {
        isAbout: about !== undefined,
        recordings: recordings.map((row) => ({
          gkMediaSegmentId: row.gk_media_segment_id,
          gkSessionId: row.gk_session_id,
          legalHold: Boolean(row.on_hold),
          isEvidence: row.is_kept === 1,
        })),
      };
    },
  };
}
