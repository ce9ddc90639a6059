// Groups of calls of one voice are stored: each call is compared once, and nothing in a group outlives its calls. On both databases.
import { expect, it, describe } from 'vitest';
import { groupCalls } from '../../../src/biometrics/voice-search/call-groups.js';
import { packVoices } from '../../../src/biometrics/voice-search/pack-voices.js';
import { DAY_MS } from '../../../src/platform.js';
import { resealColumn, rotateDataKeys } from '../../../src/storage/sealing/rotation.js';
import { sealedColumns } from '../../../src/storage/sealing/sealed-columns.js';
import { normalized } from '../../../src/voice/embedding/vector.js';
import { scoreSample } from '../../../src/voice/scoring/score.js';
import type { SpeakerModel, VoiceSample } from '../../../src/voice/scoring/speaker-model.js';
import { buildTemplate } from '../../../src/voice/scoring/template.js';
import { model as madeUp } from '../../../bench/made-up-prints.js';
import { forEachDatabase } from '../../support/database.js';
import { testCall } from '../../support/storage.js';
import { audioOf, SCOPE, tenantWith } from './stored-voices.js';

const NOW_MS = 100 * DAY_MS;
const numberOf = (gkProcessedAudioId: string) => gkProcessedAudioId.replace('audio-', '');

/** The voice of a person, by a letter, a little different each time. */
function voiceOf(person: string, index: number): VoiceSample {
  const own = person.charCodeAt(0) - 'a'.charCodeAt(0);
  const numbers = Float32Array.from({ length: madeUp.dim }, (_, at) => (at === own ? 1 : 0));
  numbers[100 + (index % 50)] = 0.2;
  const quality = { netMs: 10_000, snrDb: 20, bandwidth: 'wide' as const };
  return { embedding: normalized(numbers), ...quality, modelRevision: madeUp.revision };
}
const llrOf = (a: VoiceSample, b: VoiceSample) => scoreSample(madeUp, buildTemplate(madeUp, [a]), b).llr;
const LINE_LLR = (llrOf(voiceOf('a', 1), voiceOf('a', 2)) + llrOf(voiceOf('a', 1), voiceOf('b', 2))) / 2;
const model: SpeakerModel = { ...madeUp, thresholds: [{ far: 0.0001, llr: LINE_LLR }] };

await forEachDatabase(({ open }) => {
  async function prepare(people = '') {
    const tenant = await tenantWith(await open(), { hasLegalBasis: true, days: 30 }, NOW_MS);
    const { store, deps, database, parameters } = tenant;
    let calls = 0;
    /** One call for each letter, oldest first, a minute between two. */
    const callAs = (persons: string, fromMs = NOW_MS - DAY_MS) =>
      store.transaction(async (tx) => {
        for (const person of persons)
          await tx.processedAudios.insert(audioOf(calls, voiceOf(person, calls), fromMs + 60_000 * calls++));
      });
    const opened = new Set<string>();
    const { findMany } = store.read.callVoices;
    store.read.callVoices.findMany = (gkScopeId, ids) => {
      for (const id of ids) opened.add(numberOf(id));
      return findMany(gkScopeId, ids);
    };
    const ask = async (limits = {}, { days = 30, calibrationRevisionId = 'one' } = {}) => {
      opened.clear();
      const fromMs = NOW_MS - days * DAY_MS;
      const search = { gkScopeId: SCOPE, parameters, model, calibrationRevisionId, fromMs };
      const { groups, heard } = await groupCalls(deps, testCall(), search, limits);
      const numbers = groups.map((group) =>
        group.map(({ gkProcessedAudioId: id }) => numberOf(id)).join(' '),
      );
      return { ...heard, groups: numbers.sort(), opened: [...opened].sort().join(' ') };
    };
    const middles = () => database.db.selectFrom('voice_groups').selectAll().orderBy('group_id').execute();
    const grouped = async () =>
      (await store.read.voiceGroups.calls(SCOPE, 0))
        .flatMap(({ gkProcessedAudioId: id, place }) => (place ? numberOf(id) : []))
        .sort()
        .join(' ');
    await callAs(people);
    return { ...tenant, callAs, ask, middles, grouped, sweep: () => packVoices(deps) };
  }

  it('each call is compared once; a new one joins the group of its voice', async () => {
    const { ask, callAs, middles } = await prepare('abac');
    const first = { groups: ['1', '2 0', '3'], searched: 4, isPartial: false };
    expect(await ask()).toMatchObject({ ...first, opened: '0 1 2 3' });
    expect(await ask()).toMatchObject({ ...first, opened: '' });
    await callAs('bad');
    expect(await ask()).toMatchObject({ groups: ['3', '4 1', '5 2 0', '6'], searched: 7 });
    expect(await middles()).toHaveLength(4);
    expect(await ask({}, { days: 0 })).toMatchObject({ groups: [], searched: 0 });
    // Opened a millisecond before the calls are counted.
    expect(await ask({}, { days: 30 + 1 / DAY_MS })).toMatchObject({ searched: 7, isPartial: false });
  });

  it('of the calls before, only those are opened that a new one may be with', async () => {
    const { ask, callAs } = await prepare('abcdefghijklmnopqrstuvwxyz');
    await ask();
    await callAs('a');
    const { groups, opened } = await ask();
    expect(groups).toContain('26 0');
    // Itself, the one that it joined, and the few most like these.
    expect(opened.split(' ').length).toBeLessThanOrEqual(7);
  });

  describe('a call that goes', () => {
    it('is in no group, and takes the middle along that it was part of', async () => {
      const { ask, callAs, middles, eraseCall, store } = await prepare('aabb');
      await ask();
      const before = await middles();
      await eraseCall(0);
      expect(await middles()).toHaveLength(1);
      expect(before).toHaveLength(2);
      expect(await store.read.erasure.remains(SCOPE, 'nobody', { mediaIds: ['media-0'] })).toBe(0);
      expect(await ask()).toMatchObject({ groups: ['1', '3 2'], opened: '' });
      await callAs('a');
      expect(await ask()).toMatchObject({ groups: ['3 2', '4 1'] });
      expect(await middles()).toHaveLength(2);
    });

    it('with all that made the middle leaves the others together', async () => {
      const { ask, callAs, eraseCall, middles } = await prepare('aaaaaaa');
      // Newest first: the oldest two joined without moving the middle.
      await ask();
      for (const index of [2, 3, 4, 5, 6]) await eraseCall(index);
      expect(await middles()).toHaveLength(0);
      await callAs('a');
      expect(await ask()).toMatchObject({ groups: ['7 1 0'], opened: '0 1 7' });
      expect(await middles()).toHaveLength(1);
    });

    it.each(['sweep', 'request'])(
      'by a program that knows of no groups is counted until the next %s',
      async (by) => {
        const { ask, callAs, database, sweep, store } = await prepare('aab');
        await ask();
        for (const table of ['call_voices', 'processed_audios'] as const)
          await database.db.deleteFrom(table).where('gk_processed_audio_id', '=', 'audio-0').execute();
        const remains = () => store.read.erasure.remains(SCOPE, 'nobody', { mediaIds: ['media-0'] });
        expect(await remains()).toBe(1);
        if (by === 'sweep') await sweep();
        else {
          await callAs('c');
          await ask();
        }
        expect(await remains()).toBe(0);
        expect((await ask()).groups).toContain('1');
      },
    );

    it('while groups are made is part of no middle that is stored', async () => {
      const { ask, store, eraseCall, middles } = await prepare('ab');
      await ask();
      const state = await store.read.voiceGroups.state(SCOPE);
      if (!state) throw new Error('nothing was grouped');
      await eraseCall(0);
      const middle = buildTemplate(model, [voiceOf('a', 0)]);
      const group = { id: 'new', members: new Map(), samples: ['audio-0'], middle };
      const place = { groupId: 'new', llr: 5, isSample: true };
      const changes = { placed: new Map([['audio-0', place]]), remade: [group], removed: [] };
      expect(await store.transaction((tx) => tx.voiceGroups.save(SCOPE, state, changes))).toBe(true);
      expect((await middles()).map(({ group_id }) => group_id)).not.toContain('new');
      // Whoever had the groups of before in mind changes nothing.
      expect(await store.transaction((tx) => tx.voiceGroups.save(SCOPE, state, changes))).toBe(false);
    });
  });

  it('a call that is heard again is compared again', async () => {
    const { ask, store, grouped } = await prepare('aab');
    await ask();
    await store.transaction((tx) =>
      tx.processedAudios.update(audioOf(1, voiceOf('b', 1), NOW_MS - DAY_MS + 60_000)),
    );
    expect(await grouped()).toBe('0 2');
    expect(await ask()).toMatchObject({ groups: ['0', '2 1'] });
  });

  it('a request compares so many new calls, and the next one goes on', async () => {
    const { ask, callAs } = await prepare('abab');
    expect(await ask({ newMax: 3 })).toMatchObject({ groups: ['2', '3 1'], isPartial: true });
    await callAs('a');
    expect(await ask({ newMax: 1 })).toMatchObject({ groups: ['3 1', '4 2'], isPartial: true });
    expect(await ask({ newMax: 1 })).toMatchObject({ groups: ['3 1', '4 2 0'], isPartial: false });
  });

  it('only so many calls are in groups, the newest, and none from before the tenant looks back', async () => {
    const { ask, callAs, grouped, parameters } = await prepare('aabb');
    await ask();
    await callAs('a');
    expect(await ask({ groupedMax: 3 })).toMatchObject({ groups: ['3 2', '4'], isPartial: true });
    expect(await grouped()).toBe('2 3 4');
    expect(await ask()).toMatchObject({ groups: ['3 2', '4 1 0'], isPartial: false });
    parameters.voiceSearch.days = 0;
    expect(await ask()).toMatchObject({ groups: [] });
    expect(await grouped()).toBe('');
  });

  it('with another calibration all calls are compared anew', async () => {
    const { ask } = await prepare('aab');
    await ask();
    const other = await ask({}, { calibrationRevisionId: 'two' });
    expect(other).toMatchObject({ groups: ['1 0', '2'], opened: '0 1 2' });
  });

  it('two requests at the same time find the same, and store it once', async () => {
    const { ask, grouped, middles } = await prepare('aabbc');
    const [one, other] = await Promise.all([ask(), ask()]);
    expect([one.groups, other.groups]).toEqual([one.groups, one.groups]);
    expect(one.groups).toEqual(['1 0', '3 2', '4']);
    expect((await ask()).groups).toEqual(one.groups);
    expect((await ask()).opened).toBe('');
    expect([await grouped(), (await middles()).length]).toEqual(['0 1 2 3 4', 3]);
  });

  it('without a legal basis they are gone with the next sweep', async () => {
    const { ask, sweep, parameters, grouped, middles } = await prepare('aab');
    await ask();
    await sweep();
    expect(await grouped()).toBe('0 1 2');
    parameters.voiceSearch.hasLegalBasis = false;
    await sweep();
    expect([await grouped(), await middles()]).toEqual(['', []]);
  });

  it('middles are sealed for the tenant, and sealed again with a new key', async () => {
    const { ask, callAs, middles, database, keyring } = await prepare('aab');
    await ask();
    const [first] = await middles();
    await rotateDataKeys(database, keyring, SCOPE);
    const column = sealedColumns.find(({ table }) => table === 'voice_groups');
    if (!column) throw new Error('middles are not sealed again');
    expect(await resealColumn(database, keyring, column, SCOPE)).toMatchObject({ scanned: 2, resealed: 2 });
    expect((await middles())[0]?.middle).not.toEqual(first?.middle);
    await callAs('a');
    expect(await ask()).toMatchObject({ groups: ['2', '3 1 0'] });
  });
});
