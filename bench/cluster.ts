// `npm run bench -- cluster [--seconds N]`: what a call costs with one, two and three nodes on one PostgreSQL and one S3 store of
// the same machine. The machine does not grow with the nodes, so what counts is the processor time of the nodes per call. All nodes
// are started and warmed up first and stay; then they are measured in short turns, there and back, each node as often alone as any other, so
// that neither compiling nor a machine that grows slower or faster meanwhile favors anybody. Beside them stands one node with three voice workers: what it costs
// more than one with a single worker is the price of using both cores at once, and none of having several nodes.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from './chaos/server.js';
import { median, type Bench } from './harness.js';
import { Fleet, install, type Installation } from './nodes/fleet.js';
import { Verifier } from './nodes/verifier.js';

const CLIENTS = 4;
const NODES = 3;
/** At each node: enough for the compiler to have seen everything often. */
const WARM_UP_VERIFICATIONS = 200;
const TURN_SECONDS = 5;
/** At most a tenth more with three nodes than with one. */
const RATIO_MIN = 1 / 1.1;

/** Nodes that are asked in turn, and who asks them. */
interface Asked {
  fleet: Fleet;
  clients: Verifier[];
}

interface Group {
  name: string;
  /** Asked one after another, a turn each, so that every node works as much in every group and none is warmer than others. */
  variants: Asked[];
  turns: number;
  calls: number;
  cpuSeconds: number;
  seconds: number;
}

/** Clients that take turns at nodes that run already. */
async function askedOf(fleet: Fleet): Promise<Asked> {
  const clients = Array.from({ length: CLIENTS }, () => new Verifier(fleet));
  for (const client of clients) await client.open();
  return { fleet, clients };
}

async function groupOf(name: string, fleets: readonly Fleet[]): Promise<Group> {
  const variants: Asked[] = [];
  for (const fleet of fleets) variants.push(await askedOf(fleet));
  return { name, variants, turns: 0, calls: 0, cpuSeconds: 0, seconds: 0 };
}

async function warmUp({ variants }: Group, profile: string, verificationsPerNode: number): Promise<void> {
  for (const { fleet, clients } of variants)
    await Promise.all(
      clients.map(async (client) => {
        const verifications = (verificationsPerNode * fleet.nodes.length) / CLIENTS;
        for (let count = 0; count < verifications; count++) await client.verify(profile);
        client.forget();
      }),
    );
}

async function takeTurn(group: Group, profile: string, seconds: number): Promise<void> {
  const asked = group.variants[group.turns++ % group.variants.length];
  if (!asked) return;
  const { fleet, clients } = asked;
  const callsBefore = callsOf(clients);
  const cpuBefore = fleet.cpuSeconds();
  const startedAt = performance.now();
  await Promise.all(
    clients.map(async (client) => {
      do await client.verify(profile);
      while (performance.now() - startedAt < seconds * 1000);
    }),
  );
  group.seconds += (performance.now() - startedAt) / 1000;
  group.cpuSeconds += fleet.cpuSeconds() - cpuBefore;
  group.calls += callsOf(clients) - callsBefore;
}

const callsOf = (clients: readonly Verifier[]): number =>
  clients.reduce((sum, client) => sum + client.calls, 0);

/** Processor time that nodes take which nobody asks anything, in milliseconds a second of each. */
async function idleCost(fleet: Fleet, seconds: number): Promise<number> {
  const cpuBefore = fleet.cpuSeconds();
  await sleep(seconds * 1000);
  return (1000 * (fleet.cpuSeconds() - cpuBefore)) / seconds / fleet.nodes.length;
}

/** The nodes, and last the one with as many workers. */
const nodesOf = (installation: Installation): Fleet =>
  new Fleet([
    ...Array.from({ length: NODES }, () => installation.node()),
    installation.node({ 'engine.workers': String(NODES) }),
  ]);

async function start(all: Fleet, tiny: boolean): Promise<Group[]> {
  await all.start();
  const nodes = all.nodes.slice(0, NODES);
  const groups: Group[] = [];
  for (let count = 1; count <= NODES; count++) {
    if (tiny && count === 2) continue;
    const starts = count < NODES && !tiny ? [...nodes.keys()] : [0];
    const some = (first: number) =>
      Array.from({ length: count }, (_, i) => nodes[(first + i) % NODES] as Server);
    groups.push(
      await groupOf(
        `${count}`,
        starts.map((first) => all.part(some(first))),
      ),
    );
  }
  groups.push(await groupOf('1 with 3 workers', [all.part(all.nodes.slice(NODES))]));
  return groups;
}

export const run: Bench = async ({ seconds, tiny }) => {
  const installation = await install();
  const all = nodesOf(installation);
  try {
    const groups = await start(all, tiny);
    const profile = (await groups[0]?.variants[0]?.clients[0]?.enroll(`caller-${Date.now()}`)) ?? '';
    const warm = tiny ? CLIENTS : WARM_UP_VERIFICATIONS;
    for (const group of groups.slice(-2)) await warmUp(group, profile, warm);
    const turnSeconds = tiny ? 0 : TURN_SECONDS;
    const rounds = Math.max(1, Math.round(seconds / (2 * groups.length * TURN_SECONDS)));
    for (let round = 0; round < rounds; round++)
      for (const group of [...groups, ...groups.toReversed()]) await takeTurn(group, profile, turnSeconds);
    const idleMsPerSecond = await idleCost(all, tiny ? 1 : 2 * TURN_SECONDS);
    const figures = groups.map(figuresOf);
    const costOf = (nodes: string) => figures.find((one) => one.nodes === nodes)?.cpuMsPerCall ?? 0;
    const three = costOf(`${NODES}`);
    const line = (peer: string, peerValue: number) => ({
      subject: 'processor time per call with 3 nodes',
      peer,
      unit: 'ms',
      value: three,
      peerValue,
      ratio: peerValue / three,
      target: RATIO_MIN,
    });
    return {
      name: 'cluster',
      compared: `${CLIENTS} clients verify (address, upload, verification) over 1 to 3 nodes with one voice worker each; PostgreSQL and S3 on the same machine`,
      lines: [line('with 1 node', costOf('1')), line('with 1 node of 3 workers', costOf('1 with 3 workers'))],
      details: { figures, idleMsPerSecond },
    };
  } finally {
    await all.end('SIGTERM');
    await installation.end();
  }
};

function figuresOf({ name, calls, cpuSeconds, seconds, variants }: Group) {
  const clients = variants.flatMap((asked) => asked.clients);
  const sorted = clients.flatMap(({ verifyMs }) => verifyMs).sort((a, b) => a - b);
  return {
    nodes: name,
    callsPerSecond: calls / seconds,
    cpuMsPerCall: (1000 * cpuSeconds) / calls,
    verifyP50Ms: median(sorted),
    verifyP99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
  };
}
