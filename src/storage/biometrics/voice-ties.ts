// Ties recordings to the persons whose voice is in them, at the moment in which that becomes known: the repositories
// call this themselves, so that no operation can forget it. Where a person was recognized or enrolled, the session is theirs:
// its other recordings are tied too, as a guess (`by_session`) that gives way to what is known of a recording itself.
import { sql, type RawBuilder } from 'kysely';
import type { Factor, Session } from '../../biometrics/model/sessions.js';
import type { MediaSegment } from '../../biometrics/model/media.js';
import type { EnrollmentSegment } from '../../biometrics/model/profiles.js';
import type { Db } from '../database.js';

/** With more recordings a session is no call with one person: work in bulk, of which each recording must speak for itself. */
const SESSION_RECORDINGS_MAX = 100;

/** The recordings of a session that may be one person's; none where there are too many. */
const recordingsOf = (gkSessionId: RawBuilder<unknown>): RawBuilder<unknown> => {
  const first = sql`select gk_media_segment_id, gk_scope_id from media_segments
    where gk_session_id = ${gkSessionId} limit ${sql.lit(SESSION_RECORDINGS_MAX + 1)}`;
  return sql`(select few.* from (${first}) few
    where (select count(*) from (${first}) counted) <= ${sql.lit(SESSION_RECORDINGS_MAX)})`;
};

interface Tie {
  gkPersonId: string;
  gkMediaSegmentId: string;
  gkScopeId: string;
}

/** The person named with the recording, and those who speak on its channels. */
export async function tieNamed(db: Db, media: MediaSegment): Promise<void> {
  const { gkScopeId, gkMediaSegmentId, gkPersonId, callParties } = media;
  const speakers = callParties.flatMap(({ partyType, gkPartyId }) =>
    partyType === 'PERSON' && gkPartyId ? [gkPartyId] : [],
  );
  for (const person of new Set([...(gkPersonId ? [gkPersonId] : []), ...speakers]))
    await tieKnown(db, { gkPersonId: person, gkMediaSegmentId, gkScopeId });
}

/** A recording is known to be somebody's. */
export function tieKnown(db: Db, { gkPersonId, gkMediaSegmentId, gkScopeId }: Tie): Promise<void> {
  return insertKnown(
    db,
    sql`select cast(${gkPersonId} as text), gk_media_segment_id, gk_scope_id, 0, 0 from media_segments
      where gk_media_segment_id = ${gkMediaSegmentId} and gk_scope_id = ${gkScopeId}`,
  );
}

/** A recording that comes into a session in which somebody was recognized before. */
export async function tieToSession(db: Db, media: MediaSegment): Promise<void> {
  await sql`insert into voice_ties (gk_person_id, gk_media_segment_id, gk_scope_id, by_session, is_speaker)
    select distinct t.gk_person_id, cast(${media.gkMediaSegmentId} as text), t.gk_scope_id, 1, 0
    from ${recordingsOf(sql`${media.gkSessionId}`)} m
    join voice_ties t on t.gk_media_segment_id = m.gk_media_segment_id
    where t.is_speaker = 1 on conflict do nothing`.execute(db);
}

/** Recordings of a session that says whom it is with, also when it says so only later. */
export async function tieClaimed(db: Db, session: Session): Promise<void> {
  if (!session.claimedGkPersonId) return;
  await insertKnown(
    db,
    sql`select cast(${session.claimedGkPersonId} as text), gk_media_segment_id, gk_scope_id, 0, 0
      from media_segments where gk_session_id = ${session.gkSessionId}`,
  );
}

export async function tieEnrolled(db: Db, segment: EnrollmentSegment): Promise<void> {
  const { gkVoiceprintProfileId, gkMediaSegmentId } = segment;
  await insertKnown(
    db,
    sql`select p.gk_owner_id, m.gk_media_segment_id, p.gk_scope_id, 0, 1
      from voiceprint_profiles p, media_segments m
      where p.gk_voiceprint_profile_id = ${gkVoiceprintProfileId}
        and m.gk_media_segment_id = ${gkMediaSegmentId} and p.owner_type = 'PERSON'`,
  );
  await tieRestOfSession(db, gkVoiceprintProfileId, sql`${gkMediaSegmentId}`);
}

/**
 * A recording sent to be compared with one person's print was said to be theirs, whatever came out, also where there was
 * nothing to compare; of one compared with many prints only the person who was recognized is known.
 */
export async function tieVerified(db: Db, factor: Factor): Promise<void> {
  const { kind, prints, decision, gkVoiceprintProfileId, gkProcessedAudioId } = factor;
  if (kind !== 'AUTHENTICATION' || !gkVoiceprintProfileId || !gkProcessedAudioId) return;
  const isRecognized = decision === 'AUTHENTIC';
  if ((prints ?? 0) > 1 && !isRecognized) return;
  await insertKnown(
    db,
    sql`select p.gk_owner_id, a.gk_media_segment_id, a.gk_scope_id, 0, ${sql.lit(isRecognized ? 1 : 0)}
      from voiceprint_profiles p, processed_audios a
      where p.gk_voiceprint_profile_id = ${gkVoiceprintProfileId}
        and a.gk_processed_audio_id = ${gkProcessedAudioId} and p.owner_type = 'PERSON'`,
  );
  if (!isRecognized) return;
  const heard = sql`(select gk_media_segment_id from processed_audios
    where gk_processed_audio_id = ${gkProcessedAudioId})`;
  await tieRestOfSession(db, gkVoiceprintProfileId, heard);
}

async function insertKnown(db: Db, selected: RawBuilder<unknown>): Promise<void> {
  await sql`insert into voice_ties (gk_person_id, gk_media_segment_id, gk_scope_id, by_session, is_speaker) ${selected}
    on conflict (gk_person_id, gk_media_segment_id) do update set by_session = 0,
      is_speaker = case when excluded.is_speaker = 1 then 1 else voice_ties.is_speaker end`.execute(db);
}

/** What else there is of the session in which the owner of the print was heard. */
async function tieRestOfSession(
  db: Db,
  gkVoiceprintProfileId: string,
  heard: RawBuilder<unknown>,
): Promise<void> {
  const session = sql`(select gk_session_id from media_segments where gk_media_segment_id = ${heard})`;
  await sql`insert into voice_ties (gk_person_id, gk_media_segment_id, gk_scope_id, by_session, is_speaker)
    select p.gk_owner_id, m.gk_media_segment_id, m.gk_scope_id, 1, 0
    from voiceprint_profiles p, ${recordingsOf(session)} m
    where p.gk_voiceprint_profile_id = ${gkVoiceprintProfileId} and p.owner_type = 'PERSON'
    on conflict do nothing`.execute(db);
}
