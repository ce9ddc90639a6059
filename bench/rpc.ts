// Unary calls per second of our gRPC and REST servers beside a bare grpc-js server and a bare fastify server
// that do nothing. The servers live in a process of their own; short rounds alternate between the four, so
// that a busy machine disturbs all of them alike, and the ratio is the median over the rounds.
import { create, toBinary } from '@bufbuild/protobuf';
import { build } from 'esbuild';
import { fork } from 'node:child_process';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { fileURLToPath } from 'node:url';
import {
  CreateScopeRequestSchema,
  ScopeProfile,
  ScopesManager,
} from '../src/gen/vendor/biosec/v1/scopes/scopes_pb.js';
import { median, slice, type BenchLine, type BenchOptions, type BenchReport } from './harness.js';
import type { BenchAddresses } from './rpc-server.js';

const CONNECTIONS = 8;
const STREAMS_PER_CONNECTION = 4;
const WARM_UP_MS_MAX = 20_000;
const request = {
  scopeId: 'bench-scope',
  scopeProfile: ScopeProfile.SCOPE_PROFILE_DEFAULT,
  expectedPersonsNumber: 1000,
  details: { description: 'a scope' },
};

interface Measured {
  callsPerSecond: number;
  /** Calls per second of processor time that the server process used. */
  callsPerCpuSecond: number;
}

/** Keeps a number of calls going until told to stop; `done` counts answers. */
interface Load {
  done(): number;
  stop(): Promise<void>;
}

export async function run(options: BenchOptions): Promise<BenchReport> {
  const rounds = options.tiny ? 1 : Math.max(3, Math.round(options.seconds / 4));
  const sliceMs = options.tiny ? 100 : (options.seconds * 1000) / rounds / 4;
  const server = await startServer();
  const samples: Record<keyof BenchAddresses, Measured[]> = {
    ourGrpc: [],
    bareGrpc: [],
    ourRest: [],
    bareRest: [],
  };
  try {
    const order = ['bareGrpc', 'ourGrpc', 'bareRest', 'ourRest'] as const;
    const start = (name: keyof BenchAddresses): Promise<Load> =>
      name.endsWith('Grpc') ? grpcLoad(server.addresses[name]) : restLoad(server.addresses[name]);
    // The compiler of the runtime needs many thousands of calls before figures mean anything.
    for (const name of order) await warmUp(await start(name), options.tiny ? 5 : 20_000);
    for (let round = 0; round < rounds; round++) {
      for (const name of order)
        samples[name].push(await measure(() => start(name), sliceMs, server.cpuMicros));
    }
  } finally {
    server.stop();
  }
  return {
    name: 'rpc',
    compared: `CreateScope with token check, status, metrics and log line, beside bare servers that answer a constant; ${rounds} alternating rounds, ${CONNECTIONS} connections`,
    lines: [
      line('our gRPC', samples.ourGrpc, 'bare grpc-js', samples.bareGrpc),
      line('our REST', samples.ourRest, 'bare fastify', samples.bareRest),
    ],
    details: {
      callsPerCpuSecond: Object.fromEntries(
        Object.entries(samples).map(([name, list]) => [
          name,
          Math.round(median(list.map((one) => one.callsPerCpuSecond))),
        ]),
      ),
    },
  };
}

function line(
  subject: string,
  own: readonly Measured[],
  peer: string,
  others: readonly Measured[],
): BenchLine {
  return {
    subject,
    peer,
    unit: 'calls/s',
    value: median(own.map((one) => one.callsPerSecond)),
    peerValue: median(others.map((one) => one.callsPerSecond)),
    ratio: median(own.map((one, index) => one.callsPerSecond / (others[index] as Measured).callsPerSecond)),
    target: 0.7,
  };
}

async function warmUp(load: Load, calls: number): Promise<void> {
  const until = performance.now() + WARM_UP_MS_MAX;
  while (load.done() < calls && performance.now() < until)
    await new Promise((resolve) => setTimeout(resolve, 5));
  await load.stop();
}

async function measure(
  start: () => Promise<Load>,
  milliseconds: number,
  cpuMicros: () => Promise<number>,
): Promise<Measured> {
  const load = await start();
  const cpuBefore = await cpuMicros();
  const doneBefore = load.done();
  const startedAtMs = performance.now();
  await slice(milliseconds, load.done);
  const calls = load.done() - doneBefore;
  const seconds = (performance.now() - startedAtMs) / 1000;
  const cpuSeconds = ((await cpuMicros()) - cpuBefore) / 1e6;
  await load.stop();
  return { callsPerSecond: calls / seconds, callsPerCpuSecond: calls / Math.max(cpuSeconds, 1e-6) };
}

async function startServer() {
  // Built as for production: code run through a loader keeps function names at a price per call.
  const outfile = fileURLToPath(new URL('../node_modules/.cache/voxgate/rpc-server.mjs', import.meta.url));
  const entry = fileURLToPath(new URL('./rpc-server.ts', import.meta.url));
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
  });
  const child = fork(outfile, { execArgv: [] });
  const next = <T>(member: string): Promise<T> =>
    new Promise((resolve, reject) => {
      const onExit = (): void => reject(new Error('the bench server ended'));
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
  const addresses = await next<BenchAddresses>('addresses');
  return {
    addresses,
    async cpuMicros(): Promise<number> {
      const answer = next<NodeJS.CpuUsage>('cpu');
      child.send('cpu');
      const usage = await answer;
      return usage.user + usage.system;
    },
    stop: () => void child.kill(),
  };
}

/** A bare HTTP/2 client: a full gRPC client would cost more than the servers that are measured. */
export async function grpcLoad(address: string): Promise<Load> {
  const message = toBinary(CreateScopeRequestSchema, create(CreateScopeRequestSchema, request));
  const frame = Buffer.alloc(5 + message.length);
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, 5);
  const headers = {
    ':method': 'POST',
    ':path': `/${ScopesManager.typeName}/CreateScope`,
    'content-type': 'application/grpc',
    te: 'trailers',
    authorization: 'Bearer bench',
  };
  let done = 0;
  let running = true;
  const sessions = Array.from({ length: CONNECTIONS }, () => connectHttp2(`http://${address}`));
  const closed = sessions.map((session) => new Promise((resolve) => session.once('close', resolve)));
  for (const session of sessions) {
    session.on('error', () => {});
    const next = (): void => {
      if (!running) return;
      const stream = session.request(headers);
      let status: string | undefined;
      stream.on('trailers', (trailers) => (status = String(trailers['grpc-status'])));
      stream.on('close', () => {
        if (!running) return;
        if (status !== '0') throw new Error(`gRPC status ${status}`);
        done += 1;
        next();
      });
      stream.on('error', () => {});
      stream.resume();
      stream.end(frame);
    };
    for (let count = 0; count < STREAMS_PER_CONNECTION; count++) next();
  }
  return {
    done: () => done,
    async stop() {
      running = false;
      for (const session of sessions) session.destroy();
      await Promise.all(closed);
    },
  };
}

export async function restLoad(address: string): Promise<Load> {
  const body = JSON.stringify(request);
  const bytes = Buffer.from(
    `POST /v1/scopes HTTP/1.1\r\nhost: ${address}\r\nauthorization: Bearer bench\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  const url = new URL(`http://${address}`);
  let done = 0;
  let running = true;
  const sockets = Array.from({ length: CONNECTIONS * 2 }, () => connectTcp(Number(url.port), url.hostname));
  for (const socket of sockets) {
    let buffered = '';
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('connect', () => socket.write(bytes));
    socket.on('data', (chunk) => {
      buffered += chunk.toString('latin1');
      const headEnd = buffered.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(buffered)?.[1] ?? 'NaN');
      if (!buffered.startsWith('HTTP/1.1 200')) throw new Error(buffered.slice(0, 300));
      if (buffered.length < headEnd + 4 + length) return;
      buffered = '';
      done += 1;
      if (running) socket.write(bytes);
    });
  }
  return {
    done: () => done,
    async stop() {
      running = false;
      for (const socket of sockets) socket.destroy();
    },
  };
}
