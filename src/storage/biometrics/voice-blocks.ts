// Voices of many recordings, sealed together: a search opens a few hundred blocks instead of a hundred
// thousand rows. Blocks are made from those rows, can be rebuilt, and hold nothing else: when a row is
// removed or changed, its block is deleted in the same transaction.
import { sql } from 'kysely';
import type { CallVoice, OpenedBlock } from '../../biometrics/ports/call-voices.js';
import { blockOf, isWhole, type VoiceBlock } from '../../voice/search/voice-block.js';
import { fromJson, namedInTenant, toJson } from '../columns.js';
import type { Db } from '../database.js';
import { placeOf, type Keyring } from '../sealing/keyring.js';
import { packParts, readOrDamaged, unpackParts } from './packed.js';

const IDS_PER_QUERY = 500;
const place = (blockId: string): string => placeOf('voice_blocks', 'voices', blockId);

type Head = Pick<VoiceBlock, 'ids' | 'revisions' | 'stride'>;

function encodeBlock({ times, models, scales, rows, ids, revisions, stride }: VoiceBlock): Uint8Array {
  const head = Buffer.from(toJson({ ids, revisions, stride } satisfies Head));
  const columns = [times, models, scales, rows].map(
    ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength),
  );
  return packParts([head, ...columns]);
}

function decodeBlock(bytes: Uint8Array): VoiceBlock {
  const [head, times, models, scales, rows] = unpackParts(bytes);
  if (!head || !times || !models || !scales || !rows) throw new RangeError('a block without all its parts');
  const block = {
    ...fromJson<Head>(Buffer.from(head).toString()),
    times: new Float64Array(times.buffer),
    models: new Uint16Array(models.buffer),
    scales: new Float32Array(scales.buffer),
    rows: new Int8Array(rows.buffer),
  };
  if (!isWhole(block)) throw new RangeError('a block whose parts do not fit each other');
  return block;
}

export async function dropBlocks(db: Db, gkScopeId: string, blockIds: readonly string[]): Promise<void> {
  if (blockIds.length === 0) return;
  await db
    .deleteFrom('voice_blocks')
    .where('gk_scope_id', '=', gkScopeId)
    .where('block_id', 'in', [...blockIds])
    .execute();
  await db
    .updateTable('call_voices')
    .set({ block_id: null })
    .where('gk_scope_id', '=', gkScopeId)
    .where('block_id', 'in', [...blockIds])
    .execute();
}

/** The voices must not be in a block yet, and the transaction must have locked their rows. */
export async function keepBlock(
  db: Db,
  keyring: Keyring,
  { gkScopeId, blockId }: { gkScopeId: string; blockId: string },
  voices: readonly CallVoice[],
): Promise<void> {
  const tenant = await keyring.forTenant(db, gkScopeId);
  const block = blockOf(
    voices.map(({ gkProcessedAudioId, createdAtMs, voice }) => ({
      id: gkProcessedAudioId,
      atMs: createdAtMs,
      sample: voice,
    })),
  );
  await db
    .insertInto('voice_blocks')
    .values({
      block_id: blockId,
      gk_scope_id: gkScopeId,
      calls: voices.length,
      newest_at: voices.reduce((newest, { createdAtMs }) => Math.max(newest, createdAtMs), 0),
      voices: tenant.seal(encodeBlock(block), place(blockId)),
    })
    .execute();
  for (let at = 0; at < block.ids.length; at += IDS_PER_QUERY)
    await db
      .updateTable('call_voices')
      .set({ block_id: blockId })
      .where('gk_processed_audio_id', 'in', block.ids.slice(at, at + IDS_PER_QUERY))
      .where(namedInTenant('gk_scope_id', gkScopeId))
      .execute();
}

export async function openBlocks(
  db: Db,
  keyring: Keyring,
  gkScopeId: string,
  blockIds: readonly string[],
): Promise<OpenedBlock[]> {
  if (blockIds.length === 0) return [];
  const rows = await db
    .selectFrom('voice_blocks')
    .select(['block_id', 'voices'])
    .where('block_id', 'in', [...blockIds])
    .where(namedInTenant('gk_scope_id', gkScopeId))
    .execute();
  const tenant = await keyring.forTenant(db, gkScopeId);
  return rows.map(({ block_id: blockId, voices }) => ({
    blockId,
    block: readOrDamaged(() => decodeBlock(tenant.open(voices, place(blockId)))),
  }));
}

export async function listBlocks(db: Db, gkScopeId: string, fromMs: number): Promise<string[]> {
  const rows = await db
    .selectFrom('voice_blocks')
    .select('block_id')
    .where('gk_scope_id', '=', gkScopeId)
    .where('newest_at', '>=', fromMs)
    .orderBy('newest_at', 'desc')
    .orderBy('block_id')
    .execute();
  return rows.map(({ block_id }) => block_id);
}

/**
 * Blocks that hold a deleted recording, or are themselves deleted: programs that know nothing of blocks leave
 * them behind.
 */
export async function outdatedBlocks(db: Db, gkScopeId: string): Promise<string[]> {
  const held = await db
    .selectFrom('voice_blocks')
    .select(['block_id', 'calls'])
    .where('gk_scope_id', '=', gkScopeId)
    .execute();
  const there = await db
    .selectFrom('call_voices')
    .select(['block_id', sql<number>`count(*)`.as('calls')])
    .where('gk_scope_id', '=', gkScopeId)
    .where('block_id', 'is not', null)
    .groupBy('block_id')
    .execute();
  const counts = new Map(held.map(({ block_id, calls }) => [block_id, Number(calls)]));
  const kept = new Map(there.map(({ block_id, calls }) => [block_id ?? '', Number(calls)]));
  return [...new Set([...counts.keys(), ...kept.keys()])].filter(
    (blockId) => counts.get(blockId) !== kept.get(blockId),
  );
}

/** Tenants that have blocks, or at least this many voices in no block. */
export async function tenantsToPack(db: Db, looseMin: number): Promise<string[]> {
  const packed = await db.selectFrom('voice_blocks').select('gk_scope_id').distinct().execute();
  const loose = await db
    .selectFrom('call_voices')
    .select('gk_scope_id')
    .where('block_id', 'is', null)
    .groupBy('gk_scope_id')
    .having(sql<number>`count(*)`, '>=', looseMin)
    .execute();
  return [...new Set([...packed, ...loose].map(({ gk_scope_id }) => gk_scope_id))];
}
