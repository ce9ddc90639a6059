// `npm run bench -- cluster [--seconds N]`: what a call costs with one, two and three nodes on one PostgreSQL and one S3 store of
// the same machine. The machine does not grow with the nodes, so what counts is the processor time of the nodes per call.
import { median, type Bench } from './harness.js';
import { Fleet, install, type Installation } from './nodes/fleet.js';
import { Verifier } from './nodes/verifier.js';

const CLIENTS = 4;
const WARM_UP_VERIFICATIONS = 12;
/** At most a tenth more with three nodes than with one. */
const RATIO_MIN = 1 / 1.1;

interface Measured {
  nodes: number;
  calls: number;
  cpuSeconds: number;
  seconds: number;
  verifyMs: number[];
}

interface Course {
  installation: Installation;
  secret: string;
}

async function measure(course: Course, nodes: number, seconds: number): Promise<Measured> {
  const fleet = new Fleet(
    Array.from({ length: nodes }, () => course.installation.node()),
    course.secret,
  );
  try {
    await fleet.start();
    course.secret = fleet.target?.clientSecret ?? '';
    const clients = Array.from({ length: CLIENTS }, () => new Verifier(fleet));
    const [first] = clients;
    for (const client of clients) await client.open();
    const profile = (await first?.enroll(`caller-${Date.now()}`)) ?? '';
    for (const client of clients)
      for (let count = 0; count < WARM_UP_VERIFICATIONS * nodes; count++) await client.verify(profile);
    for (const client of clients) {
      client.calls = 0;
      client.verifyMs.length = 0;
    }
    const cpuBefore = fleet.cpuSeconds();
    const startedAt = performance.now();
    const untilMs = startedAt + seconds * 1000;
    await Promise.all(
      clients.map(async (client) => {
        do await client.verify(profile);
        while (performance.now() < untilMs);
      }),
    );
    return {
      nodes,
      calls: clients.reduce((sum, client) => sum + client.calls, 0),
      cpuSeconds: fleet.cpuSeconds() - cpuBefore,
      seconds: (performance.now() - startedAt) / 1000,
      verifyMs: clients.flatMap((client) => client.verifyMs),
    };
  } finally {
    await fleet.end('SIGTERM');
  }
}

/** There and back, so that a machine that grows slower or faster meanwhile favors nobody. */
const ways = { tiny: [1, 3], whole: [1, 2, 3, 3, 2, 1] };

export const run: Bench = async ({ seconds, tiny }) => {
  const installation = await install();
  const way = tiny ? ways.tiny : ways.whole;
  try {
    const course: Course = { installation, secret: '' };
    const measured: Measured[] = [];
    for (const nodes of way) measured.push(await measure(course, nodes, seconds / way.length));
    const figures = [...new Set(way)].map((nodes) =>
      figuresOf(measured.filter((one) => one.nodes === nodes)),
    );
    const one = figures[0]?.cpuMsPerCall ?? 0;
    const three = figures.at(-1)?.cpuMsPerCall ?? 0;
    return {
      name: 'cluster',
      compared: `${CLIENTS} clients verify (address, upload, verification) over 1 to 3 nodes with one voice worker each; PostgreSQL and S3 on the same machine`,
      lines: [
        {
          subject: 'processor time per call with 3 nodes',
          peer: 'with 1 node',
          unit: 'ms',
          value: three,
          peerValue: one,
          ratio: one / three,
          target: RATIO_MIN,
        },
      ],
      details: { figures },
    };
  } finally {
    await installation.end();
  }
};

function figuresOf(rounds: readonly Measured[]) {
  const sum = (of: (one: Measured) => number) => rounds.reduce((total, one) => total + of(one), 0);
  const sorted = rounds.flatMap(({ verifyMs }) => verifyMs).sort((a, b) => a - b);
  return {
    nodes: rounds[0]?.nodes ?? 0,
    callsPerSecond: sum(({ calls }) => calls) / sum(({ seconds }) => seconds),
    cpuMsPerCall: (1000 * sum(({ cpuSeconds }) => cpuSeconds)) / sum(({ calls }) => calls),
    verifyP50Ms: median(sorted),
    verifyP99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
  };
}
