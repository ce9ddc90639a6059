// `npm run bench -- spread [--seconds N]`: Identify in a group of a million prints that is spread over three nodes, through the API, beside one
// node that holds all of it: the same answers, memory of each node, how long nodes take after a start until they have read their parts,
// and how long the first question takes then and after a node was killed. The prints come from snapshots, as after every start.
import { setTimeout as sleep } from 'node:timers/promises';
import { allShares, shareOf } from '../src/biometrics/galleries/shares.js';
import { Gallery } from '../src/biometrics/galleries/gallery.js';
import { openStorage } from '../src/compose/storage.js';
import { configWith } from '../src/config.js';
import { systemClock } from '../src/platform.js';
import { createBiometricsStore } from '../src/storage/biometrics/store.js';
import type { Server } from './chaos/server.js';
import { median, wanted, type Bench } from './harness.js';
import { largeGallery, snapshotsOf } from './kept-galleries.js';
import { Fleet, install, type Installation } from './nodes/fleet.js';
import { Verifier } from './nodes/verifier.js';

const NODES = 3;
const PRINTS = 1_000_000;
const PRINTS_TINY = 6_400;
const P50_MS_MAX = 100;
const LOOK_MS = 200;
/** After that long a node is ready whatever it has read. */
const READY_MS_MAX = 120_000;
/** So low that the group, whose members are in its snapshots alone, is spread. */
const spreading = { 'nodes.listen': '127.0.0.1:0', 'nodes.spreadFrom': '1' };

interface Asked {
  ms: number;
  cpuMs: number;
  answer: string;
}

/** Some of the nodes: asks each in turn. */
class Asking {
  readonly fleet: Fleet;
  readonly #client: Verifier;

  constructor(fleet: Fleet) {
    this.fleet = fleet;
    this.#client = new Verifier(fleet);
  }

  static async begin(fleet: Fleet): Promise<Asking> {
    const asking = new Asking(fleet);
    await asking.#client.open();
    return asking;
  }

  processed(voice: string): Promise<object> {
    return this.#client.process(voice);
  }

  /** Again until there is an answer: nodes that are reading say BUSY, or a call runs out of time while the reading goes on. */
  async identify(body: object): Promise<Asked> {
    const cpuBefore = this.fleet.cpuSeconds();
    const startedAtMs = performance.now();
    for (;;)
      try {
        const { result } = await this.#client.post('/v1/voiceprints/identification', body);
        const { decision, reason, numberOfPrints, voiceprintResults } = result;
        const answer = JSON.stringify({ decision, reason, numberOfPrints, voiceprintResults });
        const cpuMs = 1000 * (this.fleet.cpuSeconds() - cpuBefore);
        return { ms: performance.now() - startedAtMs, cpuMs, answer };
      } catch (error) {
        if (![503, 504].includes((error as { status?: number }).status ?? 0)) throw error;
        await sleep(LOOK_MS);
      }
  }
}

/** A group with one member, and snapshots in which it has all others: the whole, and each share. */
async function fill(
  { place }: Installation,
  list: { gkScopeId: string; collectionGkId: string },
  profile: string,
  prints: number,
): Promise<void> {
  const { home, databaseUrl, settings } = place;
  const storage = await openStorage(configWith({ home, database: databaseUrl, ...settings }), systemClock);
  try {
    const store = createBiometricsStore(storage.database, storage.keyring, storage.audit);
    const { gkScopeId, collectionGkId } = list;
    const owner = (await store.read.profiles.find(gkScopeId, profile))?.gkOwnerId ?? '';
    await store.transaction((tx) => tx.collections.addMember(gkScopeId, collectionGkId, owner, 1));
    const { gallery, model } = await largeGallery(store, { gkScopeId, profile, prints, shareOf });
    const snapshots = snapshotsOf(storage, model);
    const seq = await store.read.printChanges.last(gkScopeId);
    await snapshots.keep(list, { gallery, seq });
    for (const share of allShares) {
      const part = new Gallery(model);
      part.take(gallery, gallery.ids(share));
      await snapshots.keep({ ...list, share }, { gallery: part, seq });
    }
  } finally {
    await storage.close();
  }
}

/** The figure of every node. */
const metrics = (nodes: readonly Server[], name: string): Promise<number[]> =>
  Promise.all(
    nodes.map(async ({ target }) => {
      const text = await (await fetch(`${target?.http}/metrics`)).text();
      return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]);
    }),
  );

async function untilNodesSee(nodes: readonly Server[], count: number): Promise<void> {
  while ((await metrics(nodes, 'voxgate_nodes')).some((seen) => seen !== count)) await sleep(LOOK_MS);
}

/** All end and start again, as after a change of settings; answers what it takes until each says that it is ready. */
async function restart(nodes: readonly Server[]) {
  await Promise.all(nodes.map((node) => node.end('SIGTERM')));
  const startedAtMs = performance.now();
  await Promise.all(nodes.map((node) => node.start()));
  const startedMs = performance.now() - startedAtMs;
  const cpuOf = () => nodes.reduce((sum, node) => sum + (node.cpuSeconds() ?? 0), 0);
  const cpuStarted = cpuOf();
  for (const node of nodes)
    if (!(await node.isReadyWithin(READY_MS_MAX))) throw new Error('a node does not get ready');
  const readyMs = performance.now() - startedAtMs;
  return {
    startedMs,
    readyMs,
    cpuMs: 1000 * (cpuOf() - cpuStarted),
    prints: await metrics(nodes, 'voxgate_gallery_prints'),
  };
}

/** The same question again and again for a time, after the first one, which on one node reads the gallery. */
async function measure(asking: Asking, body: object, seconds: number) {
  const memoryBefore = asking.fleet.nodes.map((node) => node.residentMiB());
  const first = await asking.identify(body);
  // Every node is asked once before anything counts.
  for (const _node of asking.fleet.nodes) await asking.identify(body);
  const all: Asked[] = [];
  for (const untilMs = performance.now() + 1000 * seconds; all.length === 0 || performance.now() < untilMs;)
    all.push(await asking.identify(body));
  return {
    answer: first.answer,
    isSteady: all.every(({ answer }) => answer === first.answer),
    first: { ms: first.ms, cpuMs: first.cpuMs },
    p50Ms: median(all.map(({ ms }) => ms)),
    cpuMs: all.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / all.length,
    calls: all.length,
    memoryMiB: asking.fleet.nodes.map((node) => node.residentMiB()),
    memoryBeforeMiB: memoryBefore,
    prints: await metrics(asking.fleet.nodes, 'voxgate_gallery_prints'),
  };
}

/** One node is killed; how long the next question takes, and the ones after it. */
async function loseOne(asking: Asking, body: object, wantedAnswer: string) {
  await asking.fleet.lose(asking.fleet.nodes.at(-1));
  const first = await asking.identify(body);
  const second = await asking.identify(body);
  return {
    firstMs: first.ms,
    secondMs: second.ms,
    isSame: [first, second].every(({ answer }) => answer === wantedAnswer),
    prints: await metrics(asking.fleet.nodes.slice(0, -1), 'voxgate_gallery_prints'),
  };
}

export const run: Bench = async ({ seconds, tiny }) => {
  const installation = await install();
  const nodes = Array.from({ length: NODES }, () => installation.node(spreading));
  const all = new Fleet([...nodes, installation.node()]);
  try {
    await all.start();
    const client = new Verifier(all);
    await client.open();
    const profile = await client.enroll('anna');
    const { gkGroupId } = await client.post('/v1/groups', { groupId: 'large' });
    const list = { gkScopeId: all.target?.tenantId ?? '', collectionGkId: gkGroupId.value as string };
    const prints = tiny ? PRINTS_TINY : PRINTS;
    await fill(installation, list, profile, prints);
    const restarted = await restart(nodes);
    await untilNodesSee(nodes, NODES);
    const spread = await Asking.begin(all.part(nodes));
    const whole = await Asking.begin(all.part(all.nodes.slice(NODES)));
    const group = { uniqueId: gkGroupId };
    const spreadBody = { ...(await spread.processed('anna')), group };
    const wholeBody = { ...(await whole.processed('anna')), group };
    const share = tiny ? 0 : seconds / 2;
    const { answer, ...overNodes } = await measure(spread, spreadBody, share);
    const { answer: wholeAnswer, ...onOne } = await measure(whole, wholeBody, share);
    const lost = await loseOne(spread, spreadBody, answer);
    const isSame = answer === wholeAnswer && overNodes.isSteady && onOne.isSteady && lost.isSame;
    return {
      name: 'spread',
      compared: `Identify in a group of ${prints} prints over ${NODES} nodes (PostgreSQL and S3 on the same machine), and on one that holds all of it; answers ${isSame ? 'are the same to the last digit' : 'DIFFER'}`,
      lines: [
        wanted(
          `p50 over ${NODES} nodes (on one node ${onOne.p50Ms.toFixed(1)} ms)`,
          overNodes.p50Ms,
          P50_MS_MAX,
          'ms',
        ),
      ],
      details: { prints, isSame, restarted, overNodes, onOne, lost },
    };
  } finally {
    await all.end('SIGKILL');
    await installation.end();
  }
};
