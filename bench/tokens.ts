// Client-credentials grants per second of our token endpoint beside oidc-provider, each one process that checks a client secret
// by HTTP Basic and signs a JWT with ES256. Short rounds alternate, so that a busy machine disturbs all alike. We are measured twice:
// without the event log, which the other does not have, and as shipped, with it.
import { build } from 'esbuild';
import { fork } from 'node:child_process';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { median, slice, type BenchLine, type BenchOptions, type BenchReport } from './harness.js';
import type { TokenSubject } from './tokens-server.js';

const CONNECTIONS = 8;

const subjects = ['ours', 'logged', 'peer'] as const;
type Subject = (typeof subjects)[number];

interface Measured {
  grantsPerSecond: number;
  /** Per second of processor time of the server: what one core gives, however busy the machine is. */
  grantsPerCpuSecond: number;
  p99Ms: number;
}

interface Usage {
  cpu: NodeJS.CpuUsage;
  rssBytes: number;
}

export async function run(options: BenchOptions): Promise<BenchReport> {
  const rounds = options.tiny ? 1 : Math.max(3, Math.round(options.seconds / 4));
  const sliceMs = options.tiny ? 100 : (options.seconds * 1000) / rounds / subjects.length;
  const outfile = await bundle();
  const servers: Record<Subject, RunningServer> = {
    ours: await startServer(outfile, 'ours'),
    logged: await startServer(outfile, 'logged'),
    peer: await startServer(outfile, 'peer'),
  };
  const samples: Record<Subject, Measured[]> = { ours: [], logged: [], peer: [] };
  try {
    for (const name of subjects) await measure(servers[name], options.tiny ? 50 : 1500);
    for (let round = 0; round < rounds; round++) {
      for (const name of subjects) samples[name].push(await measure(servers[name], sliceMs));
    }
    const rssBytes = async (name: Subject): Promise<number> => (await servers[name].usage()).rssBytes;
    const rss = {
      ours: await rssBytes('ours'),
      logged: await rssBytes('logged'),
      peer: await rssBytes('peer'),
    };
    return reportOf(samples, rss);
  } finally {
    for (const name of subjects) servers[name].stop();
  }
}

function reportOf(samples: Record<Subject, Measured[]>, rss: Record<Subject, number>): BenchReport {
  const of = (name: Subject, member: keyof Measured): number =>
    median(samples[name].map((one) => one[member]));
  const compared = (name: Subject, member: 'grantsPerSecond' | 'grantsPerCpuSecond'): number =>
    median(samples[name].map((one, index) => one[member] / (samples.peer[index] as Measured)[member]));
  return {
    name: 'tokens',
    compared: `client credentials over HTTP, ES256 JWT, ${CONNECTIONS} connections, ${samples.peer.length} alternating rounds`,
    lines: [
      {
        subject: 'our token endpoint',
        peer: 'oidc-provider',
        unit: 'grants/s of one core',
        value: of('ours', 'grantsPerCpuSecond'),
        peerValue: of('peer', 'grantsPerCpuSecond'),
        ratio: compared('ours', 'grantsPerCpuSecond'),
        target: 2.5,
      },
      {
        subject: 'our token endpoint with its event log',
        peer: 'oidc-provider',
        unit: 'grants/s of one core',
        value: of('logged', 'grantsPerCpuSecond'),
        peerValue: of('peer', 'grantsPerCpuSecond'),
        ratio: compared('logged', 'grantsPerCpuSecond'),
        target: 2.5,
      },
      {
        subject: 'our token endpoint',
        peer: 'oidc-provider',
        unit: 'grants/s',
        value: of('ours', 'grantsPerSecond'),
        peerValue: of('peer', 'grantsPerSecond'),
        ratio: compared('ours', 'grantsPerSecond'),
        target: 1.5,
      },
      {
        subject: 'p99 of our token endpoint',
        peer: 'oidc-provider',
        unit: 'ms',
        value: of('ours', 'p99Ms'),
        peerValue: of('peer', 'p99Ms'),
        ratio: of('peer', 'p99Ms') / of('ours', 'p99Ms'),
      },
      memoryLine('memory of our process', rss.ours, rss.peer),
      memoryLine('memory of our process with its event log', rss.logged, rss.peer),
    ],
  };
}

const memoryLine = (subject: string, rssBytes: number, peerBytes: number): BenchLine => ({
  subject,
  peer: 'oidc-provider',
  unit: 'MiB resident',
  value: rssBytes / 2 ** 20,
  peerValue: peerBytes / 2 ** 20,
  ratio: peerBytes / rssBytes,
});

async function bundle(): Promise<string> {
  const outfile = fileURLToPath(new URL('../node_modules/.cache/voxgate/tokens-server.mjs', import.meta.url));
  const entry = fileURLToPath(new URL('./tokens-server.ts', import.meta.url));
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
  });
  return outfile;
}

interface RunningServer {
  subject: TokenSubject;
  usage(): Promise<Usage>;
  stop(): void;
}

async function startServer(outfile: string, which: Subject): Promise<RunningServer> {
  const child = fork(outfile, [which], { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const next = <T>(member: string): Promise<T> =>
    new Promise((resolve, reject) => {
      const onExit = (): void => reject(new Error(`the ${which} server ended`));
      child.once('exit', onExit);
      const onMessage = (message: unknown): void => {
        const value = (message as Record<string, unknown>)[member];
        if (value === undefined) return;
        child.off('message', onMessage);
        child.off('exit', onExit);
        resolve(value as T);
      };
      child.on('message', onMessage);
    });
  return {
    subject: await next<TokenSubject>('subject'),
    async usage() {
      const answer = next<Usage>('usage');
      child.send('usage');
      return answer;
    },
    stop: () => void child.kill(),
  };
}

async function measure(server: RunningServer, milliseconds: number): Promise<Measured> {
  const load = startLoad(server.subject);
  const before = await server.usage();
  const doneBefore = load.latenciesMs.length;
  const startedAtMs = performance.now();
  await slice(milliseconds, () => load.latenciesMs.length);
  const latencies = load.latenciesMs.slice(doneBefore).sort((a, b) => a - b);
  const seconds = (performance.now() - startedAtMs) / 1000;
  const after = await server.usage();
  load.stop();
  const cpuSeconds = (after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system) / 1e6;
  return {
    grantsPerSecond: latencies.length / seconds,
    grantsPerCpuSecond: latencies.length / Math.max(cpuSeconds, 1e-6),
    p99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? 0,
  };
}

/** Plain sockets: an HTTP client would cost more than the servers that are measured. */
function startLoad({ port, path, clientId, secret }: TokenSubject): { latenciesMs: number[]; stop(): void } {
  const body = 'grant_type=client_credentials&scope=asr%20nlu';
  const credentials = Buffer.from(`${clientId}:${secret}`).toString('base64');
  const bytes = Buffer.from(
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Basic ${credentials}\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  const latenciesMs: number[] = [];
  let running = true;
  const sockets = Array.from({ length: CONNECTIONS }, () => connect(port, '127.0.0.1'));
  for (const socket of sockets) {
    let buffered = '';
    let sentAt = 0;
    const send = (): void => {
      sentAt = performance.now();
      socket.write(bytes);
    };
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('connect', send);
    socket.on('data', (chunk) => {
      buffered += chunk.toString('latin1');
      const headEnd = buffered.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      if (!buffered.startsWith('HTTP/1.1 200')) throw new Error(buffered.slice(0, 400));
      const length = Number(/content-length: (\d+)/i.exec(buffered)?.[1] ?? 'NaN');
      if (buffered.length < headEnd + 4 + length) return;
      buffered = '';
      latenciesMs.push(performance.now() - sentAt);
      if (running) send();
    });
  }
  return {
    latenciesMs,
    stop() {
      running = false;
      for (const socket of sockets) socket.destroy();
    },
  };
}
