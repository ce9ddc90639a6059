// Searching many stored calls: the blocks that they are put together in find what reading one by one finds, hold nobody who was
// erased, and are never believed when they are damaged or outdated. On both databases.
import { describe, expect, it } from 'vitest';
import { mostAlike } from '../../../src/biometrics/voice-search/most-alike.js';
import { packVoices } from '../../../src/biometrics/voice-search/pack-voices.js';
import type { ProcessedAudio } from '../../../src/biometrics/model/media.js';
import { sealedColumns } from '../../../src/storage/sealing/sealed-columns.js';
import { resealColumn, rotateDataKeys } from '../../../src/storage/sealing/rotation.js';
import type { VoiceSample } from '../../../src/voice/scoring/speaker-model.js';
import { buildTemplate } from '../../../src/voice/scoring/template.js';
import { model, sample } from '../../../bench/made-up-prints.js';
import { forEachDatabase } from '../../support/database.js';
import { testCall } from '../../support/storage.js';
import { audioOf, SCOPE, tenantWith } from './stored-voices.js';

const CALLS = 60;
const BLOCK_VOICES = 25;
const FROM_MS = 1_000_000;

await forEachDatabase(({ open }) => {
  async function prepare({ hasLegalBasis = true } = {}) {
    const tenant = await tenantWith(await open(), { hasLegalBasis, days: 30 });
    const { store, database, deps } = tenant;
    const voice = (modelRevision = model.revision): VoiceSample => ({ ...sample(), modelRevision });
    // Two of each moment, and the first six from before.
    const audio = (index: number, heard: VoiceSample): ProcessedAudio =>
      audioOf(index, heard, FROM_MS - 6 + 2 * Math.floor(index / 2));
    const wanted = voice();
    await store.transaction(async (tx) => {
      for (let index = 0; index < CALLS; index++) {
        const heard = index === 30 ? wanted : voice(index % 10 === 9 ? 'another' : undefined);
        await tx.processedAudios.insert(audio(index, heard));
      }
    });
    const warnings: string[] = [];
    const call = testCall();
    const log = { ...call.log, warn: (_fields: object, message: string) => warnings.push(message) };
    const search = async () => {
      const { heard, alike } = await mostAlike(deps, { ...call, log } as typeof call, {
        gkScopeId: SCOPE,
        model,
        template: buildTemplate(model, [wanted]),
        fromMs: FROM_MS,
        callsMax: 10_000,
        wanted: 1,
      });
      return { ...heard, ids: alike.map(({ gkProcessedAudioId }) => gkProcessedAudioId) };
    };
    return {
      ...tenant,
      search,
      audio,
      voice,
      warnings,
      pack: () => packVoices(deps, { blockVoices: BLOCK_VOICES }),
      blocks: () => database.db.selectFrom('voice_blocks').selectAll().orderBy('newest_at').execute(),
      loose: async () => {
        const rows = await database.db.selectFrom('call_voices').select('block_id').execute();
        return rows.filter(({ block_id }) => block_id === null).length;
      },
    };
  }

  it('find the same calls as reading one by one, and count the same', async () => {
    const { search, pack, loose } = await prepare();
    const before = await search();
    expect(before).toMatchObject({ searched: 48, otherModel: 6, unreadable: 0, isPartial: false });
    expect(before.ids).toEqual(['audio-30']);
    expect(await pack()).toEqual({ made: 2, removed: 0 });
    expect(await loose()).toBe(10);
    expect(await search()).toEqual(before);
    // Nothing is done twice.
    expect(await pack()).toEqual({ made: 0, removed: 0 });
  });

  describe('what is erased', () => {
    it('takes its block along at once, and the next sweep makes another without it', async () => {
      const { search, pack, blocks, loose, eraseCall, store } = await prepare();
      await pack();
      const [first, second] = await blocks();
      await eraseCall(30);
      expect((await blocks()).map(({ block_id }) => block_id)).toEqual([first?.block_id]);
      expect(second?.block_id).toBeDefined();
      expect(await loose()).toBe(34);
      const { ids, searched } = await search();
      expect(searched).toBe(47);
      expect(ids).not.toContain('audio-30');
      expect(await store.read.erasure.remains(SCOPE, 'nobody', { mediaIds: ['media-30'] })).toBe(0);
      expect(await pack()).toEqual({ made: 1, removed: 0 });
      expect((await search()).searched).toBe(47);
    });

    it('by a program that knows of no blocks is counted, never found, and out with the next sweep or search', async () => {
      for (const by of ['sweep', 'search'] as const) {
        const { search, pack, blocks, database, store } = await prepare();
        await pack();
        for (const table of ['call_voices', 'processed_audios'] as const)
          await database.db.deleteFrom(table).where('gk_processed_audio_id', '=', 'audio-30').execute();
        expect(await store.read.erasure.remains(SCOPE, 'nobody', { mediaIds: ['media-30'] })).toBe(1);
        const [, second] = await blocks();
        if (by === 'sweep') expect(await pack()).toEqual({ made: 1, removed: 1 });
        else expect((await search()).ids).not.toContain('audio-30');
        expect((await blocks()).map(({ block_id }) => block_id)).not.toContain(second?.block_id);
        expect(await store.read.erasure.remains(SCOPE, 'nobody', { mediaIds: ['media-30'] })).toBe(0);
        expect((await search()).searched).toBe(47);
      }
    });
  });

  it('a call that is heard again leaves its block, and is found by its new voice', async () => {
    const { search, pack, blocks, store, audio, voice } = await prepare();
    await pack();
    await store.transaction((tx) => tx.processedAudios.update(audio(30, voice())));
    expect(await blocks()).toHaveLength(1);
    const { searched, ids } = await search();
    expect(searched).toBe(48);
    expect(ids).not.toContain('audio-30');
  });

  it('a damaged block is named and removed, and its calls are read one by one', async () => {
    const { search, pack, blocks, database, warnings } = await prepare();
    await pack();
    const before = await search();
    const [, second] = await blocks();
    const voices = second?.voices.map((byte, at) => (at === 3000 ? byte ^ 1 : byte));
    await database.db
      .updateTable('voice_blocks')
      .set({ voices: voices ?? new Uint8Array() })
      .where('block_id', '=', second?.block_id ?? '')
      .execute();
    expect(await search()).toEqual(before);
    expect(warnings).toEqual(['a block of voices cannot be read and is removed']);
    expect(await blocks()).toHaveLength(1);
    expect(await search()).toEqual(before);
    expect(warnings).toHaveLength(1);
  });

  it('a damaged voice is counted, and keeps no others from being put together', async () => {
    const { search, pack, database } = await prepare();
    await database.db
      .updateTable('call_voices')
      .set({ voice: new Uint8Array(900) })
      .where('gk_processed_audio_id', 'in', ['audio-10', 'audio-30'])
      .execute();
    expect(await search()).toMatchObject({ searched: 46, unreadable: 2 });
    expect(await pack()).toEqual({ made: 2, removed: 0 });
    expect(await search()).toMatchObject({ searched: 46, unreadable: 2 });
  });

  it('are opened by nothing but the key of the tenant, and are sealed again with a new one', async () => {
    const { search, pack, blocks, database, keyring, warnings } = await prepare();
    await pack();
    const before = await search();
    const [first] = await blocks();
    await rotateDataKeys(database, keyring, SCOPE);
    const column = sealedColumns.find(({ table }) => table === 'voice_blocks');
    if (!column) throw new Error('blocks are not sealed again');
    expect(await resealColumn(database, keyring, column, SCOPE)).toMatchObject({ scanned: 2, resealed: 2 });
    expect((await blocks())[0]?.voices).not.toEqual(first?.voices);
    expect(await search()).toEqual(before);
    expect(warnings).toEqual([]);
    await database.transaction((tx) => keyring.destroy(tx, SCOPE));
    await expect(search()).rejects.toMatchObject({ fault: 'KEY_DESTROYED' });
  });

  it('are made only with a legal basis, and go when there is none any more', async () => {
    const { pack, blocks, loose, parameters } = await prepare({ hasLegalBasis: false });
    expect(await pack()).toEqual({ made: 0, removed: 0 });
    parameters.voiceSearch.hasLegalBasis = true;
    await pack();
    expect(await blocks()).toHaveLength(2);
    parameters.voiceSearch.hasLegalBasis = false;
    expect(await pack()).toEqual({ made: 0, removed: 2 });
    expect([await blocks(), await loose()]).toEqual([[], CALLS]);
  });
});
