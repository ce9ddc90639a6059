// Links recordings to the persons whose voice they contain, at the moment this becomes known: the repositories
// call this themselves, so that no operation can forget it. If a person was recognized, enrolled or claimed
// in an engagement, the other recordings of all its sessions are linked to them too, as a guess (`by_session`)
// that gives way to any knowledge about the recording itself.
import { sql, type RawBuilder } from 'kysely';
import type { Factor, Session } from '../../biometrics/model/sessions.js';
import type { MediaSegment } from '../../biometrics/model/media.js';
import type { EnrollmentSegment } from '../../biometrics/model/profiles.js';
import type { Db } from '../database.js';

/**
 * An engagement with more recordings is bulk work, not about one person: each recording must speak for
 * itself.
 */
export const ENGAGEMENT_RECORDINGS_MAX = 100;

/** The recordings of an engagement that may be one person's; none if there are too many. */
const recordingsOf = (gkEngagementId: RawBuilder<unknown>): RawBuilder<unknown> => {
  const first = sql`select gk_media_segment_id, gk_scope_id from media_segments
    where gk_engagement_id = ${gkEngagementId} limit ${sql.lit(ENGAGEMENT_RECORDINGS_MAX + 1)}`;
  return sql`(select few.* from (${first}) few
    where (select count(*) from (${first}) counted) <= ${sql.lit(ENGAGEMENT_RECORDINGS_MAX)})`;
};

/**
 * The owner of an existing print, or of a person's deleted one: a call may end after the erasure that deleted
 * it.
 */
const ownerOf = (gkVoiceprintProfileId: string): RawBuilder<unknown> =>
  sql`(select gk_owner_id from voiceprint_profiles
    where gk_voiceprint_profile_id = ${gkVoiceprintProfileId} and owner_type = 'PERSON'
    union all
    select gk_person_id from former_prints where gk_voiceprint_profile_id = ${gkVoiceprintProfileId})`;

interface Link {
  gkPersonId: string;
  gkMediaSegmentId: string;
  gkScopeId: string;
}

/** Links the person named to the recording, and those who speak on its channels. */
export async function linkNamed(db: Db, media: MediaSegment): Promise<void> {
  const { gkScopeId, gkMediaSegmentId, gkPersonId, callParties } = media;
  const speakers = callParties.flatMap(({ partyType, gkPartyId }) =>
    partyType === 'PERSON' && gkPartyId ? [gkPartyId] : [],
  );
  for (const person of new Set([...(gkPersonId ? [gkPersonId] : []), ...speakers]))
    await linkKnown(db, { gkPersonId: person, gkMediaSegmentId, gkScopeId });
}

/** Links a recording that is known to be the person's. */
export function linkKnown(db: Db, { gkPersonId, gkMediaSegmentId, gkScopeId }: Link): Promise<void> {
  return insertKnown(
    db,
    sql`select cast(${gkPersonId} as text), gk_media_segment_id, gk_scope_id, 0, 0 from media_segments
      where gk_media_segment_id = ${gkMediaSegmentId} and gk_scope_id = ${gkScopeId}`,
  );
}

/**
 * Links a recording, or those of a session, that a caller attributes to somebody: in a batch, or to somebody
 * who was erased. If it is known to be somebody else's, the caller is mistaken.
 */
export async function linkSaid(
  db: Db,
  { gkPersonId, gkScopeId }: Omit<Link, 'gkMediaSegmentId'>,
  of: { gkMediaSegmentId: string } | { gkSessionId: string },
): Promise<void> {
  const [column, id] =
    'gkSessionId' in of
      ? ['m.gk_session_id', of.gkSessionId]
      : ['m.gk_media_segment_id', of.gkMediaSegmentId];
  await insertKnown(
    db,
    sql`select cast(${gkPersonId} as text), m.gk_media_segment_id, m.gk_scope_id, 0, 0 from media_segments m
      where ${sql.ref(column)} = ${id} and m.gk_scope_id || '' = ${gkScopeId} and not exists (
        select 1 from voice_ties t where t.gk_media_segment_id = m.gk_media_segment_id
          and t.gk_person_id <> ${gkPersonId} and t.by_session = 0)`,
  );
}

/** Links a recording that is added to an engagement in which somebody was recognized or claimed before. */
export async function linkToEngagement(db: Db, media: MediaSegment): Promise<void> {
  const recordings = recordingsOf(sql`${media.gkEngagementId}`);
  const linked = (person: RawBuilder<unknown>) =>
    sql`select ${person}, cast(${media.gkMediaSegmentId} as text), cast(${media.gkScopeId} as text), 1, 0`;
  await insertGuessed(
    db,
    sql`${linked(sql`t.gk_person_id`)} from ${recordings} m
      join voice_ties t on t.gk_media_segment_id = m.gk_media_segment_id where t.is_speaker = 1
      union
      ${linked(sql`s.claimed_gk_person_id`)} from sessions s
      where s.gk_engagement_id = ${media.gkEngagementId} and s.claimed_gk_person_id is not null
        and exists (select 1 from ${recordings} m)`,
  );
}

/** Links all recordings of an engagement that was with nobody else. */
export function linkEngagement(
  db: Db,
  { gkPersonId }: Pick<Link, 'gkPersonId'>,
  gkEngagementId: string,
): Promise<void> {
  return insertGuessed(
    db,
    sql`select cast(${gkPersonId} as text), m.gk_media_segment_id, m.gk_scope_id, 1, 0
      from ${recordingsOf(sql`${gkEngagementId}`)} m where true`,
  );
}

/** Links the recordings of a session that claims a person, even if it does so only later. */
export async function linkClaimed(db: Db, session: Session): Promise<void> {
  if (!session.claimedGkPersonId) return;
  await insertKnown(
    db,
    sql`select cast(${session.claimedGkPersonId} as text), gk_media_segment_id, gk_scope_id, 0, 0
      from media_segments where gk_session_id = ${session.gkSessionId}`,
  );
  await linkEngagement(db, { gkPersonId: session.claimedGkPersonId }, session.gkEngagementId);
}

export async function linkEnrolled(db: Db, segment: EnrollmentSegment): Promise<void> {
  const { gkVoiceprintProfileId, gkMediaSegmentId } = segment;
  await insertKnown(
    db,
    sql`select p.gk_owner_id, m.gk_media_segment_id, p.gk_scope_id, 0, 1
      from voiceprint_profiles p, media_segments m
      where p.gk_voiceprint_profile_id = ${gkVoiceprintProfileId}
        and m.gk_media_segment_id = ${gkMediaSegmentId} and p.owner_type = 'PERSON'`,
  );
  await linkRestOfEngagement(db, gkVoiceprintProfileId, sql`${gkMediaSegmentId}`);
}

/**
 * A recording sent to be compared with one person's print was attributed to that person, whatever the result,
 * even if there was nothing to compare. If it was compared with many prints, only the recognized person is
 * known.
 */
export async function linkVerified(db: Db, factor: Factor): Promise<void> {
  const { kind, prints, decision, gkVoiceprintProfileId, gkProcessedAudioId } = factor;
  if (kind !== 'AUTHENTICATION' || !gkVoiceprintProfileId || !gkProcessedAudioId) return;
  const isRecognized = decision === 'AUTHENTIC';
  if ((prints ?? 0) > 1 && !isRecognized) return;
  await insertKnown(
    db,
    sql`select p.gk_owner_id, a.gk_media_segment_id, a.gk_scope_id, 0, ${sql.lit(isRecognized ? 1 : 0)}
      from ${ownerOf(gkVoiceprintProfileId)} p, processed_audios a
      where a.gk_processed_audio_id = ${gkProcessedAudioId}`,
  );
  if (!isRecognized) return;
  const heard = sql`(select gk_media_segment_id from processed_audios
    where gk_processed_audio_id = ${gkProcessedAudioId})`;
  await linkRestOfEngagement(db, gkVoiceprintProfileId, heard);
}

async function insertKnown(db: Db, selected: RawBuilder<unknown>): Promise<void> {
  await sql`insert into voice_ties (gk_person_id, gk_media_segment_id, gk_scope_id, by_session, is_speaker) ${selected}
    on conflict (gk_person_id, gk_media_segment_id) do update set by_session = 0,
      is_speaker = case when excluded.is_speaker = 1 then 1 else voice_ties.is_speaker end`.execute(db);
}

async function insertGuessed(db: Db, selected: RawBuilder<unknown>): Promise<void> {
  await sql`insert into voice_ties (gk_person_id, gk_media_segment_id, gk_scope_id, by_session, is_speaker) ${selected}
    on conflict do nothing`.execute(db);
}

/** Links the rest of the engagement in which the print's owner was heard. */
function linkRestOfEngagement(
  db: Db,
  gkVoiceprintProfileId: string,
  heard: RawBuilder<unknown>,
): Promise<void> {
  const engagement = sql`(select gk_engagement_id from media_segments where gk_media_segment_id = ${heard})`;
  return insertGuessed(
    db,
    sql`select p.gk_owner_id, m.gk_media_segment_id, m.gk_scope_id, 1, 0
      from ${ownerOf(gkVoiceprintProfileId)} p, ${recordingsOf(engagement)} m where true`,
  );
}
