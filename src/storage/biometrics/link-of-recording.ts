// The facts about a recording that is linked to a person: who was heard in it, and whether it may be somebody
// else's.
import type { LinkOfRecording } from '../../biometrics/ports/erasure.js';
import type { Db } from '../database.js';

export async function linkOf(db: Db, gkMediaSegmentId: string, gkPersonId: string): Promise<LinkOfRecording> {
  const links = await db
    .selectFrom('voice_ties')
    .select(['gk_person_id', 'by_session', 'is_speaker'])
    .where('gk_media_segment_id', '=', gkMediaSegmentId)
    .execute();
  const isGuess = links.some((link) => link.gk_person_id === gkPersonId && link.by_session === 1);
  const isKnown = links.some((link) => link.gk_person_id !== gkPersonId && link.by_session === 0);
  const mayBeOthers = isGuess && (isKnown || (await isOfMany(db, gkMediaSegmentId, gkPersonId)));
  const enrolled = await db
    .selectFrom('enrollment_segments')
    .innerJoin(
      'voiceprint_profiles',
      'voiceprint_profiles.gk_voiceprint_profile_id',
      'enrollment_segments.gk_voiceprint_profile_id',
    )
    .select('voiceprint_profiles.owner_type')
    .distinct()
    .where('enrollment_segments.gk_media_segment_id', '=', gkMediaSegmentId)
    .where('voiceprint_profiles.gk_owner_id', '!=', gkPersonId)
    .execute();
  const speakers = links.filter((link) => link.is_speaker === 1).map((link) => link.gk_person_id);
  return {
    ...{ isGuess, mayBeOthers, speakers },
    isEnrolledForOther: enrolled.some((print) => print.owner_type === 'PERSON'),
    isEnrolledForFraudster: enrolled.some((print) => print.owner_type === 'FRAUDSTER'),
  };
}

/** Whether somebody else was heard or claimed in the engagement of the recording. */
async function isOfMany(db: Db, gkMediaSegmentId: string, gkPersonId: string): Promise<boolean> {
  const heard = await db
    .selectFrom('media_segments as guessed')
    .innerJoin('media_segments as heard', 'heard.gk_engagement_id', 'guessed.gk_engagement_id')
    .innerJoin('voice_ties', 'voice_ties.gk_media_segment_id', 'heard.gk_media_segment_id')
    .select('voice_ties.gk_person_id')
    .where('guessed.gk_media_segment_id', '=', gkMediaSegmentId)
    .where('voice_ties.is_speaker', '=', 1)
    .where('voice_ties.gk_person_id', '!=', gkPersonId)
    .limit(1)
    .executeTakeFirst();
  if (heard) return true;
  const claimed = await db
    .selectFrom('media_segments as guessed')
    .innerJoin('sessions', 'sessions.gk_engagement_id', 'guessed.gk_engagement_id')
    .select('sessions.claimed_gk_person_id')
    .where('guessed.gk_media_segment_id', '=', gkMediaSegmentId)
    .where('sessions.claimed_gk_person_id', '!=', gkPersonId)
    .limit(1)
    .executeTakeFirst();
  return claimed !== undefined;
}
