// Enrolled speech of live calls. The call itself is not recorded: the data computed from it is stored under
// the ID of the call, belongs to the print alone, and must be deleted with it, because there is no recording
// whose retention would remove it.
import type { Db } from '../database.js';
import { dropVoices } from './call-voices.js';
import { reassess } from './reassess.js';

/**
 * Removes segments from a print with `remove`, together with data that only they needed; returns how much of
 * it there was.
 */
export async function withoutCallSpeech(
  db: Db,
  {
    gkVoiceprintProfileId,
    gkProcessedAudioId,
  }: { gkVoiceprintProfileId: string; gkProcessedAudioId?: string },
  remove: () => Promise<void>,
): Promise<number> {
  let query = db
    .selectFrom('enrollment_segments as segment')
    .select('segment.gk_media_segment_id')
    .where('segment.gk_voiceprint_profile_id', '=', gkVoiceprintProfileId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('media_segments')
            .select('media_segments.gk_media_segment_id')
            .whereRef('media_segments.gk_media_segment_id', '=', 'segment.gk_media_segment_id'),
        ),
      ),
    );
  if (gkProcessedAudioId) query = query.where('segment.gk_processed_audio_id', '=', gkProcessedAudioId);
  const calls = await query.execute();
  await remove();
  let dropped = 0;
  for (const { gk_media_segment_id: call } of calls) {
    const elsewhere = db
      .selectFrom('enrollment_segments')
      .select('gk_processed_audio_id')
      .where('gk_media_segment_id', '=', call);
    if (await elsewhere.limit(1).executeTakeFirst()) continue;
    const deletion = db.deleteFrom('processed_audios').where('gk_media_segment_id', '=', call);
    const deleted = deletion.returning(['gk_scope_id', 'gk_processed_audio_id']);
    for (const { gk_scope_id, gk_processed_audio_id } of await deleted.execute()) {
      await reassess(db, gk_scope_id, { audios: [gk_processed_audio_id] });
      await dropVoices(db, gk_scope_id, call);
      dropped += 1;
    }
  }
  return dropped;
}
