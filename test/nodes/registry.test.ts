// Which nodes count as there: by notes that change, never by anybody's clock.
import { beforeEach, describe, expect, it } from 'vitest';
import { NodeRegistry, readNote, type NodeNotes } from '../../src/nodes/registry.js';
import { silentLog } from '../../src/platform.js';
import { nodeNotes } from '../../src/storage/nodes.js';
import { forEachDatabase } from '../support/database.js';

const times = { beatMs: 3_600_000, lostMs: 10_000, forgetMs: 60_000 };

describe('nodes', () => {
  let elapsed: number;
  let kept: Map<string, string>;
  let isAway: boolean;
  const notes: NodeNotes = {
    write: async (nodeId, note) => {
      if (isAway) throw new Error('the database is away');
      kept.set(nodeId, note);
    },
    list: async () => [...kept].map(([nodeId, note]) => ({ nodeId, note })),
    remove: async (nodeId, note) => {
      if (kept.get(nodeId) === note) kept.delete(nodeId);
    },
  };
  beforeEach(() => {
    elapsed = 0;
    isAway = false;
    kept = new Map();
  });
  const join = async (nodeId: string, speaks = `model-${nodeId}`) => {
    const own = { nodeId, speaks };
    const registry = new NodeRegistry({ notes, log: silentLog, elapsedMs: () => elapsed }, own, times);
    await registry.start();
    return registry;
  };

  it('learn which other speaker models are in use, each once', async () => {
    const [a, b] = [await join('a', 'old'), await join('b', 'old')];
    await join('c', 'new');
    await join('d', 'new');
    await a.beat();
    await b.beat();
    expect([a.otherModels(), b.otherModels()]).toEqual([['new'], ['new']]);
  });

  it('are lost when their note stays the same for too long, and there again when it changes', async () => {
    const [a, b] = [await join('a'), await join('b')];
    await a.beat();
    elapsed += 9_999;
    await a.beat();
    expect(a.otherModels()).toEqual(['model-b']);
    elapsed += 1;
    await a.look();
    expect(a.otherModels()).toEqual([]);
    expect([a.silentMs('b'), a.silentMs('unknown')]).toEqual([10_000, undefined]);
    await b.beat();
    await a.beat();
    expect(a.otherModels()).toEqual(['model-b']);
  });

  it('know whether another one that is there keeps the time of the database', async () => {
    let keepsTime: boolean | undefined = true;
    const other = new NodeRegistry(
      { notes, log: silentLog, elapsedMs: () => elapsed, keepsTime: () => keepsTime },
      { nodeId: 'b', speaks: 'model-b' },
      times,
    );
    await other.start();
    const a = await join('a');
    // A note that is seen for the first time may be of a node that is gone.
    expect(a.isTimeKeptByAnother(5000)).toBe(false);
    const kept = async (): Promise<boolean> => {
      await other.beat();
      await a.beat();
      return a.isTimeKeptByAnother(5000);
    };
    expect(await kept()).toBe(true);
    keepsTime = false;
    expect(await kept()).toBe(false);
    keepsTime = undefined;
    expect(await kept()).toBe(false);
    keepsTime = true;
    expect(await kept()).toBe(true);
    elapsed += 5000;
    await a.beat();
    expect(a.isTimeKeptByAnother(5000)).toBe(false);
    await other.stop();
    await a.look();
    expect(a.otherModels()).toEqual([]);
  });

  it('that are gone leave no note behind, those that ended by themselves at once', async () => {
    const [a, b, c] = [await join('a'), await join('b'), await join('c')];
    await a.beat();
    await c.stop();
    await a.beat();
    expect(a.otherModels()).toEqual(['model-b']);
    elapsed += 60_001;
    await a.beat();
    expect([...kept.keys()]).toEqual(['a']);
    // One that was only held up comes back.
    await b.beat();
    await a.beat();
    expect(a.otherModels()).toEqual(['model-b']);
  });

  it('stay as they were known while the database is away', async () => {
    const a = await join('a');
    await join('b');
    await a.beat();
    isAway = true;
    elapsed += 3_600_000;
    await a.beat();
    expect(a.otherModels()).toEqual(['model-b']);
  });

  it('say once that another one that is there gives tokens of another issuer', async () => {
    const said: string[] = [];
    const log = { ...silentLog, warn: (_facts: object, text: string) => void said.push(text) };
    const of = async (nodeId: string, issuer?: string) => {
      const own = { nodeId, speaks: 'm', ...(issuer !== undefined && { issuer }) };
      const told = nodeId === 'a' ? log : silentLog;
      const registry = new NodeRegistry({ notes, log: told, elapsedMs: () => elapsed }, own, times);
      await registry.start();
      return registry;
    };
    await of('gone', 'http://gone:1');
    const [same, earlier] = [await of('same', 'http://a:1'), await of('earlier')];
    const [b, c] = [await of('b', 'http://b:1'), await of('c', 'http://b:1')];
    const a = await of('a', 'http://a:1');
    // What is only there may have been left by a node that is gone.
    expect(said).toEqual([]);
    for (let round = 0; round < 3; round++) for (const node of [same, earlier, b, c, a]) await node.beat();
    expect(said).toEqual([
      "NODES HAVE DIFFERENT PUBLIC URLS: http://a:1 of this one, http://b:1 of another. They refuse each other's tokens (401). Set publicUrl (or tokens.issuer) to the same address on all nodes: the one at which clients reach them, for example that of the load balancer",
    ]);
  });

  it.each(['', '{}', '[]', 'null', '{"speaks":1,"beat":1}', '{"speaks":"1"}'])(
    'are not found by %j',
    (note) => {
      expect(readNote(note)).toBeUndefined();
    },
  );
});

await forEachDatabase(({ open }) => {
  it('notes of nodes are written over, listed apart from all else and removed while they are the same', async () => {
    const database = await open();
    const notes = nodeNotes(database);
    await notes.write('a', '1');
    await notes.write('b', '1');
    await notes.write('a', '2');
    const listed = async () => (await notes.list()).sort((x, y) => (x.nodeId < y.nodeId ? -1 : 1));
    expect(await listed()).toEqual([
      { nodeId: 'a', note: '2' },
      { nodeId: 'b', note: '1' },
    ]);
    await notes.remove('a', '1');
    await notes.remove('b', '1');
    expect(await listed()).toEqual([{ nodeId: 'a', note: '2' }]);
  });
}, 'both quick');
