// Looks again at recordings and engagements of erased persons that were kept as evidence, when the reason for
// keeping them may be gone.
import { sql } from 'kysely';
import type { ErasureRepository } from '../../biometrics/ports/erasure.js';
import { namedInTenant } from '../columns.js';
import type { Db } from '../database.js';
import { factorsOfRecording } from './erased-scores.js';
import { heardInEngagement } from './heard-recordings.js';

type Person = Awaited<ReturnType<ErasureRepository['reconsider']>>[number];

/** Returns the persons concerned. */
export async function reconsider(
  db: Db,
  gkScopeId: string,
  kept: Parameters<ErasureRepository['reconsider']>[1],
): Promise<Person[]> {
  const concerned = new Set<string>();
  const note = (rows: readonly { gk_person_id: string }[]): void => {
    for (const { gk_person_id } of rows) concerned.add(gk_person_id);
  };
  const links = db
    .updateTable('voice_ties')
    .set({ is_kept: 0 })
    .where('gk_scope_id', '=', gkScopeId)
    .where('is_kept', '=', 1)
    .returning('gk_person_id');
  const asked = db
    .updateTable('asked_persons')
    .set({ is_kept: 0 })
    .where('gk_scope_id', '=', gkScopeId)
    .where('is_kept', '=', 1)
    .returning('gk_person_id');
  if ('gkMediaSegmentId' in kept) {
    const { gkMediaSegmentId } = kept;
    const lies = db
      .selectFrom('media_segments')
      .select('gk_engagement_id')
      .where('gk_media_segment_id', '=', gkMediaSegmentId);
    const heard = (await factorsOfRecording(db, gkMediaSegmentId)).map((row) => row.gk_engagement_id);
    note(await asked.where('gk_engagement_id', 'in', lies).execute());
    for (const gkEngagementId of new Set(heard))
      note(await asked.where('gk_engagement_id', '=', gkEngagementId).execute());
    note(await links.where('gk_media_segment_id', '=', gkMediaSegmentId).execute());
  } else {
    const { gkEngagementId } = kept;
    note(await asked.where('gk_engagement_id', '=', gkEngagementId).execute());
    note(await erasedIn(db, gkScopeId, gkEngagementId));
    const lie = db
      .selectFrom('media_segments')
      .select('gk_media_segment_id')
      .where('gk_engagement_id', '=', gkEngagementId);
    note(await links.where('gk_media_segment_id', 'in', lie).execute());
    note(await links.where('gk_media_segment_id', 'in', heardInEngagement(gkEngagementId)).execute());
  }
  return [...concerned].sort().map((gkPersonId) => ({ gkScopeId, gkPersonId }));
}

/**
 * Erased persons who are claimed in an engagement or whose prints were compared in it: a live call may have
 * no recording.
 */
async function erasedIn(
  db: Db,
  gkScopeId: string,
  gkEngagementId: string,
): Promise<{ gk_person_id: string }[]> {
  const erased = db
    .selectFrom('erased_persons')
    .select('gk_person_id')
    .where(namedInTenant('gk_scope_id', gkScopeId));
  const claimed = db
    .selectFrom('sessions')
    .select('claimed_gk_person_id')
    .where('gk_engagement_id', '=', gkEngagementId);
  const prints = sql<string>`(select gk_voiceprint_profile_id from factors
    where factors.gk_engagement_id = ${gkEngagementId})`;
  const compared = db
    .selectFrom('former_prints')
    .select('gk_person_id')
    .where('gk_voiceprint_profile_id', 'in', prints);
  return [
    ...(await erased.where('gk_person_id', 'in', claimed).execute()),
    ...(await erased.where('gk_person_id', 'in', compared).execute()),
  ];
}
