import type { EnrollmentSegment } from '../../biometrics/profiles/model.js';
import type { EnrollmentRepository } from '../../biometrics/profiles/ports.js';
import { flag, isSet, optional, orNull } from '../columns.js';
import type { Db } from '../database.js';
import type { EnrollmentSegmentsTable } from '../schema/biometrics.js';

export function enrollmentRepository(db: Db): EnrollmentRepository {
  const segments = () => db.selectFrom('enrollment_segments').selectAll();
  return {
    async list(gkVoiceprintProfileId) {
      const rows = await segments()
        .where('gk_voiceprint_profile_id', '=', gkVoiceprintProfileId)
        .orderBy('position')
        .execute();
      return rows.map(fromRow);
    },
    async insert(segment) {
      // The profile row is locked by the caller, so two insertions cannot take the same position.
      const last = await db
        .selectFrom('enrollment_segments')
        .select((select) => select.fn.max<number | null>('position').as('position'))
        .where('gk_voiceprint_profile_id', '=', segment.gkVoiceprintProfileId)
        .executeTakeFirst();
      await db
        .insertInto('enrollment_segments')
        .values({ ...toRow(segment), position: (last?.position ?? 0) + 1 })
        .execute();
    },
    async update(segment) {
      const { gk_voiceprint_profile_id, gk_processed_audio_id, ...columns } = toRow(segment);
      await db
        .updateTable('enrollment_segments')
        .set(columns)
        .where('gk_voiceprint_profile_id', '=', gk_voiceprint_profile_id)
        .where('gk_processed_audio_id', '=', gk_processed_audio_id)
        .execute();
    },
    async remove(gkVoiceprintProfileId, gkProcessedAudioId) {
      const result = await db
        .deleteFrom('enrollment_segments')
        .where('gk_voiceprint_profile_id', '=', gkVoiceprintProfileId)
        .where('gk_processed_audio_id', '=', gkProcessedAudioId)
        .executeTakeFirst();
      return Number(result.numDeletedRows) > 0;
    },
    async isMediaEnrolled(gkMediaSegmentId) {
      const row = await segments()
        .where('gk_media_segment_id', '=', gkMediaSegmentId)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },
    async listByEngagement(gkEngagementId) {
      return (
        await segments().where('gk_engagement_id', '=', gkEngagementId).orderBy('added_at').execute()
      ).map(fromRow);
    },
  };
}

function toRow(segment: EnrollmentSegment): Omit<EnrollmentSegmentsTable, 'position'> {
  return {
    gk_voiceprint_profile_id: segment.gkVoiceprintProfileId,
    gk_processed_audio_id: segment.gkProcessedAudioId,
    gk_media_segment_id: segment.gkMediaSegmentId,
    gk_engagement_id: segment.gkEngagementId,
    consistency: orNull(segment.consistency),
    consistency_score: orNull(segment.consistencyScore),
    used_for_train: flag(segment.usedForTrain),
    added_at: segment.addedAt,
  };
}

function fromRow(row: EnrollmentSegmentsTable): EnrollmentSegment {
  return {
    gkVoiceprintProfileId: row.gk_voiceprint_profile_id,
    gkProcessedAudioId: row.gk_processed_audio_id,
    gkMediaSegmentId: row.gk_media_segment_id,
    gkEngagementId: row.gk_engagement_id,
    ...optional('consistency', row.consistency as EnrollmentSegment['consistency'] | null),
    ...optional('consistencyScore', row.consistency_score),
    usedForTrain: isSet(row.used_for_train),
    addedAt: row.added_at,
  } as EnrollmentSegment;
}
