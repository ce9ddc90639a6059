// Media segments: the facts about uploaded audio; its bytes are in the blob store.
import type { SqlBool } from 'kysely';
import type { MediaSegment } from '../../biometrics/model/media.js';
import type { MediaRepository } from '../../biometrics/ports/media.js';
import { flag, namedInTenant, optional, orNull, readTimes, storedTimes } from '../columns.js';
import { locksRows, type Db } from '../database.js';
import type { MediaSegmentsTable } from '../schema/biometrics.js';
import type { Keyring, TenantSealer } from '../sealing/keyring.js';
import { forgetFindingsIn } from './call-findings.js';
import { isOnHold } from './holds.js';
import { ownerReplaced, unlinkOwner } from './corrected-links.js';
import { reassess, reassessMedia } from './reassess.js';
import { openTexts, sealTexts, sealerForTexts } from './texts.js';
import { linkKnown, linkNamed, linkToEngagement } from './voice-links.js';

type Columns =
  | 'gkMediaSegmentId'
  | 'gkScopeId'
  | 'gkEngagementId'
  | 'gkSessionId'
  | 'gkPersonId'
  | 'legalHold'
  | 'createdAtMs'
  | 'modifiedAtMs';
type Document = Omit<MediaSegment, Columns>;

export function mediaRepository(db: Db, keyring: Keyring): MediaRepository {
  const toRow = (media: MediaSegment): Promise<MediaSegmentsTable> =>
    rowOf(media, () => keyring.forTenant(db, media.gkScopeId));
  async function fromRows(rows: readonly StoredMedia[]): Promise<MediaSegment[]> {
    // Expired media may belong to several tenants.
    const sealers = new Map<string, TenantSealer | undefined>();
    for (const row of rows)
      if (!sealers.get(row.gk_scope_id))
        sealers.set(row.gk_scope_id, await sealerForTexts(keyring, db, row.gk_scope_id, [row]));
    return rows.map((row) => fromRow(row, sealers.get(row.gk_scope_id)));
  }
  const all = () => db.selectFrom('media_segments').selectAll().select(isOnHold().as('on_hold'));
  return {
    async insert(media) {
      await db
        .insertInto('media_segments')
        .values(await toRow(media))
        .execute();
      await reassess(db, media.gkScopeId, { sessions: [media.gkSessionId] });
      await linkNamed(db, media);
      await linkToEngagement(db, media);
    },
    async link(gkScopeId, gkMediaSegmentId, gkPersonId) {
      await linkKnown(db, { gkPersonId, gkMediaSegmentId, gkScopeId });
    },
    async isLinked(gkMediaSegmentId, gkPersonId) {
      const query = db
        .selectFrom('voice_ties')
        .select('gk_person_id')
        .where('gk_person_id', '=', gkPersonId)
        .where('gk_media_segment_id', '=', gkMediaSegmentId)
        .where('by_session', '=', 0);
      return (await query.executeTakeFirst()) !== undefined;
    },
    async find(gkScopeId, gkMediaSegmentId) {
      const query = all()
        .where('gk_scope_id', '=', gkScopeId)
        .where('gk_media_segment_id', '=', gkMediaSegmentId);
      return (await fromRows(await (locksRows(db) ? query.forUpdate() : query).execute()))[0];
    },
    async findAnywhere(gkMediaSegmentId) {
      const query = all().where('gk_media_segment_id', '=', gkMediaSegmentId);
      return (await fromRows(await (locksRows(db) ? query.forUpdate() : query).execute()))[0];
    },
    async listByPerson(gkScopeId, gkPersonId) {
      const rows = await db
        .selectFrom('voice_ties')
        .innerJoin('media_segments', 'media_segments.gk_media_segment_id', 'voice_ties.gk_media_segment_id')
        .selectAll('media_segments')
        .select(isOnHold().as('on_hold'))
        .where(namedInTenant('media_segments.gk_scope_id', gkScopeId))
        .where('voice_ties.gk_person_id', '=', gkPersonId)
        .execute();
      // Sorted here: with an `order by`, SQLite would read all media of the tenant in that order instead of
      // this person's.
      return fromRows(rows.sort((a, b) => a.created_at - b.created_at));
    },
    async hasBlob(gkScopeId, blobId) {
      const query = db
        .selectFrom('media_segments')
        .select('gk_media_segment_id')
        .where('gk_scope_id', '=', gkScopeId);
      return (await query.where('blob_id', '=', blobId).limit(1).executeTakeFirst()) !== undefined;
    },
    async listExpired(beforeMs, limit) {
      const enrolled = db.selectFrom('enrollment_segments').select('gk_media_segment_id');
      const rows = await all()
        .where('created_at', '<', beforeMs)
        .where((where) => where.not(isOnHold()))
        .where('gk_media_segment_id', 'not in', enrolled)
        .orderBy('created_at')
        .limit(limit)
        .execute();
      return fromRows(rows);
    },
    async update(media) {
      const before = await ownerReplaced(db, media);
      const { gk_media_segment_id, gk_scope_id, legal_hold: _hold, ...columns } = await toRow(media);
      await db
        .updateTable('media_segments')
        .set(columns)
        .where('gk_media_segment_id', '=', gk_media_segment_id)
        .where('gk_scope_id', '=', gk_scope_id)
        .execute();
      if (before !== undefined) await unlinkOwner(db, before, media);
      await linkNamed(db, media);
    },
    async mark(gkScopeId, gkMediaSegmentId, { legalHold }) {
      await db
        .updateTable('media_segments')
        .set({ legal_hold: flag(legalHold) })
        .where('gk_media_segment_id', '=', gkMediaSegmentId)
        .where('gk_scope_id', '=', gkScopeId)
        .execute();
    },
    async delete(gkScopeId, gkMediaSegmentId) {
      await reassessMedia(db, gkScopeId, gkMediaSegmentId);
      for (const table of ['voice_ties', 'evidence_holds'] as const)
        await db.deleteFrom(table).where('gk_media_segment_id', '=', gkMediaSegmentId).execute();
      await forgetFindingsIn(db, gkMediaSegmentId);
      await db
        .deleteFrom('media_segments')
        .where('gk_scope_id', '=', gkScopeId)
        .where('gk_media_segment_id', '=', gkMediaSegmentId)
        .execute();
    },
  };
}

type StoredMedia = MediaSegmentsTable & { on_hold: SqlBool };

async function rowOf(
  media: MediaSegment,
  sealerOf: () => Promise<TenantSealer>,
): Promise<MediaSegmentsTable> {
  const {
    gkMediaSegmentId,
    gkScopeId,
    gkEngagementId,
    gkSessionId,
    gkPersonId,
    legalHold,
    createdAtMs,
    modifiedAtMs,
    ...document
  } = media;
  return {
    gk_media_segment_id: gkMediaSegmentId,
    gk_scope_id: gkScopeId,
    gk_engagement_id: gkEngagementId,
    gk_session_id: gkSessionId,
    gk_person_id: orNull(gkPersonId),
    legal_hold: flag(legalHold),
    blob_id: orNull(document.blob?.blobId),
    ...(await sealTexts(
      sealerOf,
      { table: 'media_segments', id: gkMediaSegmentId },
      { document: storedTimes(document, 'uploadExpiresAt') },
    )),
    created_at: createdAtMs,
    modified_at: modifiedAtMs,
  };
}

function fromRow(row: StoredMedia, sealer: TenantSealer | undefined): MediaSegment {
  const place = { table: 'media_segments', id: row.gk_media_segment_id } as const;
  const { document } = openTexts<{ document: object }>(sealer, place, row);
  return {
    gkMediaSegmentId: row.gk_media_segment_id,
    gkScopeId: row.gk_scope_id,
    gkEngagementId: row.gk_engagement_id,
    gkSessionId: row.gk_session_id,
    ...optional('gkPersonId', row.gk_person_id),
    legalHold: Boolean(row.on_hold),
    ...readTimes<Document>(document, 'uploadExpiresAt'),
    createdAtMs: row.created_at,
    modifiedAtMs: row.modified_at,
  };
}
