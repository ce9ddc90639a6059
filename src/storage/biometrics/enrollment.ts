// Enrollment segments: which processed audio belongs to which print, in order of addition.
import type { EnrollmentSegment } from '../../biometrics/model/profiles.js';
import type { EnrollmentRepository, SegmentTotals } from '../../biometrics/ports/profiles.js';
import { flag, fromJson, isSet, optional, orNull } from '../columns.js';
import type { Db } from '../database.js';
import type { EnrollmentSegmentsTable } from '../schema/biometrics.js';
import { withoutCallSpeech } from './call-speech.js';
import { reassessPrint } from './reassess.js';
import { linkEnrolled } from './voice-links.js';

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
    async listMany(gkVoiceprintProfileIds) {
      if (gkVoiceprintProfileIds.length === 0) return [];
      const rows = await segments()
        .where('gk_voiceprint_profile_id', 'in', [...gkVoiceprintProfileIds])
        .orderBy('gk_voiceprint_profile_id')
        .orderBy('position')
        .execute();
      return rows.map(fromRow);
    },
    async totals(gkVoiceprintProfileIds) {
      const totals = new Map<string, SegmentTotals>();
      if (gkVoiceprintProfileIds.length === 0) return totals;
      // The measures of processed audio are stored in the clear, so nothing has to be unsealed to add them
      // up.
      const rows = await db
        .selectFrom('enrollment_segments')
        .leftJoin(
          'processed_audios',
          'processed_audios.gk_processed_audio_id',
          'enrollment_segments.gk_processed_audio_id',
        )
        .select(['enrollment_segments.gk_voiceprint_profile_id as print', 'processed_audios.document'])
        .where('enrollment_segments.gk_voiceprint_profile_id', 'in', [...gkVoiceprintProfileIds])
        .execute();
      for (const { print, document } of rows) {
        const total = totals.get(print) ?? { segments: 0, netAudioMs: 0 };
        const netAudioMs = document === null ? 0 : fromJson<{ netAudioMs: number }>(document).netAudioMs;
        totals.set(print, { segments: total.segments + 1, netAudioMs: total.netAudioMs + netAudioMs });
      }
      return totals;
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
      await linkEnrolled(db, segment);
      await reassessPrint(db, segment.gkVoiceprintProfileId);
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
      const segment = db
        .deleteFrom('enrollment_segments')
        .where('gk_voiceprint_profile_id', '=', gkVoiceprintProfileId)
        .where('gk_processed_audio_id', '=', gkProcessedAudioId);
      let removed = 0n;
      await reassessPrint(db, gkVoiceprintProfileId);
      await withoutCallSpeech(db, { gkVoiceprintProfileId, gkProcessedAudioId }, async () => {
        removed = (await segment.executeTakeFirst()).numDeletedRows;
      });
      return removed > 0n;
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
    added_at: segment.addedAtMs,
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
    addedAtMs: row.added_at,
  } as EnrollmentSegment;
}
