// Live calls that were not heard to their end: their sessions carry a mark, until something is heard in them again.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CallOutcomes } from '../../src/live/call-outcomes.js';
import type { LiveCall } from '../../src/live/live-call.js';
import type { EndReason, LiveCallInfo, LiveEvent } from '../../src/live/model.js';
import { RunningCalls } from '../../src/live/running-calls.js';
import { SessionCaveat } from '../../src/gen/voxgate/biosec/v1/assessment_pb.js';
import { Activity } from '../../src/gen/voxgate/biosec/v1/activity_pb.js';
import type { Factor, Session } from '../../src/biometrics/model/sessions.js';
import { silentLog } from '../../src/platform.js';
import { createBiometricsStore } from '../../src/storage/biometrics/store.js';
import type { Database } from '../../src/storage/database.js';
import { Platform, utterance, type RequestContext } from '../biometrics/support.js';
import { forEachDatabase } from '../support/database.js';
import { testStorage } from '../support/storage.js';
import { Line, startWith, STOP, targetOf } from './line.js';
import { cutOffIn, muLaw, pieces, twoCallers } from './support.js';

/** Longer than any node says nothing. */
const GONE_MS = 60_000;

const event = (sequence: number, more: Partial<LiveEvent> = {}): LiveEvent => ({
  liveCallId: 'call',
  sequence,
  atMs: 0,
  state: 'LISTENING',
  reason: 'STARTED',
  netSpeechMs: 0,
  positionMs: 0,
  ...more,
});

const infoOf = (gkSessionId: string, endReason?: EndReason): LiveCallInfo => ({
  liveCallId: 'call',
  gkScopeId: 't',
  gkEngagementId: 'e',
  gkSessionId,
  protocol: 'websocket',
  startedAtMs: 0,
  ended: endReason !== undefined,
  events: [event(1), ...(endReason ? [event(2, { endReason })] : [])],
  netSpeechMs: 0,
  positionMs: 0,
});

const session = (gkSessionId: string, isActive: boolean, createdAtMs: number) =>
  ({
    gkSessionId,
    gkScopeId: 't',
    gkEngagementId: 'e',
    sessionType: 'CALL_CENTER',
    isTest: false,
    isActive,
    configsetId: '',
    details: {},
    createdAtMs,
    modifiedAtMs: createdAtMs,
    lastActivityAtMs: createdAtMs,
  }) as unknown as Session;

await forEachDatabase(({ open }) => {
  async function node(database: Database) {
    const { keyring, audit, clock } = await testStorage(database);
    const store = createBiometricsStore(database, keyring, audit);
    const deps = { store, clock, log: silentLog };
    const running = new RunningCalls(deps, { nodeId: 'a', isDown: async () => false });
    const outcomesAt = (nodeId: string) => new CallOutcomes(deps, nodeId, new AbortController().signal);
    await store.transaction(async (tx) => {
      await tx.sessions.insert(session('open', true, 1));
      await tx.sessions.insert(session('over', false, 2));
    });
    const begin = (gkSessionId: string) =>
      running.begin(
        {
          info: infoOf(gkSessionId),
          prints: [],
          resumeToken: 'r',
          externalCallId: '',
        } as unknown as LiveCall,
        false,
      );
    const marked = async () => [
      ...(await store.read.sessions.cutOffAmong('t', ['open', 'over', 'unknown'])).keys(),
    ];
    const listed = async () => [
      ...(await store.read.assessments.sessionsWith('t', {
        ...{ caveats: [['CUT_OFF']], headlines: [], decisions: [], orUnassessed: false },
      })),
    ];
    const records = async () =>
      (await audit.search({ chain: 't', fromMs: 0, limit: 10 })).map(({ record }) => record);
    return { store, clock, running, outcomes: outcomesAt('a'), begin, marked, listed, records };
  }

  it.each<[EndReason, string[]]>([
    ['stopped', []],
    ['ended', ['open']],
    ['idle', ['open']],
    ['lost', ['open']],
    ['draining', ['open']],
    ['failed', ['open']],
  ])('that end as %s mark %j', async (endReason, expected) => {
    const { outcomes, begin, marked, listed, records } = await node(await open());
    for (const gkSessionId of ['open', 'over']) {
      await begin(gkSessionId);
      await outcomes.keep('call', () => infoOf(gkSessionId, endReason));
      // An ended call may be written again, and is told of once.
      await outcomes.keep('call', () => infoOf(gkSessionId, endReason));
    }
    expect(await marked()).toEqual(expected);
    expect(await listed()).toEqual(expected);
    // Who has ended it is recorded with their request.
    expect(await records()).toMatchObject(
      (endReason === 'ended' ? [] : expected).map(() => ({
        operation: 'CutOffCall',
        detail: { liveCallId: 'call', endReason },
      })),
    );
  });

  it('are marked also where the session was stopped before the crash was noticed', async () => {
    const { clock, running, begin, marked, records } = await node(await open());
    await begin('over');
    clock.advance(GONE_MS);
    await running.closeExpired();
    expect(await marked()).toEqual(['over']);
    expect(await records()).toMatchObject([{ detail: { endReason: 'crashed' } }]);
  });

  it('are marked while they wait for a connection, and stay so when their node is killed meanwhile', async () => {
    const { store, clock, running, outcomes, begin, marked, records } = await node(await open());
    await begin('open');
    const waiting = { ...infoOf('open'), lostAtMs: clock.now() };
    outcomes.tellLost('call', () => waiting);
    await outcomes.settled();
    expect(await marked()).toEqual(['open']);
    clock.advance(1000);
    const over = { ...session('open', false, 1), completedAtMs: clock.now() };
    await store.transaction((tx) => tx.sessions.update(over));
    // Whoever came back now would find it over.
    outcomes.tellBack('call', () => infoOf('open'));
    await outcomes.settled();
    expect(await marked()).toEqual(['open']);
    clock.advance(GONE_MS);
    await running.closeExpired();
    expect(await marked()).toEqual(['open']);
    expect((await records()).map(({ operation, detail }) => [operation, detail?.['endReason']])).toEqual([
      ['CutOffCall', 'crashed'],
      ['LoseCall', undefined],
    ]);
  });

  it.each<[EndReason, number, string[]]>([
    ['lost', 0, ['over']],
    ['lost', 1000, []],
    ['idle', 0, ['over']],
  ])('that end as %s count where the session was open %i ms before', async (endReason, lateMs, expected) => {
    const { store, clock, outcomes, begin, marked } = await node(await open());
    await begin('over');
    const over = { ...session('over', false, 2), completedAtMs: clock.now() };
    await store.transaction((tx) => tx.sessions.update(over));
    const lostAtMs = clock.now() + lateMs;
    clock.advance(5000);
    await outcomes.keep('call', () => ({ ...infoOf('over', endReason), lostAtMs }));
    expect(await marked()).toEqual(expected);
  });

  it('are no longer told of when something was heard since, and come back with the next one', async () => {
    const { store, clock, outcomes, begin, marked, listed } = await node(await open());
    const hear = (factorId: string) =>
      store.transaction((tx) =>
        tx.factors.insert({
          factorId,
          gkScopeId: 't',
          gkEngagementId: 'e',
          gkSessionId: 'open',
          kind: 'AUTHENTICATION',
          operation: 'Verify',
          decision: 'AUTHENTIC',
          reason: '',
          netSpeechMs: 1,
          configsetRevisionId: '',
          calibrationRevisionId: '',
          createdAtMs: clock.now(),
        } satisfies Factor),
      );
    await begin('open');
    // What is decided at the end itself is no more than was heard until then.
    await hear('last');
    await outcomes.keep('call', () => infoOf('open', 'lost'));
    expect(await marked()).toEqual(['open']);
    clock.advance(1000);
    await hear('later');
    expect([await marked(), await listed()]).toEqual([[], []]);
    clock.advance(1000);
    await begin('open');
    await outcomes.keep('call', () => infoOf('open', 'lost'));
    expect(await marked()).toEqual(['open']);
    // The rest of a session is written without it.
    await store.transaction((tx) => tx.sessions.update(session('open', false, 1)));
    expect(await listed()).toEqual(['open']);
  });
});

describe('from outside', () => {
  let platform: Platform;
  beforeAll(async () => {
    platform = await Platform.start({ config: { 'live.resumeMs': 50 } });
  });
  afterAll(() => platform.stop());

  it('a lost connection is told in the list, which can be narrowed to such calls, until the caller is verified', async () => {
    const { profile } = await platform.printOf('anna');
    const { own } = await twoCallers();
    const gkScopeId = { value: platform.gkScopeId };
    const call = async (end: (line: Line) => void): Promise<RequestContext> => {
      const context = await platform.open();
      const line = new Line(platform);
      await line.begin(JSON.parse(startWith(context, profile)).start);
      line.send(...pieces(muLaw(own), 160));
      end(line);
      await line.closed;
      return context;
    };
    const heard = await call((line) => line.send(STOP));
    const cut = await call((line) => line.socket.terminate());
    const idOf = ({ gkSessionId }: RequestContext) => gkSessionId?.value;
    const client = platform.server.grpc(Activity);
    const cutOff = async (more: object = {}) =>
      (
        await client.listSessions({ context: { gkScopeId }, caveat: [SessionCaveat.CUT_OFF], ...more })
      ).sessions.map(({ details }) => details?.gkSessionId?.value);
    await expect.poll(() => cutOff()).toEqual([idOf(cut)]);
    // Also where the list is read from memory.
    expect(await cutOff({ isActive: true })).toEqual([idOf(cut)]);
    expect(await cutOff({ query: 'nobody' })).toEqual([]);
    const { body } = await platform.server.rest(
      'GET',
      `/v1/x/sessions?context.gkScopeId.value=${gkScopeId.value}`,
    );
    const times = new Map<string, string | undefined>(
      body.sessions.map((entry: { details: { gkSessionId: { value: string } }; cutOffTime?: string }) => [
        entry.details.gkSessionId.value,
        entry.cutOffTime,
      ]),
    );
    expect(times.get(idOf(heard) ?? '')).toBeUndefined();
    expect(Date.parse(times.get(idOf(cut) ?? '') ?? '')).toBeGreaterThan(0);
    // Both are still open: verified again, the caller is known.
    await platform.verify(cut, profile, utterance('anna', 4));
    expect(await cutOff()).toEqual([]);
  });

  const runningIn = async (context: RequestContext, profile: string) => {
    const line = new Line(platform);
    const { event } = await line.begin(JSON.parse(startWith(context, profile)).start);
    return { line, path: `/v1/live/calls/${(event as unknown as { liveCallId: string }).liveCallId}` };
  };
  const timelineOf = async (context: RequestContext) => {
    const path = `/v1/x/sessions/${context.gkSessionId?.value}/timeline?${platform.query(context)}`;
    return (await platform.server.rest('GET', path)).body.events as {
      operation: string;
      member?: object;
      attributes?: Record<string, string>;
    }[];
  };
  const cutOffTimeOf = async (context: RequestContext): Promise<string | undefined> => {
    const path = `/v1/x/sessions?context.gkScopeId.value=${platform.gkScopeId}`;
    const { sessions } = (await platform.server.rest('GET', path)).body;
    type Entry = { details: { gkSessionId: { value: string } }; cutOffTime?: string };
    return (sessions as Entry[]).find(
      ({ details }) => details.gkSessionId.value === context.gkSessionId?.value,
    )?.cutOffTime;
  };

  it('whoever stops listening while the session is open is recorded, and the rest is said to be unheard', async () => {
    const { profile } = await platform.printOf('anna', 'person', 'anna-stopped');
    const { own } = await twoCallers();
    const context = await platform.open();
    const { line, path } = await runningIn(context, profile);
    line.send(muLaw(own));
    await expect.poll(() => line.events.at(-1)?.state).toBe('AUTHENTIC');
    expect((await platform.post(`${path}:end`, {})).body.call.ended).toBe(true);
    expect(await line.closed).toBe('1000 ended');
    // A second time stops nothing.
    await platform.post(`${path}:end`, {});
    expect(Date.parse((await cutOffTimeOf(context)) ?? '')).toBeGreaterThan(0);
    const stops = (await timelineOf(context)).filter(({ operation }) => operation === 'EndCall');
    expect(stops).toMatchObject([{ attributes: { endReason: 'ended' } }]);
    expect(stops[0]?.member).toBeDefined();
    expect(Number(stops[0]?.attributes?.['lengthMs'])).toBeGreaterThan(3000);
    // The last thing that happened: what was decided before it covers nothing that came after.
    expect((await timelineOf(context)).at(-1)?.operation).toBe('EndCall');
    // As soon as the caller is verified again, it is over.
    await platform.verify(context, profile, utterance('anna', 4));
    expect(await cutOffTimeOf(context)).toBeUndefined();
  });

  it('who ends a call whose session is over, or takes one back, is recorded, and nothing was missed', async () => {
    const { profile } = await platform.printOf('anna', 'person', 'anna-over');
    const context = await platform.open();
    const { path } = await runningIn(context, profile);
    await platform.server.rest('PUT', '/v1/sessions/stop', { body: { context } });
    await platform.post(`${path}:end`, {});
    const early = await platform.open();
    const { liveCallId } = (
      await platform.post('/v1/live/calls', { context: early, target: targetOf(profile) })
    ).body;
    await platform.post(`/v1/live/calls/${liveCallId}:end`, {});
    for (const [of, attributes] of [
      [context, {}],
      [early, { liveCallId, reason: 'NOT_BEGUN' }],
    ] as const) {
      const stops = (await timelineOf(of)).filter(({ operation }) => operation === 'EndCall');
      expect(stops).toMatchObject([{ operation: 'EndCall' }]);
      expect(stops[0]?.attributes ?? {}).not.toHaveProperty('endReason');
      expect(stops[0]).toMatchObject('reason' in attributes ? { attributes: { liveCallId } } : {});
      expect(await cutOffTimeOf(of)).toBeUndefined();
    }
  });

  it('a person who opts out while they are listened to is why the call could not go on', async () => {
    const { profile, owner } = await platform.printOf('anna', 'person', 'anna-objects');
    const { own } = await twoCallers();
    const context = await platform.open();
    const { line } = await runningIn(context, profile);
    line.send(muLaw(own));
    await expect.poll(() => line.events.at(-1)?.state).toBe('AUTHENTIC');
    const administration = await platform.open();
    await platform.post(`/v1/persons/${owner}/optout`, { context: administration });
    line.send(muLaw(own), muLaw(own));
    await line.closed;
    expect(line.events.at(-1)).toMatchObject({ endReason: 'failed', reason: 'PERSON_OPTED_OUT' });
    const cut = async () => (await timelineOf(context)).find(({ operation }) => operation === 'CutOffCall');
    await expect.poll(cut).toMatchObject({ attributes: { endReason: 'failed', fault: 'PERSON_OPTED_OUT' } });
  });

  it('a call in which nobody speaks leaves how long it was listened to', async () => {
    const { profile } = await platform.printOf('anna', 'person', 'anna-silent');
    const context = await platform.open();
    const { line } = await runningIn(context, profile);
    line.send(muLaw(new Int16Array(8 * 8000)), STOP);
    await line.closed;
    const heard = () => timelineOf(context).then((all) => all.filter((e) => e.operation === 'LiveAudio'));
    await expect.poll(async () => (await heard()).length).toBe(1);
    const [event] = await heard();
    expect(event?.attributes).toMatchObject({ netSpeechMs: '0' });
    expect(Number(event?.attributes?.['lengthMs'])).toBe(8000);
  });
});

describe('a connection that breaks', () => {
  let platform: Platform;
  beforeAll(async () => {
    platform = await Platform.start();
  });
  afterAll(() => platform.stop());

  const told = (context: RequestContext) => cutOffIn(platform, context);
  const stop = (context: RequestContext) =>
    platform.server.rest('PUT', '/v1/sessions/stop', { body: { context } });
  const nothing = { isCutOff: false, rows: [] };

  /** A call that was heard until it was known who speaks, by the WebSocket. */
  async function heard(name: string) {
    const { profile } = await platform.printOf('anna', 'person', name);
    const { own } = await twoCallers();
    const context = await platform.open();
    const line = new Line(platform);
    const { resume } = (await line.begin(JSON.parse(startWith(context, profile)).start)) as unknown as {
      resume: { resumeToken: string };
    };
    line.send(...pieces(muLaw(own), 160));
    await expect.poll(() => line.events.at(-1)?.state).toBe('AUTHENTIC');
    return { context, line, ...resume };
  }

  it('is told while the call waits, and no longer when it goes on', async () => {
    const { context, line, resumeToken } = await heard('anna-comes-back');
    expect(await told(context)).toEqual(nothing);
    line.socket.terminate();
    await expect.poll(() => told(context)).toEqual({ isCutOff: true, rows: ['LoseCall'] });
    const again = new Line(platform);
    await again.begin({ resumeToken });
    await expect.poll(() => told(context)).toEqual({ isCutOff: false, rows: ['LoseCall', 'ResumeCall'] });
    again.send(STOP);
    await again.closed;
    await stop(context);
    expect((await told(context)).isCutOff).toBe(false);
  });

  it('cuts a session off that is stopped while the call waits, at once or later', async () => {
    for (const waits of [true, false]) {
      const { context, line } = await heard(`anna-is-gone-${String(waits)}`);
      line.socket.terminate();
      if (waits) await expect.poll(async () => (await told(context)).isCutOff).toBe(true);
      // The server has to hear of it first.
      else await pause(300);
      await stop(context);
      const rows = [...(waits ? ['LoseCall'] : []), 'CutOffCall lost'];
      await expect.poll(() => told(context)).toEqual({ isCutOff: true, rows });
    }
  });

  it('leaves a session alone that was stopped before', async () => {
    const { context, line } = await heard('anna-was-through');
    await stop(context);
    line.socket.terminate();
    // Its call is over a moment later, as one that waits in a session which is over.
    await pause(7000);
    expect(await told(context)).toEqual(nothing);
  });
});
