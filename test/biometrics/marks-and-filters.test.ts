// @module-tag slow
// Sessions that were drawn at random, through the API: each filter of ListSessions finds exactly those that have its mark, by themselves or
// where their decision comes from, whatever was asked in them, in which order, and afterwards; and the marks that are told are those that
// are worked out afresh.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { MarkName } from '../../src/biometrics/model/sessions.js';
import { Activity } from '../../src/gen/voxgate/biosec/v1/activity_pb.js';
import { callSamples } from '../live/support.js';
import { dice, type Dice } from '../support/dice.js';
import { wavFile } from '../support/sounds.js';
import { asker } from './asking.js';
import { marksAfresh } from './fresh-marks.js';
import { Platform, forEachStore, utterance, type RequestContext } from './support.js';

/** Half a minute on an idle machine, and several on a busy one. */
const TIME_MAX_MS = 400_000;
const SESSIONS = Number(process.env['MARKS_SESSIONS'] ?? 36);
const SEED = Number(process.env['MARKS_SEED'] ?? 21);

const activity = asker(Activity);

interface Marked {
  undecidedChecks?: unknown;
  missingChecks?: unknown;
  withoutAttackChecks?: boolean;
  withoutWatchlist?: boolean;
}

/** What was found since. */
interface Since {
  foundLater?: unknown[];
  madeFraudsters?: unknown[];
}

interface Entry extends Marked, Since {
  details: { gkSessionId: { value: string }; riskInfo?: { decision?: string } };
  hasMismatch?: boolean;
  hasSecondVoice?: boolean;
  hasOtherPerson?: boolean;
  isErased?: boolean;
  assessment: { headline: string; tone: string; caveats?: string[] };
  carried?: Marked & Since & { isOtherPerson?: boolean; gkSessionId?: { value: string } };
}

/** Also where the decision comes from. */
const inEither =
  (hasMark: (of: Marked) => boolean) =>
  (entry: Entry): boolean =>
    hasMark(entry) || hasMark(entry.carried ?? {});

/** By the filter: its name in the rule, and whether an entry has its mark. */
const marks: Readonly<Record<string, [MarkName, (entry: Entry) => boolean]>> = {
  has_undecided_checks: [
    'UNDECIDED_CHECKS',
    inEither(({ undecidedChecks }) => undecidedChecks !== undefined),
  ],
  without_attack_checks: ['UNCHECKED', inEither(({ withoutAttackChecks }) => withoutAttackChecks === true)],
  has_missing_checks: ['MISSING_CHECKS', inEither(({ missingChecks }) => missingChecks !== undefined)],
  without_watchlist: ['OPEN_LIST', inEither(({ withoutWatchlist }) => withoutWatchlist === true)],
  has_other_person: ['OTHER_PERSON', ({ hasOtherPerson }) => hasOtherPerson === true],
  has_second_voice: ['SECOND_VOICE', ({ hasSecondVoice }) => hasSecondVoice === true],
  has_mismatch: ['MISMATCH', ({ hasMismatch }) => hasMismatch === true],
  has_other_claim: ['OTHER_CLAIMED', ({ carried }) => carried?.isOtherPerson === true],
};

/** Filters by what was found since. */
const findings: Readonly<Record<string, keyof Since>> = {
  is_found_later: 'foundLater',
  has_made_fraudsters: 'madeFraudsters',
};

await forEachStore((store) => {
  const home = mkdtempSync(join(tmpdir(), 'voxgate-marks-'));
  let databaseUrl = '';
  let platform: Platform;
  let reader: RequestContext;
  const prints: Record<string, { profile: string; owner: string }> = {};
  const lists: { value: string }[] = [];
  const recordings: Record<string, Uint8Array> = {};
  const enrolled = new Set<string>();
  const drawn: { context: RequestContext; media: { value: string }[]; isOpen: boolean }[] = [];

  beforeAll(async () => {
    const settings = await store.settings();
    databaseUrl = String(settings['database'] ?? '');
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
    await expect.poll(async () => (await listed({})).some(({ isErased }) => isErased === true)).toBe(true);
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
    const kept = before.flatMap((entry) => [[entry, byId.get(idOf(entry))] as const]);
    for (const [was, is] of kept) {
      const told = (of: Entry | undefined) => [
        idOf(was),
        of?.carried?.gkSessionId,
        of?.carried?.isOtherPerson,
      ];
      expect(told(is)).toEqual(told(was));
      if (is?.assessment.tone === 'SESSION_TONE_GOOD')
        expect([idOf(was), was.assessment.tone]).toEqual([idOf(was), is.assessment.tone]);
      // One that nobody had stopped is over without a decision.
      const isDecided = is?.details.riskInfo?.decision !== undefined;
      if (!isDecided || (!is?.isErased && !is?.carried)) continue;
      for (const [filter, [, hasMark]] of Object.entries(marks))
        if (hasMark(was)) expect([filter, idOf(was), hasMark(is)]).toEqual([filter, idOf(was), true]);
    }
    // The draw is no test of what never happens.
    const carrying = kept.filter(([was]) => was.carried);
    expect(carrying.some(([, is]) => is?.isErased)).toBe(true);
    const isGone = ({ carried }: Entry) => byId.get(carried?.gkSessionId?.value ?? '')?.isErased;
    expect(carrying.some(([was, is]) => was.carried?.isOtherPerson && !is?.isErased && isGone(was))).toBe(
      true,
    );
  }

  const idOf = ({ details }: Entry): string => details.gkSessionId.value;

  /** What was found since is the same wherever its decision is told. */
  async function compareFindings(all: readonly Entry[], mustHappen: boolean): Promise<void> {
    const byId = new Map(all.map((entry) => [idOf(entry), entry]));
    for (const [filter, member] of Object.entries(findings)) {
      const isFound = (of: Since | undefined): boolean => (of?.[member] ?? []).length > 0;
      for (const entry of all) {
        const origin = byId.get(entry.carried?.gkSessionId?.value ?? '');
        expect([idOf(entry), entry.carried?.[member]]).toEqual([idOf(entry), origin?.[member]]);
      }
      const meant = all.filter((entry) => isFound(entry) || isFound(entry.carried));
      for (const order of ['LIST_ORDER_NEWEST_FIRST', 'LIST_ORDER_DECISION']) {
        const found = (await listed({ [filter]: true, order })).map(idOf).toSorted();
        expect([filter, order, found]).toEqual([filter, order, meant.map(idOf).toSorted()]);
      }
      const inherited = meant.filter((entry) => !isFound(entry));
      if (mustHappen) expect([filter, inherited.length > 0]).toEqual([filter, true]);
    }
  }

  /** Each caveat and headline is a filter, and the page of a session says what the list says. */
  async function compareAssessments(all: readonly Entry[]): Promise<void> {
    const told = (of: Entry['assessment']): string[] => [...(of.caveats ?? []), of.headline];
    for (const name of new Set(all.flatMap(({ assessment }) => told(assessment)))) {
      const meant = all.filter(({ assessment }) => told(assessment).includes(name));
      const member = name.startsWith('SESSION_CAVEAT') ? 'caveat' : 'headline';
      const found = (await listed({ [member]: [name] })).map(idOf).toSorted();
      expect([name, found]).toEqual([name, meant.map(idOf).toSorted()]);
    }
    for (const entry of all.slice(0, 12)) {
      const request = { gk_session_id: { value: idOf(entry) } };
      const { body } = await activity(platform, 'gRPC', 'GetSessionTimeline', request, reader);
      expect([idOf(entry), body['assessment']]).toEqual([idOf(entry), entry.assessment]);
    }
  }

  async function compare(mustHappen: (mark: MarkName) => boolean): Promise<Entry[]> {
    const all = await listed({});
    await compareFindings(all, mustHappen('UNCHECKED'));
    await compareAssessments(all);
    const afresh = await marksAfresh({ home, databaseUrl }, platform.gkScopeId, all.map(idOf));
    for (const [filter, [mark, hasMark]] of Object.entries(marks)) {
      const meant = all.filter(hasMark).map(idOf).toSorted();
      expect([mark, meant]).toEqual([
        mark,
        all
          .map(idOf)
          .filter((id) => afresh.get(id)?.includes(mark))
          .toSorted(),
      ]);
      // The draw is no test of what never happens.
      if (mustHappen(mark))
        expect([filter, meant.length > 1 && meant.length < all.length]).toEqual([filter, true]);
      for (const order of ['LIST_ORDER_NEWEST_FIRST', 'LIST_ORDER_DECISION']) {
        const found = (await listed({ [filter]: true, order })).map(idOf);
        expect([filter, order, found.toSorted()]).toEqual([filter, order, meant]);
      }
    }
    return all;
  }

  it(
    'finds by each filter the sessions that have its mark, and no others, whatever becomes of them',
    async () => {
      const chance = dice(SEED);
      for (let session = 0; session < SESSIONS; session++) await draw(chance);
      const all = await compare(() => true);
      // Only there.
      const carrying = all.filter(
        ({ carried, withoutAttackChecks }) => carried?.withoutAttackChecks && !withoutAttackChecks,
      );
      expect(carrying.length).toBeGreaterThan(0);
      await disturb(chance);
      const before = await compare(() => false);
      await erase();
      compareErased(before, await compare(() => false));
    },
    TIME_MAX_MS,
  );
});
