// Calls of nodes that are gone without a word: closed by another one, with what was decided; and those of a node that was only thought
// to be gone.
import { expect, it } from 'vitest';
import { forgetLiveCalls } from '../../src/biometrics/jobs/forget-live-calls.js';
import { CallFetcher } from '../../src/live/call-fetcher.js';
import { CallOutcomes } from '../../src/live/call-outcomes.js';
import type { LiveCall } from '../../src/live/live-call.js';
import type { LiveCallInfo, LiveEvent } from '../../src/live/model.js';
import type { MovingCall } from '../../src/live/call-handover.js';
import { endReasonText } from '../../src/live/protocols/live-protocol.js';
import { MovingCalls } from '../../src/live/moving-calls.js';
import { NodeRequests } from '../../src/live/node-requests.js';
import { PreparedCalls, type Prepared } from '../../src/live/prepared-calls.js';
import { RunningCalls } from '../../src/live/running-calls.js';
import { silentLog, systemIds } from '../../src/platform.js';
import { createBiometricsStore } from '../../src/storage/biometrics/store.js';
import type { Database } from '../../src/storage/database.js';
import { DatabaseUnavailable } from '../../src/storage/unavailable.js';
import { forEachDatabase } from '../support/database.js';
import { testCall, testStorage } from '../support/storage.js';

/** Longer than any node says nothing, shorter than anything is kept. */
const GONE_MS = 60_000;

async function nodesOn(database: Database) {
  const { keyring, audit, clock } = await testStorage(database);
  const store = createBiometricsStore(database, keyring, audit);
  const deps = { store, clock, log: silentLog };
  const gone = new Set<string>();
  const isDown = async (nodeId: string) => gone.has(nodeId);
  const patience = new AbortController().signal;
  return {
    store,
    audit,
    clock,
    moving: new MovingCalls(deps, 'a', patience),
    outcomes: new CallOutcomes(deps, 'a', patience),
    a: new RunningCalls(deps, { nodeId: 'a', isDown }),
    b: new RunningCalls(deps, { nodeId: 'b', isDown }),
    gone,
    prepared: new PreparedCalls(deps, 'a'),
  };
}

const event = (sequence: number, state: LiveEvent['state'], more: Partial<LiveEvent> = {}): LiveEvent => ({
  liveCallId: 'call',
  sequence,
  atMs: 0,
  state,
  reason: sequence === 1 ? 'STARTED' : 'VOICEPRINT_MATCH',
  netSpeechMs: 0,
  positionMs: 0,
  ...more,
});

const info = (events: LiveEvent[]): LiveCallInfo => ({
  liveCallId: 'call',
  gkScopeId: 't',
  gkEngagementId: 'e',
  gkSessionId: 's',
  protocol: 'websocket',
  startedAtMs: 0,
  ended: events.at(-1)?.endReason !== undefined,
  events,
  netSpeechMs: 0,
  positionMs: 0,
});

const decided = [event(1, 'LISTENING'), event(2, 'AUTHENTIC', { risk: 12, reliability: 90 })];
const callWith = (events: LiveEvent[]) =>
  ({
    info: info(events),
    prints: [],
    resumeToken: 'resume',
    externalCallId: 'conversation',
  }) as unknown as LiveCall;

await forEachDatabase(({ open }) => {
  it('are closed as crashed, once, and what was decided stays', async () => {
    const { clock, outcomes, a, b } = await nodesOn(await open());
    await a.begin(callWith(decided), false);
    clock.advance(GONE_MS);
    await Promise.all([b.closeExpired(), a.closeExpired()]);
    const closed = await outcomes.find('call');
    expect(closed).toMatchObject({
      ended: true,
      events: [...decided, { sequence: 3, endReason: 'crashed' }],
    });
    expect(closed?.events.at(-1)).toMatchObject({ state: 'AUTHENTIC', risk: 12, reliability: 90 });
    expect(closed?.events).toHaveLength(3);
    expect(await b.list('t')).toEqual([]);
    expect((await b.look(['call'])).get('call')).toMatchObject({ isKnown: false, info: { ended: true } });
  });

  it('are closed at once by a node that is alone, which does not ask a node that is gone for them', async () => {
    const { outcomes, a, b, audit } = await nodesOn(await open());
    await a.begin(callWith(decided), false);
    const over = {
      ...info([...decided, event(3, 'AUTHENTIC', { endReason: 'stopped' })]),
      liveCallId: 'over',
    };
    await a.begin({ ...callWith(decided), info: over } as unknown as LiveCall, false);
    await outcomes.keep('over', () => over);
    expect(await b.elsewhere({ liveCallId: 'over' })).toMatchObject({ stage: 'ENDED' });
    // Its own are not left.
    await a.closeLeft();
    expect(await outcomes.find('call')).toMatchObject({ ended: false });
    await b.closeLeft();
    expect((await outcomes.find('call'))?.events.at(-1)).toMatchObject({ sequence: 3, endReason: 'crashed' });
    expect((await outcomes.find('over'))?.events).toHaveLength(3);
    // Whoever looks at its session later reads why nothing more was heard; once.
    await b.closeLeft();
    const records = await audit.search({ chain: 't', gkSessionId: 's', fromMs: 0, limit: 10 });
    expect(records.map(({ record }) => record)).toMatchObject([
      {
        operation: 'CutOffCall',
        actor: { subject: 'system' },
        detail: { liveCallId: 'call', endReason: 'crashed' },
      },
    ]);
    for (const liveCallId of ['call', 'over']) expect(await b.elsewhere({ liveCallId })).toBeUndefined();
  });

  it('are left alone while their node says that it is there', async () => {
    const { clock, outcomes, a, b } = await nodesOn(await open());
    const live = callWith(decided);
    await a.begin(live, false);
    for (let round = 0; round < 5; round++) {
      clock.advance(5000);
      await a.renew([live]);
      await b.closeExpired();
    }
    expect(await outcomes.find('call')).toMatchObject({ ended: false, events: decided });
    expect(await b.elsewhere({ resumeToken: 'resume' })).toMatchObject({ nodeId: 'a' });
    expect(await b.elsewhere({ gkScopeId: 't', externalCallId: 'conversation' })).toMatchObject({
      nodeId: 'a',
    });
    expect(await b.elsewhere({ gkScopeId: 'u', externalCallId: 'conversation' })).toBeUndefined();
    // Its own node need not ask anybody.
    expect(await a.elsewhere({ liveCallId: 'call' })).toBeUndefined();
  });

  it('go on where their node was silent for long, and nobody has closed them meanwhile', async () => {
    const { clock, outcomes, a, b } = await nodesOn(await open());
    const live = callWith(decided);
    await a.begin(live, false);
    clock.advance(GONE_MS);
    expect(await a.renew([live])).toEqual(new Map());
    await b.closeExpired();
    expect(await outcomes.find('call')).toMatchObject({ ended: false, events: decided });
    expect(await b.list('t')).toMatchObject([{ liveCallId: 'call' }]);
  });

  it('stay closed when their node comes back: it is told so, and whatever it writes is refused', async () => {
    const { store, clock, outcomes, moving, a, b, audit } = await nodesOn(await open());
    const live = callWith(decided);
    await a.begin(live, false);
    clock.advance(GONE_MS);
    await b.closeExpired();
    const closed = await outcomes.find('call');
    const records = await audit.search({ chain: 't', fromMs: 0, limit: 10 });
    expect(closed?.events.at(-1)).toMatchObject({ sequence: 3, endReason: 'crashed' });
    expect([...(await a.renew([live]))]).toEqual([[live, closed]]);
    const overtaken = { course: closed };
    const later = info([...decided, event(3, 'FRAUD')]);
    const record = () => Promise.reject(new Error('must not be asked'));
    await expect(outcomes.keepDecided('call', () => later, record)).rejects.toMatchObject(overtaken);
    const stopped = info([...decided, event(3, 'AUTHENTIC', { endReason: 'stopped' })]);
    await expect(outcomes.keep('call', () => stopped)).rejects.toMatchObject(overtaken);
    outcomes.tellLost('call', () => ({ ...later, lostAtMs: clock.now() }));
    await outcomes.settled();
    const context = { gkScopeId: 't', gkEngagementId: 'e', gkSessionId: 's' };
    const question = { context, profileIds: [], checks: {} };
    const away = { liveCallId: 'call', resumeToken: 'resume', externalCallId: '', question, handover: {} };
    expect(await moving.keep('t', away as unknown as MovingCall)).toBe(false);
    expect(await outcomes.find('call')).toEqual(closed);
    expect(await store.read.liveCalls.find('call')).toBeUndefined();
    expect(await audit.search({ chain: 't', fromMs: 0, limit: 10 })).toEqual(records);
  });

  it('are stored with what a decision records or not at all, and as they stand at that time', async () => {
    const { outcomes, a } = await nodesOn(await open());
    const begun = [event(1, 'LISTENING')];
    await a.begin(callWith(begun), false);
    const refuse = () => Promise.reject(new Error('refused'));
    await expect(outcomes.keepDecided('call', () => info(decided), refuse)).rejects.toThrow('refused');
    expect((await outcomes.find('call'))?.events).toEqual(begun);
    let current = info(begun);
    const deciding = outcomes.keepDecided(
      'call',
      () => (current = info(decided)),
      async () => undefined,
    );
    // A word of the agent, while the decision is on its way.
    await Promise.all([deciding, outcomes.keep('call', () => current)]);
    expect((await outcomes.find('call'))?.events).toEqual(decided);
  });

  it('are recorded once where nobody can say whether a commit was made', async () => {
    const { store, clock, a } = await nodesOn(await open());
    await a.begin(callWith([event(1, 'LISTENING')]), false);
    const unsure = new DatabaseUnavailable('lost in the commit', { detail: 'COMMIT_UNKNOWN' });
    let commits = true;
    const losing: typeof store = {
      ...store,
      transaction: (work) =>
        store
          .transaction(async (tx) => {
            const result = await work(tx);
            if (!commits) throw unsure;
            return result;
          })
          .then(() => Promise.reject(unsure)),
    };
    const deps = { store: losing, clock, log: silentLog };
    const outcomes = new CallOutcomes(deps, 'a', new AbortController().signal);
    const decide = () =>
      outcomes.keepDecided(
        'call',
        () => info(decided),
        async () => undefined,
      );
    await decide();
    expect((await outcomes.find('call'))?.events).toEqual(decided);
    commits = false;
    // It was not made: whoever decides tries again.
    await expect(decide()).rejects.toBe(unsure);
  });

  it('say once in the audit trail that they were held up, before what was decided then', async () => {
    const { outcomes, a, audit } = await nodesOn(await open());
    await a.begin(callWith([event(1, 'LISTENING')]), false);
    const told = event(2, 'UNCERTAIN', { reason: 'DATABASE_UNAVAILABLE', atMs: 5000 });
    const current = { ...info([event(1, 'LISTENING'), told]), heldUp: { reason: told.reason, atMs: 5000 } };
    for (let round = 0; round < 2; round++) await outcomes.keep('call', () => current);
    const records = await audit.search({ chain: 't', fromMs: 0, limit: 10 });
    expect(records.map(({ record }) => record)).toMatchObject([
      {
        operation: 'DelayCall',
        detail: { reason: 'DATABASE_UNAVAILABLE', since: '1970-01-01T00:00:05.000Z' },
      },
    ]);
    expect(await outcomes.find('call')).not.toHaveProperty('heldUp');
  });

  it('that have ended stay as they ended', async () => {
    const { clock, outcomes, a, b, gone } = await nodesOn(await open());
    await a.begin(callWith(decided), false);
    const last = info([...decided, event(3, 'AUTHENTIC', { endReason: 'stopped' })]);
    await outcomes.keep(last.liveCallId, () => last);
    expect(await b.list('t')).toEqual([]);
    // In memory there, with the speech that it may have collected.
    expect(await b.elsewhere({ liveCallId: 'call' })).toMatchObject({ nodeId: 'a', stage: 'ENDED' });
    // A node that is gone is not asked for it, and one that comes back is.
    gone.add('a');
    expect(await b.elsewhere({ liveCallId: 'call' })).toBeUndefined();
    gone.delete('a');
    expect(await b.elsewhere({ liveCallId: 'call' })).toMatchObject({ stage: 'ENDED' });
    clock.advance(20 * GONE_MS);
    await b.closeExpired();
    expect((await outcomes.find('call'))?.events.at(-1)).toMatchObject({ endReason: 'stopped' });
    expect(await b.elsewhere({ liveCallId: 'call' })).toBeUndefined();
  });

  it('are taken back where they are on their way and name somebody who is erased, with what was heard', async () => {
    const { store, clock, outcomes, a, b, moving } = await nodesOn(await open());
    const leave = async (liveCallId: string, ...profileIds: string[]): Promise<void> => {
      const context = { gkScopeId: 't', gkEngagementId: 'e', gkSessionId: 's' };
      const question = { context, profileIds, checks: {} };
      const call = { liveCallId, resumeToken: liveCallId, externalCallId: '', question, handover: {} };
      await a.begin({ ...callWith(decided), info: { ...info(decided), liveCallId } } as LiveCall, false);
      expect(await moving.keep('t', call as unknown as MovingCall)).toBe(true);
    };
    await leave('theirs', 'print', 'other');
    await leave('not theirs', 'other');
    const erase = () =>
      store.transaction((tx) =>
        forgetLiveCalls(tx, { gkScopeId: 't', prints: ['print'], gkSessionIds: ['gone'] }, [], clock.now()),
      );
    expect(await erase()).toEqual({ liveCalls: 1, liveCallIds: ['theirs'] });
    expect(await moving.takeByToken('theirs')).toBeUndefined();
    expect(await moving.takeByToken('not theirs')).toMatchObject({ liveCallId: 'not theirs' });
    const { events } = (await outcomes.find('theirs')) as LiveCallInfo;
    expect(events).toMatchObject([
      { sequence: 1 },
      { sequence: 2, state: 'AUTHENTIC' },
      { sequence: 3, endReason: 'failed', reason: 'PERSONAL_DATA_DELETED' },
    ]);
    expect(JSON.stringify(events)).not.toContain('risk');
    expect((await b.look(['theirs'])).get('theirs')).toMatchObject({ isKnown: false, info: { ended: true } });
    expect(await outcomes.find('not theirs')).toMatchObject({ ended: false });
    // Protocols that have only one word for the end say why.
    expect(endReasonText(events.at(-1) as LiveEvent)).toBe('PERSONAL_DATA_DELETED');
    expect(endReasonText(event(3, 'AUTHENTIC', { endReason: 'stopped' }))).toBe('stopped');
    // By their session; and a second proof counts only what the first had left.
    const again = () =>
      store.transaction((tx) =>
        forgetLiveCalls(tx, { gkScopeId: 't', prints: [], gkSessionIds: ['s'] }, [], clock.now()),
      );
    expect(await again()).toMatchObject({ liveCalls: 1, liveCallIds: ['not theirs'] });
    expect(await again()).toMatchObject({ liveCalls: 0 });
  });

  it('are found in safe keeping by a node that asks for one just when its node goes', async () => {
    const { store, clock, a, b, moving } = await nodesOn(await open());
    await a.begin(callWith(decided), false);
    const nobodyServes = () => Promise.reject(new Error('not reached'));
    const deps = { store, clock, ids: systemIds, log: silentLog };
    const requests = new NodeRequests(deps, 'b', nobodyServes, () => false);
    const fetcher = new CallFetcher({ store, moving, running: b, requests });
    // By the clock of the test no time passes: it would be waited for the answer for good.
    const fetched = fetcher.fetch(testCall(), { gkScopeId: 't', externalCallId: 'conversation' });
    await expect.poll(() => store.read.liveRequests.waitingFor('a', clock.now())).toHaveLength(1);
    const context = { gkScopeId: 't', gkEngagementId: 'e', gkSessionId: 's' };
    const call = {
      liveCallId: 'call',
      resumeToken: 'resume',
      externalCallId: 'conversation',
      question: { context, profileIds: [], checks: {} },
      handover: {},
    };
    expect(await moving.keep('t', call as unknown as MovingCall)).toBe(true);
    expect(await fetched).toMatchObject({ liveCallId: 'call' });
    // Nobody is left to answer the question.
    await expect.poll(() => store.read.liveRequests.waitingFor('a', clock.now())).toEqual([]);
    await requests.stop();
  });

  it('are let in once, put back where there was no room, and not after their time', async () => {
    const { clock, prepared } = await nodesOn(await open());
    const { caller } = testCall();
    const ids = { gkScopeId: 't', gkEngagementId: 'e', gkSessionId: 's' };
    const call: Prepared = {
      liveCallId: 'call',
      expiresAtMs: clock.now() + 30_000,
      question: { context: {} } as unknown as Prepared['question'],
      caller,
      externalCallId: 'conversation',
      ids,
    };
    await prepared.add(call, 'token');
    await expect(prepared.add({ ...call, liveCallId: 'other' }, 'more')).rejects.toThrow(
      'already been prepared',
    );
    expect(await prepared.redeem('token')).toEqual(call);
    expect(await prepared.find('call')).toMatchObject({ ...ids, ended: false });
    await expect(prepared.redeem('token')).rejects.toThrow('unknown, already used or expired');
    expect(await prepared.redeemExternal('t', 'conversation')).toBeUndefined();
    await prepared.putBack(call);
    expect(await prepared.redeemExternal('u', 'conversation')).toBeUndefined();
    expect(await prepared.redeemExternal('t', 'conversation')).toEqual(call);
    await prepared.putBack(call);
    expect(await prepared.redeemUuid('conversation')).toEqual(call);
    await prepared.putBack(call);
    clock.advance(30_000);
    await expect(prepared.redeem('token')).rejects.toThrow('unknown, already used or expired');
    await expect(prepared.redeemUuid('call')).rejects.toThrow('no call was prepared');
    expect(await prepared.find('call')).toBeUndefined();
  });
});
