// What is asked of a call at another node is done there once, however slow the database is.
import { deserialize, serialize } from 'node:v8';
import { expect, it } from 'vitest';
import type { LiveRequest } from '../../src/biometrics/ports/live-calls.js';
import type { BiometricsStore } from '../../src/biometrics/ports/store.js';
import { AppError } from '../../src/errors.js';
import { NodeRequests, type ServeRequest } from '../../src/live/node-requests.js';
import { silentLog, systemIds } from '../../src/platform.js';
import { createBiometricsStore } from '../../src/storage/biometrics/store.js';
import type { Database } from '../../src/storage/database.js';
import { forEachDatabase } from '../support/database.js';
import { testCall, testStorage } from '../support/storage.js';
import { inEnglish } from '../../src/words/server/say.js';

const running = { liveCallId: 'call', gkScopeId: 't', nodeId: 'asked' };

/** Speech that is there once, as that of a call. */
function speechOnce() {
  const asked: string[] = [];
  const serve: ServeRequest = async (liveCallId) => {
    asked.push(liveCallId);
    if (asked.length > 1) throw new AppError('INVALID_REQUEST', inEnglish('there is no speech'));
    return 'enrolled';
  };
  return { asked, serve };
}

async function depsOn(database: Database) {
  const { keyring, audit, clock } = await testStorage(database);
  return { store: createBiometricsStore(database, keyring, audit), clock, ids: systemIds, log: silentLog };
}

/** The same store, whose answers on who is waiting pass through `see`. */
function seenThrough(
  store: BiometricsStore,
  see: (waiting: LiveRequest[]) => Promise<LiveRequest[]>,
): BiometricsStore {
  const { liveRequests } = store.read;
  const waitingFor: typeof liveRequests.waitingFor = async (...of) =>
    see(await liveRequests.waitingFor(...of));
  return { ...store, read: { ...store.read, liveRequests: { ...liveRequests, waitingFor } } };
}

await forEachDatabase(({ open }) => {
  it('is not done again by a look that began before the answer was there', async () => {
    const deps = await depsOn(await open());
    const { asked, serve } = speechOnce();
    let tellSeen = () => {};
    const seenAgain = new Promise<void>((resolve) => (tellSeen = resolve));
    let isStale = false;
    let looksAfterwards = 0;
    let seen: LiveRequest[] = [];
    const late = seenThrough(deps.store, async (waiting) => {
      if (isStale) looksAfterwards += 1;
      if (seen.length === 0) return (seen = waiting);
      if (waiting.length === 0 || isStale) return waiting;
      // Answered while this look is still on its way.
      tellSeen();
      await expect.poll(() => deps.store.read.liveRequests.waitingFor('asked', deps.clock.now())).toEqual([]);
      isStale = true;
      return waiting;
    });
    const slowly: ServeRequest = async (...request) => {
      await seenAgain;
      return serve(...request);
    };
    const asking = new NodeRequests(deps, 'asking', serve, () => false);
    const node = new NodeRequests({ ...deps, store: late }, 'asked', slowly, () => true);
    const ask = () => asking.ask(testCall(), running, { do: 'enroll', consent: true });
    expect(await ask()).toBe('enrolled');
    await expect.poll(() => looksAfterwards).toBeGreaterThan(0);
    expect(asked).toEqual(['call']);
    // Who asks anew is answered anew.
    await expect(ask()).rejects.toThrow('there is no speech');
    await node.stop();
  });

  it('is not done again where the answer could not be stored at first', async () => {
    const deps = await depsOn(await open());
    const { asked, serve } = speechOnce();
    let failures = 2;
    const failing: BiometricsStore = {
      ...deps.store,
      transaction: (work) =>
        failures-- > 0 ? Promise.reject(new Error('the database is away')) : deps.store.transaction(work),
    };
    const asking = new NodeRequests(deps, 'asking', serve, () => false);
    const node = new NodeRequests({ ...deps, store: failing }, 'asked', serve, () => true);
    expect(await asking.ask(testCall(), running, { do: 'enroll', consent: true })).toBe('enrolled');
    expect(asked).toEqual(['call']);
    await node.stop();
  });

  it('is refused in words that nodes of 0.2.0 understand, and theirs are understood', async () => {
    const deps = await depsOn(await open());
    const { store, clock } = deps;
    const refused = { ok: false, code: 'INVALID_REQUEST', message: 'there is no speech', detail: {} };
    const refusing: ServeRequest = async () => {
      throw new AppError('INVALID_REQUEST', inEnglish('there is no speech'));
    };
    const node = new NodeRequests(deps, 'asked', refusing, () => true);
    const { caller, requestId } = testCall();
    const asked = serialize({ request: { do: 'end' }, caller, requestId });
    const ask = { ...running, requestId: 'of 0.2.0', expiresAtMs: clock.now() + 60_000, asked };
    await store.transaction(({ liveRequests }) => liveRequests.put(ask));
    const answer = () => store.read.liveRequests.findAnswer('of 0.2.0');
    await expect.poll(answer).toBeDefined();
    expect(deserialize((await answer()) ?? Buffer.alloc(0))).toMatchObject(refused);
    await node.stop();

    const asking = new NodeRequests(deps, 'asking', refusing, () => false);
    const older = { ...running, nodeId: 'older' };
    const answered = asking.ask(testCall(), older, { do: 'enroll', consent: true });
    const waiting = () => store.read.liveRequests.waitingFor('older', clock.now());
    await expect.poll(waiting).toHaveLength(1);
    for (const request of await waiting())
      await store.transaction(({ liveRequests }) => liveRequests.answer(request, serialize(refused)));
    await expect(answered).rejects.toMatchObject({ code: 'INVALID_REQUEST', message: 'there is no speech' });
  });
});
