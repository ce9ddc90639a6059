// Ties recordings to the persons whose voice is in them, at the moment in which that becomes known: the repositories
// call this themselves, so that no operation can forget it.
import { sql } from 'kysely';
import type { Factor, Session } from '../../biometrics/model/sessions.js';
import type { MediaSegment } from '../../biometrics/model/media.js';
import type { EnrollmentSegment } from '../../biometrics/model/profiles.js';
import type { Db } from '../database.js';

/** The person named with the recording, and those who speak on its channels. */
export async function tieNamed(db: Db, media: MediaSegment): Promise<void> {
  const { gkScopeId, gkMediaSegmentId, gkPersonId, callParties } = media;
  const speakers = callParties.flatMap(({ partyType, gkPartyId }) =>
    partyType === 'PERSON' && gkPartyId ? [gkPartyId] : [],
  );
  for (const person of new Set([...(gkPersonId ? [gkPersonId] : []), ...speakers]))
    await db
      .insertInto('voice_ties')
      .values({ gk_person_id: person, gk_media_segment_id: gkMediaSegmentId, gk_scope_id: gkScopeId })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

/** Recordings of a session that says whom it is with, also when it says so only later. */
export async function tieClaimed(db: Db, session: Session): Promise<void> {
  if (!session.claimedGkPersonId) return;
  await sql`insert into voice_ties (gk_person_id, gk_media_segment_id, gk_scope_id)
    select cast(${session.claimedGkPersonId} as text), gk_media_segment_id, gk_scope_id from media_segments
    where gk_session_id = ${session.gkSessionId} on conflict do nothing`.execute(db);
}

export async function tieEnrolled(db: Db, segment: EnrollmentSegment): Promise<void> {
  await sql`insert into voice_ties (gk_person_id, gk_media_segment_id, gk_scope_id)
    select p.gk_owner_id, m.gk_media_segment_id, p.gk_scope_id from voiceprint_profiles p, media_segments m
    where p.gk_voiceprint_profile_id = ${segment.gkVoiceprintProfileId}
      and m.gk_media_segment_id = ${segment.gkMediaSegmentId}
      and p.owner_type = 'PERSON' on conflict do nothing`.execute(db);
}

/**
 * A recording sent to be compared with one person's print was said to be theirs, whatever came out, also where there was
 * nothing to compare; of one compared with many prints only the person who was recognized is known.
 */
export async function tieVerified(db: Db, factor: Factor): Promise<void> {
  const { kind, prints, decision, gkVoiceprintProfileId, gkProcessedAudioId } = factor;
  if (kind !== 'AUTHENTICATION' || !gkVoiceprintProfileId || !gkProcessedAudioId) return;
  if ((prints ?? 0) > 1 && decision !== 'AUTHENTIC') return;
  await sql`insert into voice_ties (gk_person_id, gk_media_segment_id, gk_scope_id)
    select p.gk_owner_id, a.gk_media_segment_id, a.gk_scope_id from voiceprint_profiles p, processed_audios a
    where p.gk_voiceprint_profile_id = ${gkVoiceprintProfileId}
      and a.gk_processed_audio_id = ${gkProcessedAudioId}
      and p.owner_type = 'PERSON' on conflict do nothing`.execute(db);
}
