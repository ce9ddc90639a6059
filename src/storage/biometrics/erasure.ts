// Queries that only erasure needs: whose print a recording also serves, which engagements a person was in,
// and what is left afterwards, read from the tables themselves.
import { sql } from 'kysely';
import type { ErasureRepository } from '../../biometrics/ports/erasure.js';
import { recordsNaming } from '../audit/records-naming.js';
import { fromJson, namedInTenant } from '../columns.js';
import type { Db } from '../database.js';
import { answersNaming, emptyAnswers } from '../idempotency/erased-answers.js';
import type { Keyring } from '../sealing/keyring.js';
import { askedPersons, erasedAndAskedFor } from './asked-persons.js';
import {
  countScores,
  engagementsByScores,
  factorsOfRecording,
  forgetHits,
  forgetScores,
} from './erased-scores.js';
import { factorOf } from './factor-row.js';
import { keptOfErased } from './kept-of-erased.js';
import { enrolledElsewhere } from './heard-recordings.js';
import { reconsider } from './reconsider.js';
import { ownersOf } from './session-persons.js';
import { linkOf } from './link-of-recording.js';
import { linksInUploads } from './links-in-uploads.js';
import { outdatedBlocks } from './voice-blocks.js';
import { outdatedMiddles } from './voice-groups.js';
import { ENGAGEMENT_RECORDINGS_MAX, linkEngagement, linkSaid } from './voice-links.js';

const IDS_PER_QUERY = 500;
/**
 * Values of `is_kept`: kept as evidence until its reason is gone, or kept until a line of a batch has been
 * processed.
 */
const KEPT = 1;
const AWAITED = 2;

export function erasureRepository(db: Db, keyring: Keyring): ErasureRepository {
  return {
    ...askedPersons(db),
    ...keptOfErased(db),
    hasTraces: (gkScopeId, gkPersonId) => hasTraces(db, gkScopeId, gkPersonId),
    async noteErased(gkScopeId, gkPersonId, atMs) {
      await db
        .insertInto('erased_persons')
        .values({ gk_person_id: gkPersonId, gk_scope_id: gkScopeId, erased_at: atMs })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
    async isErased(gkPersonId) {
      const row = await db
        .selectFrom('erased_persons')
        .select('gk_person_id')
        .where('gk_person_id', '=', gkPersonId)
        .executeTakeFirst();
      return row !== undefined;
    },
    async hold(gkPersonIds) {
      // Locked in a fixed order, so that two erasures never wait for each other.
      const held = db
        .selectFrom('parties')
        .select('gk_id')
        .where('gk_id', 'in', [...gkPersonIds]);
      await held.orderBy('gk_id').forShare().execute();
    },
    erasedAmong: (of) => erasedAmong(db, of),
    async erasedWithTraces(limit) {
      const rows = await db
        .selectFrom('erased_persons')
        .innerJoin('voice_ties', 'voice_ties.gk_person_id', 'erased_persons.gk_person_id')
        .select(['erased_persons.gk_scope_id', 'erased_persons.gk_person_id'])
        .distinct()
        .where('voice_ties.is_kept', '=', 0)
        .limit(limit)
        .execute();
      const persons = [...rows, ...(await erasedAndAskedFor(db, limit))];
      const byId = new Map(persons.map((row) => [row.gk_person_id, row.gk_scope_id]));
      return [...byId].map(([gkPersonId, gkScopeId]) => ({ gkScopeId, gkPersonId }));
    },
    linkOf: (gkMediaSegmentId, gkPersonId) => linkOf(db, gkMediaSegmentId, gkPersonId),
    async awaited(limit) {
      const rows = await db
        .selectFrom('voice_ties')
        .select(['gk_scope_id', 'gk_person_id', 'gk_media_segment_id'])
        .where('gk_person_id', 'in', db.selectFrom('erased_persons').select('gk_person_id'))
        .where('is_kept', '=', AWAITED)
        .limit(limit)
        .execute();
      return rows.map(({ gk_scope_id, gk_person_id, gk_media_segment_id }) => ({
        gkScopeId: gk_scope_id,
        gkPersonId: gk_person_id,
        gkMediaSegmentId: gk_media_segment_id,
      }));
    },
    async formerOwners(gkScopeId, prints) {
      if (prints.length === 0) return new Map();
      const rows = await db
        .selectFrom('former_prints')
        .select(['gk_voiceprint_profile_id', 'gk_person_id'])
        .where('gk_voiceprint_profile_id', 'in', [...prints])
        .where(namedInTenant('gk_scope_id', gkScopeId))
        .execute();
      return new Map(rows.map((row) => [row.gk_voiceprint_profile_id, row.gk_person_id]));
    },
    async formerPrints(gkScopeId, gkPersonId) {
      const rows = await db
        .selectFrom('former_prints')
        .select('gk_voiceprint_profile_id')
        .where('gk_person_id', '=', gkPersonId)
        .where(namedInTenant('gk_scope_id', gkScopeId))
        .execute();
      return rows.map((row) => row.gk_voiceprint_profile_id);
    },
    ofPersons: async (prints) => new Set((await ownersOf(db, prints)).persons.keys()),
    enrolledElsewhere: (gkScopeId, gkSessionId) => enrolledElsewhere(db, gkScopeId, gkSessionId),
    linkSaid: (person, of) => linkSaid(db, person, of),
    linkEngagement: (person, gkEngagementId) => linkEngagement(db, person, gkEngagementId),
    engagementsOf: async (gkScopeId, gkPersonId, { prints, uploads }) => [
      ...new Set([
        ...(await engagementsByVoice(db, { gkScopeId, gkPersonId }, uploads)),
        ...(await engagementsByScores(db, gkScopeId, prints)),
      ]),
    ],
    ...linksInUploads(db),
    async speakersIn(gkEngagementId) {
      const recordings = await db
        .selectFrom('media_segments')
        .select('gk_media_segment_id')
        .where('gk_engagement_id', '=', gkEngagementId)
        .limit(ENGAGEMENT_RECORDINGS_MAX + 1)
        .execute();
      if (recordings.length > ENGAGEMENT_RECORDINGS_MAX) return 'many';
      const speakers = await db
        .selectFrom('media_segments')
        .innerJoin('voice_ties', 'voice_ties.gk_media_segment_id', 'media_segments.gk_media_segment_id')
        .select(['voice_ties.gk_person_id', 'media_segments.gk_session_id'])
        .distinct()
        .where('media_segments.gk_engagement_id', '=', gkEngagementId)
        .where('voice_ties.is_speaker', '=', 1)
        .execute();
      return speakers.map((row) => ({ gkPersonId: row.gk_person_id, gkSessionId: row.gk_session_id }));
    },
    checksOf: async (gkMediaSegmentId) => (await factorsOfRecording(db, gkMediaSegmentId)).map(factorOf),
    forgetScores: (gkScopeId, of, keptEngagements) => forgetScores(db, gkScopeId, of, keptEngagements),
    forgetHits: (gkScopeId) =>
      forgetHits(db, gkScopeId, (gkSessionIds) =>
        erasedAmong(db, { gkSessionIds, gkVoiceprintProfileIds: [] }),
      ),
    forgetAnswers: async (named) => emptyAnswers(db, keyring, await answersNaming(db, named)),
    async unlink(gkPersonId, { kept, awaited, guessed, shared }) {
      const mark = (isKept: number, gkMediaSegmentId: string) =>
        db
          .updateTable('voice_ties')
          .set({ is_kept: isKept })
          .where('gk_person_id', '=', gkPersonId)
          .where('gk_media_segment_id', '=', gkMediaSegmentId);
      for (const id of kept) await mark(KEPT, id).execute();
      // Only guesses are marked: if the link has become certain since it was read, that change has already
      // requested another erasure.
      for (const id of awaited) await mark(AWAITED, id).where('by_session', '=', 1).execute();
      const recordings = db.selectFrom('media_segments').select('gk_media_segment_id');
      await db
        .deleteFrom('voice_ties')
        .where('gk_person_id', '=', gkPersonId)
        .where((where) =>
          where.or([
            ...shared.map((id) => where('gk_media_segment_id', '=', id)),
            ...guessed.map((id) =>
              where.and([where('gk_media_segment_id', '=', id), where('by_session', '=', 1)]),
            ),
            // Links made while the recording was being deleted.
            where('gk_media_segment_id', 'not in', recordings),
          ]),
        )
        .execute();
    },
    reconsider: (gkScopeId, kept) => reconsider(db, gkScopeId, kept),
    async remains(gkScopeId, gkPersonId, { mediaIds, prints = [], keptEngagements = [] }) {
      const counted = (query: { executeTakeFirstOrThrow(): Promise<{ count: number | string }> }) =>
        query.executeTakeFirstOrThrow().then(({ count }) => Number(count));
      const rows = sql<number>`count(*)`.as('count');
      let left = await counted(db.selectFrom('parties').select(rows).where('gk_id', '=', gkPersonId));
      left += await counted(
        db.selectFrom('voiceprint_profiles').select(rows).where('gk_owner_id', '=', gkPersonId),
      );
      left += await counted(
        db.selectFrom('collection_members').select(rows).where('member_gk_id', '=', gkPersonId),
      );
      left += await counted(
        db
          .selectFrom('same_persons')
          .select(rows)
          .where((where) =>
            where.or([where('gk_person_id', '=', gkPersonId), where('gk_other_person_id', '=', gkPersonId)]),
          ),
      );
      left += await countScores(db, prints, new Set(keptEngagements));
      for (let at = 0; at < mediaIds.length; at += IDS_PER_QUERY) {
        const ids = mediaIds.slice(at, at + IDS_PER_QUERY);
        for (const table of [
          'media_segments',
          'processed_audios',
          'call_voices',
          'call_findings',
          'enrollment_segments',
          'voice_ties',
        ] as const)
          left += await counted(db.selectFrom(table).select(rows).where('gk_media_segment_id', 'in', ids));
      }
      left += (await answersNaming(db, [gkPersonId, ...prints, ...mediaIds])).length;
      // A block or group middle with more voices than there are recordings still holds the voice of somebody
      // who was erased.
      left += (await outdatedBlocks(db, gkScopeId)).length;
      left += (await outdatedMiddles(db, gkScopeId)).length;
      return left;
    },
  };
}

async function hasTraces(db: Db, gkScopeId: string, gkPersonId: string): Promise<boolean> {
  const link = db
    .selectFrom('voice_ties')
    .select('gk_person_id')
    .where('gk_person_id', '=', gkPersonId)
    .where('gk_scope_id', '=', gkScopeId)
    .limit(1);
  if (await link.executeTakeFirst()) return true;
  const session = db
    .selectFrom('sessions')
    .select('gk_session_id')
    .where('claimed_gk_person_id', '=', gkPersonId)
    .where('gk_scope_id', '=', gkScopeId)
    .limit(1);
  if (await session.executeTakeFirst()) return true;
  const print = db
    .selectFrom('former_prints')
    .select('gk_voiceprint_profile_id')
    .where('gk_person_id', '=', gkPersonId)
    .where(namedInTenant('gk_scope_id', gkScopeId))
    .where('gk_person_id', 'not in', db.selectFrom('erased_persons').select('gk_person_id'))
    .limit(1);
  if (await print.executeTakeFirst()) return true;
  const record = recordsNaming(db, gkScopeId, gkPersonId)
    .select('audit_records.seq')
    .where('audit_records.personal', 'is not', null)
    .limit(1);
  return (await record.executeTakeFirst()) !== undefined;
}

/** Engagements in which the person was claimed, or heard in a recording. */
async function engagementsByVoice(
  db: Db,
  { gkScopeId, gkPersonId }: { gkScopeId: string; gkPersonId: string },
  uploads: ReadonlySet<string>,
): Promise<string[]> {
  const claimed = await db
    .selectFrom('sessions')
    .select('gk_engagement_id')
    .where('claimed_gk_person_id', '=', gkPersonId)
    .where(namedInTenant('gk_scope_id', gkScopeId))
    .execute();
  const heard = await db
    .selectFrom('voice_ties')
    .innerJoin('media_segments', 'media_segments.gk_media_segment_id', 'voice_ties.gk_media_segment_id')
    .select(['media_segments.gk_engagement_id', 'media_segments.gk_session_id'])
    .distinct()
    .where('voice_ties.gk_person_id', '=', gkPersonId)
    .where('voice_ties.is_speaker', '=', 1)
    .where(namedInTenant('media_segments.gk_scope_id', gkScopeId))
    .execute();
  const inCalls = heard.filter((row) => !uploads.has(row.gk_session_id));
  return [...claimed, ...inCalls].map((row) => row.gk_engagement_id);
}

async function erasedAmong(
  db: Db,
  { gkSessionIds, gkVoiceprintProfileIds }: Parameters<ErasureRepository['erasedAmong']>[0],
): Promise<ReadonlySet<string>> {
  const erased = new Set<string>();
  for (let at = 0; at < gkSessionIds.length; at += IDS_PER_QUERY) {
    const sessions = await db
      .selectFrom('sessions')
      .select(['gk_session_id', 'document'])
      .where('gk_session_id', 'in', gkSessionIds.slice(at, at + IDS_PER_QUERY))
      .execute();
    for (const { gk_session_id, document } of sessions)
      if (fromJson<{ isErased?: true }>(document).isErased) erased.add(gk_session_id);
  }
  for (let at = 0; at < gkVoiceprintProfileIds.length; at += IDS_PER_QUERY) {
    const prints = await db
      .selectFrom('former_prints')
      .innerJoin('erased_persons', 'erased_persons.gk_person_id', 'former_prints.gk_person_id')
      .select('former_prints.gk_voiceprint_profile_id')
      .where('gk_voiceprint_profile_id', 'in', gkVoiceprintProfileIds.slice(at, at + IDS_PER_QUERY))
      .execute();
    for (const { gk_voiceprint_profile_id } of prints) erased.add(gk_voiceprint_profile_id);
  }
  return erased;
}
