// Corrects an attribution: the owner of a recording, or the person claimed by a session, was one person and
// is now another. Links that rested on the mistake alone are removed, or erasing the first person would erase
// the second person's recording. What is on hold keeps its attribution: with the link, a hold on the first person would go.
import { sql, type RawBuilder } from 'kysely';
import type { MediaSegment, ProcessedAudio } from '../../biometrics/model/media.js';
import type { Session } from '../../biometrics/model/sessions.js';
import { AppError } from '../../errors.js';
import { say } from '../../words/server/say.js';
import { fromJson, toJson } from '../columns.js';
import { locksRows, type Db } from '../database.js';
import { factorsOfRecording } from './erased-scores.js';
import type { FactorDocument } from './factor-row.js';
import { isOnHold } from './holds.js';

/** The current owner of the recording, if it is about to be replaced by somebody else. */
export async function ownerReplaced(db: Db, media: MediaSegment): Promise<string | undefined> {
  if (!media.gkPersonId) return undefined;
  const row = await db
    .selectFrom('media_segments')
    .select('gk_person_id as person')
    .select(isOnHold().as('on_hold'))
    .where('gk_media_segment_id', '=', media.gkMediaSegmentId)
    .executeTakeFirst();
  if (!row?.person || row.person === media.gkPersonId) return undefined;
  if (row.on_hold) throw heldAsEvidence();
  return row.person;
}

/** The person whom the session currently claims, if it is about to claim somebody else. */
export async function claimReplaced(db: Db, session: Session): Promise<string | undefined> {
  if (!session.claimedGkPersonId) return undefined;
  const row = await db
    .selectFrom('sessions')
    .select('claimed_gk_person_id as person')
    .where('gk_session_id', '=', session.gkSessionId)
    .executeTakeFirst();
  if (!row?.person || row.person === session.claimedGkPersonId) return undefined;
  // Also of a call that is still to be recorded.
  const ofPerson = db
    .selectFrom('evidence_holds')
    .select('gk_hold_id as held')
    .where('gk_person_id', '=', row.person);
  const ofRecordings = db
    .selectFrom('media_segments')
    .select('gk_media_segment_id as held')
    .where('gk_session_id', '=', session.gkSessionId)
    .where(isOnHold());
  if (await ofPerson.unionAll(ofRecordings).executeTakeFirst()) throw heldAsEvidence();
  return row.person;
}

const heldAsEvidence = (): AppError =>
  new AppError('PERMISSION_DENIED', say('EVIDENCE_HOLD'), { diagnostics: [{ code: 'MEDIA_ON_LEGAL_HOLD' }] });

/** Call after the new owner is stored. */
export async function unlinkOwner(db: Db, gkPersonId: string, media: MediaSegment): Promise<void> {
  const { gkMediaSegmentId, gkEngagementId } = media;
  const mistake = { wrong: gkPersonId, right: media.gkPersonId ?? '' };
  await makeGuesses(db, mistake, sql`m.gk_media_segment_id = ${gkMediaSegmentId}`);
  await dropGuesses(db, gkPersonId, gkEngagementId, sql`gk_media_segment_id = ${gkMediaSegmentId}`);
}

/**
 * Call after the new claim is stored; the recordings of the engagement's other sessions were linked as a guess.
 */
export async function unlinkClaimed(db: Db, gkPersonId: string, session: Session): Promise<void> {
  const { gkSessionId, gkEngagementId } = session;
  const mistake = { wrong: gkPersonId, right: session.claimedGkPersonId ?? '' };
  await makeGuesses(db, mistake, sql`m.gk_session_id = ${gkSessionId}`);
  const recordings = sql`select gk_media_segment_id from media_segments where gk_engagement_id = ${gkEngagementId}`;
  await dropGuesses(db, gkPersonId, gkEngagementId, sql`gk_media_segment_id in (${recordings})`);
}

interface Mistake {
  wrong: string;
  right: string;
}

/** Turns links that rested on the wrong attribution alone into guesses. */
async function makeGuesses(db: Db, { wrong, right }: Mistake, of: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<{
    media: string;
    document: string;
  }>`select t.gk_media_segment_id as media, m.document
    from voice_ties t join media_segments m on m.gk_media_segment_id = t.gk_media_segment_id
    where t.gk_person_id = ${wrong} and t.by_session = 0 and t.is_speaker = 0 and ${of}
      and not exists (select 1 from sessions s
        where s.gk_session_id = m.gk_session_id and s.claimed_gk_person_id = ${wrong})`.execute(db);
  const mistaken = rows.filter(({ document }) => !isHeardIn(document, wrong));
  if (mistaken.length === 0) return;
  const prints = await printsOf(db, wrong);
  for (const { media } of mistaken) {
    if (await wasCompared(db, media, prints)) continue;
    await db
      .updateTable('voice_ties')
      .set({ by_session: 1 })
      .where('gk_person_id', '=', wrong)
      .where('gk_media_segment_id', '=', media)
      .execute();
    await rename(db, media, { wrong, right });
  }
}

/** A recording takes its owner from its session's claim, and processed audio takes it from the recording. */
async function rename(db: Db, gkMediaSegmentId: string, { wrong, right }: Mistake): Promise<void> {
  await db
    .updateTable('media_segments')
    .set({ gk_person_id: right })
    .where('gk_media_segment_id', '=', gkMediaSegmentId)
    .where('gk_person_id', '=', wrong)
    .execute();
  const processed = db
    .selectFrom('processed_audios')
    .select(['gk_processed_audio_id', 'document'])
    .where('gk_media_segment_id', '=', gkMediaSegmentId);
  for (const row of await (locksRows(db) ? processed.forUpdate() : processed).execute()) {
    const audio = fromJson<Pick<ProcessedAudio, 'gkPersonId'>>(row.document);
    if (audio.gkPersonId !== wrong) continue;
    await db
      .updateTable('processed_audios')
      .set({ document: toJson({ ...audio, gkPersonId: right }) })
      .where('gk_processed_audio_id', '=', row.gk_processed_audio_id)
      .execute();
  }
}

/** Whether the recording itself says that the person speaks in it. */
const isHeardIn = (document: string, gkPersonId: string): boolean =>
  (fromJson<Partial<Pick<MediaSegment, 'callParties'>>>(document).callParties ?? []).some(
    ({ gkPartyId }) => gkPartyId === gkPersonId,
  );

/** A guess stays if the person was heard in the engagement, or if another of its sessions claims them. */
async function dropGuesses(
  db: Db,
  gkPersonId: string,
  gkEngagementId: string,
  of: RawBuilder<unknown>,
): Promise<void> {
  await sql`delete from voice_ties where gk_person_id = ${gkPersonId} and by_session = 1 and ${of}
    and not exists (select 1 from sessions
      where gk_engagement_id = ${gkEngagementId} and claimed_gk_person_id = ${gkPersonId})
    and not exists (select 1 from media_segments m
      join voice_ties heard on heard.gk_media_segment_id = m.gk_media_segment_id
      where m.gk_engagement_id = ${gkEngagementId} and heard.gk_person_id = ${gkPersonId}
        and heard.is_speaker = 1)`.execute(db);
}

async function printsOf(db: Db, gkPersonId: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ print: string }>`
    select gk_voiceprint_profile_id as print from voiceprint_profiles where gk_owner_id = ${gkPersonId}
    union all
    select gk_voiceprint_profile_id from former_prints where gk_person_id = ${gkPersonId}`.execute(db);
  return new Set(rows.map((row) => row.print));
}

/**
 * Whether the recording was compared with one of this person's prints alone: that says whose voice it is, and
 * a change of owner does not undo it.
 */
async function wasCompared(db: Db, gkMediaSegmentId: string, prints: ReadonlySet<string>): Promise<boolean> {
  for (const { kind, document } of await factorsOfRecording(db, gkMediaSegmentId)) {
    const { gkVoiceprintProfileId, prints: compared = 0 } = fromJson<FactorDocument>(document);
    if (kind === 'AUTHENTICATION' && compared <= 1 && prints.has(gkVoiceprintProfileId ?? '')) return true;
  }
  return false;
}
