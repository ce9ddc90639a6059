// Sessions that were drawn at random, through the API: each filter of ListSessions finds exactly those that have its mark, whatever was
// asked in them, in which order, and afterwards.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Activity } from '../../src/gen/voxgate/biosec/v1/activity_pb.js';
import { callSamples } from '../live/support.js';
import { wavFile } from '../support/sounds.js';
import { asker } from './asking.js';
import { Platform, forEachStore, utterance, type RequestContext } from './support.js';

const SESSIONS = Number(process.env['MARKS_SESSIONS'] ?? 36);
const SEED = Number(process.env['MARKS_SEED'] ?? 21);

/** The same ones for the same seed. */
function dice(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return {
    isSo: (chance: number): boolean => next() < chance,
    oneOf: <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)] as T,
  };
}

const activity = asker(Activity);

interface Entry {
  details: { gkSessionId: { value: string }; riskInfo?: { decision?: string } };
  [mark: string]: unknown;
}

/** By the filter: whether an entry has its mark. */
const marks: Readonly<Record<string, (entry: Entry) => boolean>> = {
  has_undecided_checks: ({ undecidedChecks }) => undecidedChecks !== undefined,
  without_attack_checks: ({ withoutAttackChecks }) => withoutAttackChecks === true,
  has_missing_checks: ({ missingChecks }) => missingChecks !== undefined,
  without_watchlist: ({ withoutWatchlist }) => withoutWatchlist === true,
  has_other_person: ({ hasOtherPerson }) => hasOtherPerson === true,
  has_second_voice: ({ hasSecondVoice }) => hasSecondVoice === true,
  has_mismatch: ({ hasMismatch }) => hasMismatch === true,
};

await forEachStore((store) => {
  let platform: Platform;
  let reader: RequestContext;
  const prints: Record<string, { profile: string; owner: string }> = {};
  const lists: { value: string }[] = [];
  const recordings: Record<string, Uint8Array> = {};

  beforeAll(async () => {
    platform = await Platform.start({
      config: await store.settings(),
      parameters: { locks: { mismatchesMax: 100 } },
    });
    await platform.configure('calm', { attackChecks: { riskHigh: 999, reliabilityMin: 0 } });
    await platform.configure('unsure', { attackChecks: { reliabilityMin: 100 } });
    for (const voice of ['anna', 'bruno'] as const) prints[voice] = await platform.printOf(voice);
    const { owner } = await platform.printOf('emil', 'fraudster');
    reader = await platform.open();
    for (const watchlistId of ['ring', 'empty']) {
      const made = await platform.post('/v1/watchlists', { context: reader, watchlistId });
      lists.push(made.body.gkWatchlistId);
    }
    const member = { context: reader, gkFraudsterId: { value: owner } };
    expect((await platform.post(`/v1/watchlists/${lists[0]?.value}/fraudsters`, member)).status).toBe(200);
    for (const voice of ['anna', 'bruno', 'dora'] as const) recordings[voice] = utterance(voice, 4);
    const [first, then] = [
      await callSamples('anna', [4, 5], 16_000),
      await callSamples('bruno', [4, 5], 16_000),
    ];
    recordings['both'] = wavFile(
      [Float32Array.from([...first, ...then], (sample) => sample / 32_768)],
      16_000,
    );
  });
  afterAll(() => platform.stop());

  const asked = async (path: string, body: object): Promise<void> => {
    const { status, body: answer } = await platform.post(path, body);
    expect(status, `${path} ${JSON.stringify(answer)}`).toBe(200);
  };

  /** What may be asked of a recording, in the session or afterwards. */
  async function check(
    { isSo, oneOf }: ReturnType<typeof dice>,
    context: RequestContext,
    gkMediaSegmentId: object,
    chances: { print: number; list: number; attacks: number },
  ): Promise<void> {
    if (isSo(chances.print)) {
      const { profile } = oneOf(Object.values(prints));
      const more = { gkMediaSegmentId, ignoreCheckpoints: true };
      await asked(`/v1/voiceprints/${profile}/verification`, { context, ...more });
    }
    if (isSo(chances.list))
      await asked('/v1/voiceprints/known-fraudsters-detection', {
        ...{ context, gkMediaSegmentId, watchlist: { uniqueId: oneOf(lists) } },
      });
    if (!isSo(chances.attacks)) return;
    const kinds = oneOf(['synthetic', 'playback', 'both', 'both']);
    await asked('/v1/audios/spoofing', {
      context: { ...context, configsetId: oneOf(['calm', 'calm', 'unsure']) },
      gkMediaSegmentId,
      ...(kinds !== 'playback' && { syntheticSpeechDetectionParameters: {} }),
      ...(kinds !== 'synthetic' && { channelPlaybackDetectionParameters: {} }),
    });
  }

  async function draw(chance: ReturnType<typeof dice>): Promise<void> {
    const { isSo, oneOf } = chance;
    const context = await platform.open();
    if (isSo(0.5)) {
      const claimedGkPersonId = { value: oneOf(Object.values(prints)).owner };
      const { status } = await platform.server.rest('PATCH', '/v1/sessions/details', {
        body: { context, details: { claimedGkPersonId }, fieldMask: 'claimedGkPersonId' },
      });
      expect(status).toBe(200);
    }
    const attacks = oneOf([0, 0.8, 1]);
    const media: { value: string }[] = [];
    for (let count = oneOf([1, 1, 2, 3, 3]); count > 0; count--) {
      // Most say who they are.
      const bytes = recordings[oneOf(['anna', 'anna', 'bruno', 'bruno', 'dora', 'both'])] as Uint8Array;
      const gkMediaSegmentId = { value: await platform.upload(context, bytes) };
      media.push(gkMediaSegmentId);
      await check(chance, context, gkMediaSegmentId, { print: 0.9, list: 0.4, attacks });
    }
    if (isSo(0.4))
      expect((await platform.server.rest('PUT', '/v1/sessions/stop', { body: { context } })).status).toBe(
        200,
      );
    if (isSo(0.3))
      await check(chance, await platform.open(), oneOf(media), { print: 0.2, list: 0.5, attacks: 0.7 });
  }

  async function listed(request: object): Promise<Entry[]> {
    const entries: Entry[] = [];
    for (let token = ''; ;) {
      const page = { page_size: 20, page_token: token, ...request };
      const { body, code } = await activity(platform, 'gRPC', 'ListSessions', page, reader);
      expect(code, JSON.stringify(body)).toBe('OK');
      entries.push(...((body['sessions'] ?? []) as Entry[]));
      token = (body['nextPageToken'] ?? '') as string;
      if (token === '') return entries;
    }
  }

  it('finds by each filter the sessions that have its mark, and no others', async () => {
    const chance = dice(SEED);
    for (let session = 0; session < SESSIONS; session++) await draw(chance);
    const all = await listed({});
    const idOf = ({ details }: Entry): string => details.gkSessionId.value;
    for (const [filter, hasMark] of Object.entries(marks)) {
      const meant = all.filter(hasMark).map(idOf);
      // The draw is no test of what never happens.
      expect([filter, meant.length > 1 && meant.length < all.length]).toEqual([filter, true]);
      for (const order of ['LIST_ORDER_NEWEST_FIRST', 'LIST_ORDER_DECISION']) {
        const found = (await listed({ [filter]: true, order })).map(idOf);
        expect([filter, order, found.toSorted()]).toEqual([filter, order, meant.toSorted()]);
      }
    }
  });
});
