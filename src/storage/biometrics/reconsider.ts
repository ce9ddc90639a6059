// Recordings and engagements of erased persons that were kept as evidence, where the reason for it may be no more: they are looked at again.
import type { ErasureRepository } from '../../biometrics/ports/erasure.js';
import type { Db, DialectName } from '../database.js';
import { factorsOfRecording } from './erased-scores.js';
import { heardInEngagement } from './heard-recordings.js';

interface At {
  db: Db;
  dialect: DialectName;
}

export async function reconsider(
  { db, dialect }: At,
  gkScopeId: string,
  kept: Parameters<ErasureRepository['reconsider']>[1],
): Promise<void> {
  const ties = db
    .updateTable('voice_ties')
    .set({ is_kept: 0 })
    .where('gk_scope_id', '=', gkScopeId)
    .where('is_kept', '=', 1);
  const asked = db
    .updateTable('asked_persons')
    .set({ is_kept: 0 })
    .where('gk_scope_id', '=', gkScopeId)
    .where('is_kept', '=', 1);
  if ('gkMediaSegmentId' in kept) {
    const { gkMediaSegmentId } = kept;
    const lies = db
      .selectFrom('media_segments')
      .select('gk_engagement_id')
      .where('gk_media_segment_id', '=', gkMediaSegmentId);
    const heard = (await factorsOfRecording({ db, dialect }, gkMediaSegmentId)).map(
      (row) => row.gk_engagement_id,
    );
    await asked.where('gk_engagement_id', 'in', lies).execute();
    for (const gkEngagementId of new Set(heard))
      await asked.where('gk_engagement_id', '=', gkEngagementId).execute();
    await ties.where('gk_media_segment_id', '=', gkMediaSegmentId).execute();
    return;
  }
  const { gkEngagementId } = kept;
  await asked.where('gk_engagement_id', '=', gkEngagementId).execute();
  const lie = db
    .selectFrom('media_segments')
    .select('gk_media_segment_id')
    .where('gk_engagement_id', '=', gkEngagementId);
  await ties.where('gk_media_segment_id', 'in', lie).execute();
  await ties.where('gk_media_segment_id', 'in', heardInEngagement(dialect, gkEngagementId)).execute();
}
