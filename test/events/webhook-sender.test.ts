// The sender and its store on both databases: what is sent, again and to whom, with a receiver that answers as it is told and a
// clock that is moved.
import { expect, it } from 'vitest';
import type { CloudEvent } from '../../src/events/feed/cloud-event.js';
import { Addresses } from '../../src/events/webhooks/addresses.js';
import { AppError, DATABASE_UNAVAILABLE } from '../../src/errors.js';
import { createWebhook, getWebhook, updateWebhook } from '../../src/events/webhooks/manage.js';
import { listDeadLetters, replayEvents } from '../../src/events/webhooks/send-again.js';
import { WebhookSender } from '../../src/events/webhooks/sender.js';
import { silentLog, systemIds } from '../../src/platform.js';
import { deleteWebhooks, webhookStore } from '../../src/storage/events/webhook-store.js';
import { underLease } from '../../src/storage/leases.js';
import { forEachDatabase } from '../support/database.js';
import { testCall, testStorage, type TestStorage } from '../support/storage.js';
import { inEnglish } from '../../src/words/server/say.js';
import type { AuditAct } from '../../src/words/audit/english.js';

const TENANT = 'tenant-1';
const DAY_MS = 86_400_000;
const URL = 'https://hooks.example.com/in';

const unavailable = () =>
  new AppError('BUSY', inEnglish('the database is away'), {
    diagnostics: [{ code: DATABASE_UNAVAILABLE }],
  });

/** A receiver; by default it takes everything. */
class Receiver {
  readonly asked: string[] = [];
  answer: (id: string) => number | Error | { status: number; retryAfterMs: number } = () => 204;

  readonly deliver = async (_url: string, { headers }: { headers: Readonly<Record<string, string>> }) => {
    const id = headers['webhook-id'] ?? '';
    this.asked.push(id);
    const answer = this.answer(id);
    if (answer instanceof Error) throw answer;
    return typeof answer === 'number' ? { status: answer } : answer;
  };

  /** What was sent since the last time, sorted. */
  take(): string[] {
    return this.asked.splice(0).sort((a, b) => placeOf(a) - placeOf(b));
  }
}

const placeOf = (id: string): number => Number(id.split('.')[1]);
const ids = (...seqs: number[]): string[] => seqs.map((seq) => `${TENANT}.${seq}`);
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, n) => from + n);

function worldOf({ database, keyring, audit, clock }: TestStorage) {
  const receiver = new Receiver();
  const store = webhookStore({ database, keyring, audit });
  const addresses = new Addresses({ privateNetworks: [], plainHttp: false });
  /** Events that cannot be made, by their place. */
  const bad = new Map<number, Error>();
  const deps = { store, audit, clock, addresses, ids: systemIds, tenantExists: async () => true };
  const newSender = (): WebhookSender =>
    new WebhookSender({
      ...deps,
      deliver: receiver.deliver,
      log: silentLog,
      bodyOf: async (event: CloudEvent) => {
        const fault = bad.get(placeOf(event.id));
        if (fault) throw fault;
        return JSON.stringify(event);
      },
      isTimeProven: async () => true,
      withLease: async (webhookId, work) => void (await underLease(database, webhookId, 60_000, work)),
    });
  const sender = newSender();
  return {
    database,
    store,
    clock,
    receiver,
    bad,
    deps,
    newSender,
    call: testCall(),
    async look(): Promise<string[]> {
      await sender.look();
      await sender.settled();
      return receiver.take();
    },
    async happen(count: number, operation: AuditAct = 'Verify'): Promise<void> {
      for (let n = 0; n < count; n++)
        await database.transaction((tx) =>
          audit.within(tx).append({
            chain: TENANT,
            recordType: 'VOICEPRINT_EVENT',
            operation,
            actor: { subject: 's', issuer: 'i' },
          }),
        );
    },
    async add(types: string[] = []): Promise<{ gkScopeId: string; webhookId: string }> {
      const settings = { gkScopeId: TENANT, url: URL, description: '', types };
      const { webhook } = await createWebhook(deps, testCall(), settings);
      return { gkScopeId: TENANT, webhookId: webhook.webhookId };
    },
  };
}

await forEachDatabase(({ open }) => {
  const world = async () => worldOf(await testStorage(await open()));

  it('sends each event since its making once, as far as the filter goes', async () => {
    const { add, look, happen, deps, call } = await world();
    await happen(2);
    const all = await add();
    const few = await add(['voxgate.v1.Cre*']);
    await happen(20);
    await happen(1, 'CreatePerson');
    // The making of the second one is at 4.
    expect(await look()).toEqual(ids(4, ...range(5, 24), 25, 25));
    expect(await look()).toEqual([]);
    for (const place of [all, few])
      expect(await getWebhook(deps, call, place)).toMatchObject({
        waiting: 0,
        dead: 0,
        progress: { afterSeq: 25, failures: 0 },
      });
  });

  it('tries an event again that was refused, without holding up the others', async () => {
    const { add, look, happen, clock, receiver, deps, call } = await world();
    const place = await add();
    await happen(3);
    receiver.answer = (id) => (placeOf(id) === 3 ? 400 : 200);
    expect(await look()).toEqual(ids(2, 3, 4));
    expect(await look()).toEqual([]);
    await happen(1);
    expect(await look()).toEqual(ids(5));
    clock.advance(6000);
    expect(await look()).toEqual(ids(3));
    clock.advance(6000);
    expect(await look()).toEqual([]);
    expect(await getWebhook(deps, call, place)).toMatchObject({ waiting: 1, dead: 0 });
    receiver.answer = () => 200;
    clock.advance(30_000);
    expect(await look()).toEqual(ids(3));
    expect(await getWebhook(deps, call, place)).toMatchObject({ waiting: 0 });
  });

  it('tries an event again that it could not make, without holding up the others', async () => {
    const { add, look, happen, clock, bad, deps, call } = await world();
    const place = await add();
    await happen(3);
    bad.set(3, new Error('unreadable'));
    expect(await look()).toEqual(ids(2, 4));
    expect(await getWebhook(deps, call, place)).toMatchObject({ waiting: 1, dead: 0 });
    bad.clear();
    clock.advance(6000);
    expect(await look()).toEqual(ids(3));
    // While the database is away nothing is known to be wrong with the event.
    await happen(1);
    bad.set(5, unavailable());
    expect(await look()).toEqual([]);
    expect(await getWebhook(deps, call, place)).toMatchObject({ waiting: 0, progress: { failures: 0 } });
    bad.clear();
    expect(await look()).toEqual(ids(5));
  });

  it('leaves a receiver alone that is away, and sends everything when it is back', async () => {
    const { add, look, happen, clock, receiver, deps, call } = await world();
    const place = await add();
    await happen(30);
    receiver.answer = () => new Error('the connection failed (ECONNREFUSED)');
    expect(await look()).toEqual(ids(...range(2, 17)));
    expect(await look()).toEqual([]);
    const sentWhileAway: string[] = [];
    for (let n = 0; n < 20; n++) {
      clock.advance(60_000);
      sentWhileAway.push(...(await look()));
    }
    // One new event at a time, further and further apart.
    const fresh = new Set(sentWhileAway.map(placeOf).filter((seq) => seq > 17));
    expect(fresh.size).toBeGreaterThanOrEqual(2);
    expect(fresh.size).toBeLessThan(10);
    const { progress } = await getWebhook(deps, call, place);
    expect(progress.failures).toBeGreaterThanOrEqual(3);
    expect(progress.failingSinceMs).toBeDefined();

    receiver.answer = () => 200;
    clock.advance(600_000);
    const back = await look();
    expect(new Set(back)).toEqual(new Set(ids(...range(2, 31))));
    expect(back).toHaveLength(30);
    expect(await getWebhook(deps, call, place)).toMatchObject({ waiting: 0, progress: { failures: 0 } });
  });

  it('sends nothing, old or new, to a receiver that asks for quiet', async () => {
    const { add, look, happen, clock, receiver } = await world();
    await add();
    await happen(2);
    receiver.answer = () => 500;
    expect(await look()).toEqual(ids(2, 3));
    clock.advance(6000);
    receiver.answer = () => ({ status: 429, retryAfterMs: 600_000 });
    await happen(1);
    expect((await look()).length).toBeGreaterThan(0);
    clock.advance(590_000);
    await happen(1);
    expect(await look()).toEqual([]);
    receiver.answer = () => 204;
    clock.advance(20_000);
    const sent = new Set([...(await look()), ...(await look())]);
    expect([...sent].sort()).toEqual(ids(2, 3, 4, 5));
  });

  it('gives an event up after three days; it is listed and can be sent again', async () => {
    const { add, look, happen, clock, receiver, deps, call } = await world();
    const place = await add();
    await happen(2);
    receiver.answer = (id) => (placeOf(id) === 2 ? 500 : 200);
    for (let turn = 0; turn < 30; turn++) {
      await look();
      clock.advance(3 * 3600_000);
    }
    expect(await look()).toEqual([]);
    const { letters } = await listDeadLetters(deps, call, { ...place, pageSize: 0, pageToken: '' });
    expect(letters).toMatchObject([
      {
        eventId: `${TENANT}.2`,
        event: { type: 'voxgate.v1.Verify' },
        lastFault: 'the receiver answered 500',
      },
    ]);
    expect(letters[0]?.attempts).toBeGreaterThan(10);
    receiver.answer = () => 200;
    expect(await replayEvents(deps, call, { ...place, deadLettersOnly: true })).toEqual({
      events: 1,
      webhookIsOff: false,
    });
    // And that it was asked for.
    expect(await look()).toEqual(ids(2, 4));
    expect(await getWebhook(deps, call, place)).toMatchObject({ waiting: 0, dead: 0 });
  });

  it('forgets what was given up after thirty days', async () => {
    const { add, look, happen, clock, receiver, deps, call } = await world();
    const place = await add();
    await happen(2);
    receiver.answer = (id) => (placeOf(id) === 2 ? 500 : 200);
    await look();
    clock.advance(3 * DAY_MS);
    await look();
    expect(await getWebhook(deps, call, place)).toMatchObject({ dead: 1 });
    clock.advance(31 * DAY_MS);
    await look();
    expect(await getWebhook(deps, call, place)).toMatchObject({ dead: 0, waiting: 0 });
  });

  it('sends the events of a time again, as far as they were sent', async () => {
    const { add, look, happen, clock, deps, call } = await world();
    await happen(2);
    const place = await add(['voxgate.v1.Verify']);
    await look();
    clock.advance(1000);
    const fromMs = clock.now();
    await happen(3);
    await look();
    clock.advance(1000);
    await happen(1);
    await happen(1, 'CreatePerson');
    expect(await look()).toEqual(ids(7));
    const span = { fromMs, toMs: fromMs };
    expect(await replayEvents(deps, call, { ...place, ...span, deadLettersOnly: false })).toEqual({
      events: 3,
      webhookIsOff: false,
    });
    expect(await look()).toEqual(ids(4, 5, 6));
    // From the oldest on, also what was before the webhook.
    expect(await replayEvents(deps, call, { ...place, deadLettersOnly: false })).toEqual({
      events: 6,
      webhookIsOff: false,
    });
    expect(await look()).toEqual(ids(1, 2, 4, 5, 6, 7));
    const wrong = replayEvents(deps, call, { ...place, fromMs: 2, toMs: 1, deadLettersOnly: false });
    await expect(wrong).rejects.toThrow('end_time: is before start_time');
  });

  it('switches a webhook off whose receiver is gone; on again it goes on where it stopped', async () => {
    const { add, look, happen, receiver, deps, call, store } = await world();
    const place = await add();
    await happen(1);
    receiver.answer = () => 410;
    expect(await look()).toEqual(ids(2));
    const off = await getWebhook(deps, call, place);
    expect(off).toMatchObject({ isEnabled: false, disabledReason: 'the receiver answered 410 Gone' });
    expect(await store.read.newestSeq(TENANT)).toBe(3);
    await happen(2);
    expect(await look()).toEqual([]);
    receiver.answer = () => 200;
    const on = await updateWebhook(deps, call, {
      ...place,
      url: URL,
      description: '',
      types: [],
      isEnabled: true,
    });
    expect(on).toMatchObject({ disabledReason: '', progress: { failures: 0, pausedUntilMs: 0 } });
    expect(await look()).toEqual(ids(2, 3, 4, 5, 6));
  });

  it('is served by one node at a time', async () => {
    const { add, happen, newSender, receiver, deps, call } = await world();
    const place = await add();
    await happen(40);
    const nodes = [newSender(), newSender(), newSender()];
    while ((await getWebhook(deps, call, place)).progress.afterSeq < 41) {
      await Promise.all(nodes.map((node) => node.look()));
      await Promise.all(nodes.map((node) => node.settled()));
    }
    expect(receiver.take()).toEqual(ids(...range(2, 41)));
  });

  it('keeps nothing of a round that another node has overtaken, nor of an event that was asked for again', async () => {
    const { add, happen, store, clock, deps, call } = await world();
    const place = await add();
    await happen(3);
    const webhook = await getWebhook(deps, call, place);
    const progress = { afterSeq: 2, failures: 0, pausedUntilMs: 0 };
    const nothing = { progress, delivered: [], failed: [], isBack: false };
    expect(await store.commit(webhook, nothing, clock.now())).toBe(true);
    expect(
      await store.commit(webhook, { ...nothing, progress: { ...progress, afterSeq: 4 } }, clock.now()),
    ).toBe(false);
    expect((await getWebhook(deps, call, place)).progress.afterSeq).toBe(2);

    await store.transaction((tx) => tx.enqueue(place.webhookId, [{ seq: 2, atMs: 1 }], clock.now()));
    const [before] = await store.due(place.webhookId, clock.now(), 10);
    clock.advance(1);
    await store.transaction((tx) => tx.enqueue(place.webhookId, [{ seq: 2, atMs: 1 }], clock.now()));
    const now = await getWebhook(deps, call, place);
    await store.commit(now, { ...nothing, delivered: before ? [before] : [] }, clock.now());
    expect(await store.due(place.webhookId, clock.now(), 10)).toMatchObject([{ seq: 2, attempts: 0 }]);
  });

  it('cuts off what is on its way when the server stops, and sends it again later', async () => {
    const { add, happen, newSender, receiver, look } = await world();
    await add();
    await happen(1);
    const stopped = newSender();
    receiver.answer = () => {
      void stopped.stop();
      return new Error('the server is stopping');
    };
    await stopped.look();
    await stopped.settled();
    expect(receiver.take()).toEqual(ids(2));
    receiver.answer = () => 200;
    expect(await look()).toEqual(ids(2));
  });

  it('ends with its tenant, and a tenant has no more than twenty', async () => {
    const { add, happen, look, database, store, deps, call } = await world();
    const place = await add();
    for (let n = 1; n < 20; n++) await add();
    await expect(add()).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
    await store.transaction((tx) => tx.enqueue(place.webhookId, [{ seq: 1, atMs: 1 }], 1));
    await happen(1);
    await database.transaction((tx) => deleteWebhooks(tx, TENANT));
    expect(await look()).toEqual([]);
    await expect(getWebhook(deps, call, place)).rejects.toThrow('no such webhook');
    expect(await store.read.counts(place.webhookId)).toEqual({ waiting: 0, dead: 0 });
  });
});
