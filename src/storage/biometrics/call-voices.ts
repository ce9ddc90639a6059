// The voices of recordings, sealed one by one in small rows: a search through many calls reads only these,
// most of them in blocks (voice-blocks.ts). They are written and deleted in the same transaction as the
// processed audio.
import type { ProcessedAudio } from '../../biometrics/model/media.js';
import type { CallVoiceRepository, CallVoices } from '../../biometrics/ports/call-voices.js';
import { decodeSample, encodeSample } from '../../voice/scoring/codec.js';
import { namedInTenant } from '../columns.js';
import type { Db } from '../database.js';
import type { CallVoicesTable } from '../schema/biometrics.js';
import { placeOf, type Keyring, type TenantSealer } from '../sealing/keyring.js';
import { readOrDamaged } from './packed.js';
import { readPage } from './page.js';
import {
  dropBlocks,
  keepBlock,
  listBlocks,
  openBlocks,
  outdatedBlocks,
  tenantsToPack,
} from './voice-blocks.js';
import { dropMiddles, ungrouped } from './voice-groups.js';

const place = (id: string): string => placeOf('call_voices', 'voice', id);

/** Replaces a voice that was stored before: audio that is processed again gets a new one. */
export async function keepVoice(
  db: Db,
  sealerOf: () => Promise<TenantSealer>,
  audio: ProcessedAudio,
): Promise<void> {
  const { gkProcessedAudioId, gkScopeId, gkMediaSegmentId, gkSessionId, model, printType } = audio;
  if (!model || printType !== 'VOICEPRINT') return;
  const tenant = await sealerOf();
  const voice = tenant.seal(encodeSample(model.voice), place(gkProcessedAudioId));
  await db
    .insertInto('call_voices')
    .values({
      gk_processed_audio_id: gkProcessedAudioId,
      gk_scope_id: gkScopeId,
      gk_media_segment_id: gkMediaSegmentId,
      gk_session_id: gkSessionId,
      // A call keeps its age, however often it is processed again.
      created_at: audio.receivedAtMs ?? audio.createdAtMs,
      voice,
    })
    .onConflict((conflict) => conflict.column('gk_processed_audio_id').doUpdateSet({ voice, ...ungrouped }))
    .execute();
}

/** Call before storing audio that was processed again. */
export const leaveBlocks = (db: Db, { gkScopeId, gkProcessedAudioId }: ProcessedAudio): Promise<void> =>
  leave(db, gkScopeId, 'gk_processed_audio_id', gkProcessedAudioId);

/**
 * Call before recordings are removed or changed: drops the blocks and group middles that they are part of.
 */
async function leave(
  db: Db,
  gkScopeId: string,
  column: 'gk_media_segment_id' | 'gk_processed_audio_id',
  id: string,
): Promise<void> {
  // Locked: otherwise another node could put these voices into a block between this query and their removal.
  const rows = await db
    .selectFrom('call_voices')
    .select(['block_id', 'group_id', 'is_group_sample'])
    .where(column, '=', id)
    .where(namedInTenant('gk_scope_id', gkScopeId))
    .forUpdate()
    .execute();
  const blockIds = rows.flatMap(({ block_id }) => block_id ?? []);
  await dropBlocks(db, gkScopeId, blockIds);
  const inMiddles = rows.filter(({ is_group_sample }) => is_group_sample === 1);
  const groupIds = inMiddles.flatMap(({ group_id }) => group_id ?? []);
  await dropMiddles(db, gkScopeId, groupIds);
}

export async function dropVoices(db: Db, gkScopeId: string, gkMediaSegmentId: string): Promise<void> {
  await leave(db, gkScopeId, 'gk_media_segment_id', gkMediaSegmentId);
  await db
    .deleteFrom('call_voices')
    .where('gk_scope_id', '=', gkScopeId)
    .where('gk_media_segment_id', '=', gkMediaSegmentId)
    .execute();
}

const columns = ['gk_processed_audio_id', 'gk_session_id', 'created_at', 'voice'] as const;

export function callVoiceRepository(db: Db, keyring: Keyring): CallVoiceRepository {
  /** Voices that cannot be read are counted; the others are still found. */
  async function opened(
    gkScopeId: string,
    rows: readonly Pick<CallVoicesTable, (typeof columns)[number]>[],
  ): Promise<CallVoices> {
    const found: CallVoices = { voices: [], unreadable: 0 };
    if (rows.length === 0) return found;
    const tenant = await keyring.forTenant(db, gkScopeId);
    for (const row of rows) {
      const id = row.gk_processed_audio_id;
      const voice = readOrDamaged(() => decodeSample(tenant.open(row.voice, place(id))));
      if (voice === 'damaged') found.unreadable++;
      else
        found.voices.push({
          gkProcessedAudioId: id,
          gkSessionId: row.gk_session_id,
          createdAtMs: row.created_at,
          voice,
        });
    }
    return found;
  }

  const inTenant = (gkScopeId: string) =>
    db
      .selectFrom('call_voices')
      .select([...columns])
      .where('gk_scope_id', '=', gkScopeId);

  return {
    async list(gkScopeId, { fromMs, isLoose }, page) {
      const query = inTenant(gkScopeId).where('created_at', '>=', fromMs);
      const { rows, next } = await readPage(
        isLoose ? query.where('block_id', 'is', null) : query,
        'gk_processed_audio_id',
        page,
      );
      return { ...(await opened(gkScopeId, rows)), ...(next && { next }) };
    },
    async findMany(gkScopeId, ids) {
      if (ids.length === 0) return { voices: [], unreadable: 0 };
      const rows = await db
        .selectFrom('call_voices')
        .select([...columns])
        .where('gk_processed_audio_id', 'in', [...ids])
        .where(namedInTenant('gk_scope_id', gkScopeId))
        .execute();
      return opened(gkScopeId, rows);
    },
    blocks: (gkScopeId, fromMs) => listBlocks(db, gkScopeId, fromMs),
    openBlocks: (gkScopeId, blockIds) => openBlocks(db, keyring, gkScopeId, blockIds),
    async makeBlock(gkScopeId, blockId, page) {
      const loose = inTenant(gkScopeId).where('block_id', 'is', null).forUpdate();
      const { rows, next } = await readPage(loose, 'gk_processed_audio_id', page);
      const { voices } = await opened(gkScopeId, rows);
      const isWorthIt = rows.length === page.limit && voices.length >= page.limit / 2;
      if (isWorthIt) await keepBlock(db, keyring, { gkScopeId, blockId }, voices);
      return { voices: isWorthIt ? voices.length : 0, ...(next && { next }) };
    },
    dropBlocks: (gkScopeId, blockIds) => dropBlocks(db, gkScopeId, blockIds),
    outdatedBlocks: (gkScopeId) => outdatedBlocks(db, gkScopeId),
    tenantsToPack: (looseMin) => tenantsToPack(db, looseMin),
  };
}
