// @module-tag slow
// Sessions that were drawn at random, through the API: each filter of ListSessions by caveat and headline finds exactly those that have it,
// whatever was asked in them, in which order, and afterwards.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Activity } from '../../src/gen/voxgate/biosec/v1/activity_pb.js';
import { callSamples } from '../live/support.js';
import { dice, type Dice } from '../support/dice.js';
import { wavFile } from '../support/sounds.js';
import { asker } from './asking.js';
import { Platform, forEachStore, utterance, type RequestContext } from './support.js';

/** Half a minute on an idle machine, and several on a busy one. */
const TIME_MAX_MS = 400_000;
const SESSIONS = Number(process.env['CAVEATS_SESSIONS'] ?? 36);
const SEED = Number(process.env['CAVEATS_SEED'] ?? 21);

const activity = asker(Activity);

interface Entry {
  details: { gkSessionId: { value: string }; riskInfo?: { decision?: string } };
  assessment: {
    headline: string;
    tone: string;
    caveats?: string[];
    foundLater?: { check: string; gkSessionId?: { value: string } }[];
    inheritedFrom?: { gkSessionId?: { value: string } };
  };
}

const drawnCaveats = [
  'FOUND_LATER',
  'OTHER_PERSON',
  'CONTRADICTION',
  'CLAIM_NOT_CONFIRMED',
  'ATTACK_CHECK_MISSING',
  'LIST_NOT_FULLY_COMPARED',
  'INHERITED',
  'ATTACK_CHECK_UNRESOLVED',
].map((name) => `SESSION_CAVEAT_${name}`);

const caveatsOf = ({ assessment }: Entry): readonly string[] => assessment.caveats ?? [];
const isErased = (entry: Entry): boolean => caveatsOf(entry).includes('SESSION_CAVEAT_DATA_ERASED');

await forEachStore((store) => {
  const home = mkdtempSync(join(tmpdir(), 'voxgate-caveats-'));
  let platform: Platform;
  let reader: RequestContext;
  const prints: Record<string, { profile: string; owner: string }> = {};
  const lists: { value: string }[] = [];
  const recordings: Record<string, Uint8Array> = {};
  const enrolled = new Set<string>();
  const drawn: { context: RequestContext; media: { value: string }[]; isOpen: boolean }[] = [];

  beforeAll(async () => {
    const settings = await store.settings();
    platform = await Platform.start({
      config: { ...settings, home },
      parameters: { locks: { mismatchesMax: 100 } },
    });
    await platform.configure('calm', { attackChecks: { riskHigh: 999, reliabilityMin: 0 } });
    await platform.configure('unsure', { attackChecks: { reliabilityMin: 100 } });
    await platform.configure('alarmed', { attackChecks: { riskHigh: 1, reliabilityMin: 0 } });
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
  afterAll(async () => {
    await platform?.stop();
    rmSync(home, { recursive: true, force: true });
  });

  const asked = async (path: string, body: object): Promise<void> => {
    const { status, body: answer } = await platform.post(path, body);
    expect(status, `${path} ${JSON.stringify(answer)}`).toBe(200);
  };

  /** What may be asked of a recording, in the session or afterwards. */
  async function check(
    { isSo, oneOf }: Dice,
    context: RequestContext,
    gkMediaSegmentId: object,
    chances: { print: number; list: number; attacks: number; configsets?: readonly string[] },
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
      context: { ...context, configsetId: oneOf(chances.configsets ?? ['calm', 'calm', 'unsure']) },
      gkMediaSegmentId,
      ...(kinds !== 'playback' && { syntheticSpeechDetectionParameters: {} }),
      ...(kinds !== 'synthetic' && { channelPlaybackDetectionParameters: {} }),
    });
  }

  async function draw(chance: Dice): Promise<void> {
    const { isSo, oneOf } = chance;
    const context = await platform.open();
    if (isSo(0.5)) await claim(context, oneOf(Object.values(prints)).owner);
    const attacks = oneOf([0, 0.8, 1]);
    const media: { value: string }[] = [];
    for (let count = oneOf([1, 1, 2, 3, 3]); count > 0; count--) {
      // Most say who they are.
      const bytes = recordings[oneOf(['anna', 'anna', 'bruno', 'bruno', 'dora', 'both'])] as Uint8Array;
      const gkMediaSegmentId = { value: await platform.upload(context, bytes) };
      media.push(gkMediaSegmentId);
      await check(chance, context, gkMediaSegmentId, { print: 0.9, list: 0.4, attacks });
    }
    const isOpen = isSo(0.6);
    if (!isOpen) await stop(context);
    if (isSo(0.3)) await checkLater(chance, media);
    if (isSo(0.4)) await goOn(chance, context, oneOf(media));
    if (isSo(0.4)) await checkLater(chance, media);
    drawn.push({ context, media, isOpen });
  }

  /** As an analyst does, in a session of their own. */
  async function checkLater(chance: Dice, media: readonly { value: string }[]): Promise<void> {
    const { isSo, oneOf } = chance;
    const configsets = ['calm', 'calm', 'unsure', 'alarmed'];
    const chances = { print: 0.2, list: 0.5, attacks: 0.7, configsets };
    await check(chance, await platform.open(), oneOf(media), chances);
    if (isSo(0.5)) await enrollFraudster(oneOf(media));
  }

  /** By hand, from a recording of a call. */
  async function enrollFraudster(gkMediaSegmentId: { value: string }): Promise<void> {
    enrolled.add(gkMediaSegmentId.value);
    const context = await platform.open();
    const processed = { context, gkMediaSegmentId, isForEnrollment: true };
    const { gkProcessedAudioId } = (await platform.post('/v1/audios/process', processed)).body.result;
    const name = `case-${randomUUID()}`;
    await platform.createOwner(context, 'fraudster', name);
    const profile = await platform.createProfile(context, 'fraudster', name);
    await asked(`/v1/voiceprints/${profile}/enrollment`, { context, gkProcessedAudioId });
  }

  /** Another session of the engagement, which takes over what the first one came to. */
  async function goOn(chance: Dice, { gkSessionId: _first, ...engagement }: RequestContext, media: object) {
    const { isSo, oneOf } = chance;
    const { body } = await platform.post('/v1/sessions/start', { context: engagement, sessionType: 2 });
    const context = { ...engagement, gkSessionId: body.gkSessionId };
    if (isSo(0.7)) await claim(context, oneOf(Object.values(prints)).owner);
    if (isSo(0.3)) await check(chance, context, media, { print: 0, list: 0, attacks: 1 });
    await stop(context);
  }

  async function claim(context: RequestContext, gkPersonId: string): Promise<void> {
    const details = { claimedGkPersonId: { value: gkPersonId } };
    const body = { context, details, fieldMask: 'claimedGkPersonId' };
    expect((await platform.server.rest('PATCH', '/v1/sessions/details', { body })).status).toBe(200);
  }

  async function stop(context: RequestContext): Promise<void> {
    expect((await platform.server.rest('PUT', '/v1/sessions/stop', { body: { context } })).status).toBe(200);
  }

  const remove = async (path: string): Promise<void> => {
    const { status } = await platform.server.rest('DELETE', `${path}?${platform.query(reader)}`);
    expect([path, status]).toEqual([path, 200]);
  };

  /** What is done to sessions long after they were. */
  async function disturb({ isSo, oneOf }: Dice): Promise<void> {
    const { anna, bruno } = prints as Record<'anna' | 'bruno', { profile: string; owner: string }>;
    for (const { context, media, isOpen } of drawn) {
      if (isOpen && isSo(0.3)) await claim(context, oneOf([anna, bruno]).owner);
      const { value } = oneOf(media);
      // What a voiceprint was made from stays.
      if (isSo(0.2) && !enrolled.has(value)) await remove(`/v1/mediasegments/${value}`);
      if (isSo(0.1)) await stop(context);
    }
    await platform.configure('calls', {
      authentication: { reliabilityMin: 95 },
      locks: { mismatchesMax: 100 },
    });
    await remove(`/v1/voiceprints/profiles/${anna.profile}`);
  }

  async function erase(): Promise<void> {
    await remove(`/v1/persons/${prints['bruno']?.owner}/personal-data`);
    await expect.poll(async () => (await listed({})).some(isErased)).toBe(true);
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

  /** By the erasure of a person, nothing becomes greener, closed, or a decision of its own. */
  function compareErased(before: readonly Entry[], after: readonly Entry[]): void {
    const byId = new Map(after.map((entry) => [idOf(entry), entry]));
    let inherited = 0;
    for (const was of before) {
      const is = byId.get(idOf(was));
      expect(is, idOf(was)).toBeDefined();
      if (!is) continue;
      expect([idOf(was), is.assessment.inheritedFrom?.gkSessionId]).toEqual([
        idOf(was),
        was.assessment.inheritedFrom?.gkSessionId,
      ]);
      if (is.assessment.tone === 'SESSION_TONE_GOOD')
        expect([idOf(was), was.assessment.tone]).toEqual([idOf(was), is.assessment.tone]);
      // One that nobody had stopped is over without a decision.
      const isDecided = is.details.riskInfo?.decision !== undefined;
      if (!isDecided || (!isErased(is) && !is.assessment.inheritedFrom)) continue;
      const stay = caveatsOf(was).filter((name) => !goWithData.includes(name));
      expect([idOf(was), caveatsOf(is)]).toEqual([idOf(was), expect.arrayContaining(stay)]);
      if (was.assessment.inheritedFrom && isErased(is)) inherited += 1;
    }
    // The draw is no test of what never happens.
    expect(inherited).toBeGreaterThan(0);
  }

  /** What was found in recordings that are deleted is forgotten with them. */
  const goWithData = ['SESSION_CAVEAT_FOUND_LATER'];

  const idOf = ({ details }: Entry): string => details.gkSessionId.value;

  /** What was found since is the same wherever its decision is told. */
  function compareFindings(all: readonly Entry[]): void {
    const byId = new Map(all.map((entry) => [idOf(entry), entry]));
    for (const entry of all) {
      const { inheritedFrom, foundLater = [] } = entry.assessment;
      const origin = byId.get(inheritedFrom?.gkSessionId?.value ?? '');
      if (!origin) continue;
      const there = (origin.assessment.foundLater ?? []).map(({ check }) => check);
      const told = foundLater.filter(({ gkSessionId }) => gkSessionId).map(({ check }) => check);
      expect([idOf(entry), told]).toEqual([idOf(entry), there]);
    }
  }

  /** Each caveat and headline is a filter, and the page of a session says what the list says. */
  async function compareAssessments(all: readonly Entry[]): Promise<void> {
    const told = (of: Entry['assessment']): string[] => [...(of.caveats ?? []), of.headline];
    for (const name of new Set(all.flatMap(({ assessment }) => told(assessment)))) {
      const meant = all.filter(({ assessment }) => told(assessment).includes(name));
      const member = name.startsWith('SESSION_CAVEAT') ? 'caveat' : 'headline';
      const ids = meant.map(idOf).toSorted();
      const found = async (order: string): Promise<string[]> =>
        (await listed({ [member]: [name], order })).map(idOf).toSorted();
      expect([name, await found('LIST_ORDER_NEWEST_FIRST')]).toEqual([name, ids]);
      // While sessions are assessed again, they move in this order, also from a page to one that was read before.
      await expect.poll(() => found('LIST_ORDER_DECISION'), { message: name }).toEqual(ids);
    }
    for (const entry of all.slice(0, 12)) {
      const request = { gk_session_id: { value: idOf(entry) } };
      const { body } = await activity(platform, 'gRPC', 'GetSessionTimeline', request, reader);
      expect([idOf(entry), body['assessment']]).toEqual([idOf(entry), entry.assessment]);
    }
  }

  async function compare(): Promise<Entry[]> {
    const all = await listed({});
    compareFindings(all);
    await compareAssessments(all);
    return all;
  }

  it(
    'finds by each filter the sessions that have it, and no others, whatever becomes of them',
    async () => {
      const chance = dice(SEED);
      for (let session = 0; session < SESSIONS; session++) await draw(chance);
      const all = await compare();
      // The draw is no test of what never happens.
      for (const caveat of drawnCaveats) expect(all.flatMap(caveatsOf)).toContain(caveat);
      await disturb(chance);
      const before = await compare();
      await erase();
      compareErased(before, await compare());
    },
    TIME_MAX_MS,
  );
});
