// The event log's store on both databases, and the writer in front of it.
import { expect, it } from 'vitest';
import { EventWriter } from '../../src/events/event-writer.js';
import type { RuntimeEvent } from '../../src/events/model.js';
import type { CallQuery, EventStore } from '../../src/events/ports.js';
import { silentLog, type Log } from '../../src/platform.js';
import { eventStore } from '../../src/storage/events/event-store.js';
import { openDatabase } from '../../src/storage/database.js';
import { forEachDatabase } from '../support/database.js';

const event = (over: Partial<RuntimeEvent> = {}): RuntimeEvent => ({
  type: 'call',
  atMs: 1000,
  appId: 'app-a',
  clientId: 'client-a',
  requestId: 'r',
  gkScopeId: 'tenant',
  outcome: 'OK',
  attributes: { service: 'S' },
  ...over,
});
const options = { flushMs: 5, pendingMax: 100, retentionMs: 60_000, countMax: 1000 };
const clock = { now: () => 100_000 };

await forEachDatabase(({ open, locate }) => {
  it('hands out what was appended, in order, by application, type and time', async () => {
    const store = eventStore(await open());
    await store.append([
      event({ atMs: 1 }),
      event({ atMs: 2, appId: 'app-b' }),
      event({ atMs: 3, type: 'token.issued' }),
    ]);
    await store.append([
      event({ atMs: 4, appId: undefined, clientId: undefined, requestId: undefined, gkScopeId: undefined }),
    ]);
    const all = await store.read({ afterSeq: 0, limit: 10 });
    expect(all.map(({ seq, atMs }) => [seq, atMs])).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
      [4, 4],
    ]);
    expect(all[0]).toEqual({ seq: 1, ...event({ atMs: 1 }) });
    expect((await store.read({ appId: 'app-a', afterSeq: 1, limit: 10 })).map(({ seq }) => seq)).toEqual([3]);
    expect(
      (await store.read({ types: ['token.issued'], afterSeq: 0, limit: 10 })).map(({ seq }) => seq),
    ).toEqual([3]);
    expect((await store.read({ fromMs: 2, toMs: 4, afterSeq: 0, limit: 10 })).map(({ seq }) => seq)).toEqual([
      2, 3,
    ]);
    expect((await store.read({ afterSeq: 0, limit: 2 })).map(({ seq }) => seq)).toEqual([1, 2]);
  });

  it('numbers without gaps when several nodes append at once', async () => {
    const location = await locate();
    const nodes = [openDatabase(location), openDatabase(location)];
    const { migrate } = await import('../../src/storage/migrate.js');
    await migrate(nodes[0]!, { now: () => 0 });
    const stores = nodes.map((node) => eventStore(node));
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => stores[index % 2]!.append([event(), event(), event()])),
    );
    const seqs = (await stores[0]!.read({ afterSeq: 0, limit: 100 })).map(({ seq }) => seq);
    expect(seqs).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
    for (const node of nodes) await node.close();
  });

  it('reads calls newest first, narrowed by each member of the question, page by page', async () => {
    const store = eventStore(await open());
    const call = (atMs: number, over: Partial<RuntimeEvent> = {}, method = 'Verify') =>
      event({ atMs, attributes: { service: 'S', method }, ...over });
    await store.append([
      call(10),
      call(20, { outcome: 'NOT_FOUND', requestId: 'lost' }),
      call(20, { clientId: 'client-b' }),
      call(30, {}, 'Enroll'),
      call(40, { appId: 'app-b' }),
      event({ atMs: 50, type: 'token.issued' }),
      event({ atMs: 15, type: 'token.refused', outcome: 'invalid_client', attributes: { endpoint: '/par' } }),
    ]);
    const types = ['call'] as const;
    const seqs = async (asked: Partial<CallQuery>) =>
      (await store.readCalls({ appId: 'app-a', fromMs: 0, limit: 10, types, ...asked })).map(
        ({ seq }) => seq,
      );
    expect(await seqs({})).toEqual([4, 3, 2, 1]);
    expect(await seqs({ clientId: 'client-b' })).toEqual([3]);
    expect(await seqs({ attribute: { name: 'method', value: 'Enroll' } })).toEqual([4]);
    expect(await seqs({ isOk: false })).toEqual([2]);
    expect(await seqs({ isOk: true })).toEqual([4, 3, 1]);
    expect(await seqs({ requestId: 'lost' })).toEqual([2]);
    expect(await seqs({ fromMs: 20, toMs: 30 })).toEqual([3, 2]);
    expect(await seqs({ limit: 2 })).toEqual([4, 3]);
    expect(await seqs({ after: { atMs: 20, seq: 3 } })).toEqual([2, 1]);
    const all = await store.readCalls({ fromMs: 0, limit: 10, types });
    expect(all.map(({ seq }) => seq)).toEqual([5, 4, 3, 2, 1]);
    // Several types are one list; a page may end anywhere in it.
    const tokens = ['token.issued', 'token.refused'] as const;
    const both = { types: [...types, ...tokens] };
    expect(await seqs(both)).toEqual([6, 4, 3, 2, 7, 1]);
    expect(await seqs({ ...both, limit: 2 })).toEqual([6, 4]);
    expect(await seqs({ ...both, after: { atMs: 20, seq: 2 } })).toEqual([7, 1]);
    expect(await seqs({ ...both, isOk: false })).toEqual([2, 7]);
    const at = (value: string | undefined) => ({ types: tokens, attribute: { name: 'endpoint', value } });
    expect([await seqs(at('/par')), await seqs(at(undefined))]).toEqual([[7], [6]]);
  });

  it('drops what is too old and what is too much', async () => {
    const store = eventStore(await open());
    await store.append([1, 2, 3, 4, 5, 6].map((atMs) => event({ atMs })));
    await store.prune({ beforeMs: 3, countMax: 100 });
    expect((await store.read({ afterSeq: 0, limit: 10 })).map(({ atMs }) => atMs)).toEqual([3, 4, 5, 6]);
    await store.prune({ beforeMs: 0, countMax: 2 });
    expect((await store.read({ afterSeq: 0, limit: 10 })).map(({ atMs }) => atMs)).toEqual([5, 6]);
  });

  it('knows the newest token of a client', async () => {
    const store = eventStore(await open());
    await store.append([
      event({ type: 'token.issued', atMs: 5 }),
      event({ type: 'token.issued', atMs: 9 }),
      event({ type: 'token.refused', atMs: 11 }),
    ]);
    expect([...(await store.lastTokenAtMs(['client-a', 'client-b']))]).toEqual([['client-a', 9]]);
    expect((await store.lastTokenAtMs([])).size).toBe(0);
  });

  it('takes whatever strangers send as client ID', async () => {
    const store = eventStore(await open());
    const writer = new EventWriter({ store, clock, log: silentLog }, options);
    writer.record(
      event({ atMs: 99_000, clientId: `evil\u0000${'x'.repeat(5000)}`, attributes: { scope: 'a\u0000b' } }),
    );
    await writer.flush();
    const [kept] = await store.read({ afterSeq: 0, limit: 10 });
    expect(kept?.clientId).toMatch(/^evil x+$/);
    expect(kept?.clientId?.length).toBeLessThanOrEqual(512);
    expect(kept?.attributes).toEqual({ scope: 'a b' });
  });

  it('keeps what looks like part of a statement or of a document as it is, and half characters as blanks', async () => {
    const store = eventStore(await open());
    const writer = new EventWriter({ store, clock, log: silentLog }, options);
    const odd = event({
      atMs: 99_000,
      clientId: `'"]},{\\ \u{1f600} \u00e9`,
      requestId: undefined,
      attributes: { scope: `"]'); drop table x; --\\`, 'a"b': '\u2028' },
    });
    writer.record(odd);
    // As is left of a name that is cut after so many characters.
    writer.record(event({ atMs: 99_000, clientId: 'cut \ud83d', attributes: { scope: '\ude00 cut' } }));
    await writer.flush();
    const [kept, cut] = await store.read({ afterSeq: 0, limit: 10 });
    expect(kept).toEqual({ seq: 1, ...odd });
    expect([cut?.clientId, cut?.attributes]).toEqual(['cut  ', { scope: '  cut' }]);
  });
}, 'both quick');

function memoryStore(): EventStore & { events: RuntimeEvent[]; failing: boolean } {
  const events: RuntimeEvent[] = [];
  return {
    events,
    failing: false,
    async append(batch) {
      if (this.failing) throw new Error('down');
      events.push(...batch);
    },
    read: async () => [],
    readCalls: async () => [],
    prune: async () => {},
    lastTokenAtMs: async () => new Map(),
  };
}

it('writes by itself soon after an event, and the rest on stop', async () => {
  const store = memoryStore();
  const writer = new EventWriter({ store, clock, log: silentLog }, options);
  writer.record(event());
  await expect.poll(() => store.events.length).toBe(1);
  writer.record(event());
  writer.record(event());
  await writer.stop();
  expect(store.events).toHaveLength(3);
});

it('tries again when the database was away, and drops the newest beyond its bound', async () => {
  const store = memoryStore();
  const warnings: string[] = [];
  const log: Log = { ...silentLog, warn: (_fields, message) => void warnings.push(message) };
  const writer = new EventWriter({ store, clock, log }, { ...options, flushMs: 60_000, pendingMax: 3 });
  store.failing = true;
  for (let index = 0; index < 5; index += 1) writer.record(event({ atMs: index }));
  await writer.flush();
  expect(store.events).toEqual([]);
  store.failing = false;
  await writer.flush();
  expect(store.events.map(({ atMs }) => atMs)).toEqual([0, 1, 2]);
  expect(warnings).toEqual(['cannot write runtime events', 'runtime events were dropped']);
});
