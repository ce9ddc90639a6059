// The faults that are injected, one after another. Each ends with the server in place and the world as it was.
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../src/storage/database.js';
import type { Rng } from '../../test/support/sounds.js';
import type { TcpProxy } from '../../test/support/tcp-proxy.js';
import type { Server } from './server.js';

const DAY_MS = 24 * 3600_000;
const PIECE_BYTES = 4 * 1024 * 1024;

export interface ChaosSetup {
  server: Server;
  rng: Rng;
  /** A file system of its own, where this process may make one. */
  diskPath: string | undefined;
  databaseFile: string;
  /** Before PostgreSQL; absent on SQLite. */
  proxy: TcpProxy | undefined;
  /** How long a fault lasts, and how long a server runs under a wrong clock. */
  lastsMs: number;
  wrongClockMs: number;
}

export type Fault = (around: ChaosSetup) => Promise<void>;

async function restart({ server }: ChaosSetup, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  await server.end(signal);
  await server.start();
}

const kill: Fault = (around) => restart(around, 'SIGKILL');
const terminate: Fault = (around) => restart(around, 'SIGTERM');

const stop: Fault = async ({ server, lastsMs }) => {
  server.pause();
  await sleep(lastsMs);
  server.resume();
};

/** Down to the last page, so that nothing at all can be written. */
function fillUp(path: string): string {
  const filler = join(path, 'filler');
  const file = openSync(filler, 'w');
  try {
    for (let bytes = PIECE_BYTES; bytes >= 512;) {
      try {
        if (writeSync(file, Buffer.alloc(bytes, 1)) < bytes) bytes /= 2;
      } catch {
        bytes /= 2;
      }
    }
  } finally {
    closeSync(file);
  }
  return filler;
}

const fill: Fault = async ({ diskPath, lastsMs }) => {
  if (diskPath === undefined) return;
  const filler = fillUp(diskPath);
  await sleep(lastsMs);
  rmSync(filler);
};

const fillAndKill: Fault = async (around) => {
  if (around.diskPath === undefined) return;
  const filler = fillUp(around.diskPath);
  await sleep(around.lastsMs / 2);
  await around.server.end('SIGKILL');
  rmSync(filler);
  await around.server.start();
};

/** PostgreSQL falls silent; SQLite is held by another process. */
const freeze: Fault = async ({ proxy, databaseFile, lastsMs }) => {
  if (proxy) {
    proxy.freezeAll();
    await sleep(lastsMs);
    proxy.thaw();
    return;
  }
  const database = openDatabase({ kind: 'sqlite', file: databaseFile });
  try {
    await database.transaction(() => sleep(lastsMs));
  } finally {
    await database.close();
  }
};

const cut: Fault = async ({ proxy, lastsMs, rng }) => {
  if (!proxy) return;
  if (rng() < 0.5) return proxy.cut();
  await proxy.close();
  await sleep(lastsMs);
  await proxy.open();
};

/** Strangers: connections that say nothing, nonsense, large bodies without a token, wrong secrets. */
const flood: Fault = async ({ server, lastsMs }) => {
  const { target } = server;
  if (!target) return;
  const { hostname, port } = new URL(target.http);
  const sockets: Socket[] = [];
  for (let n = 0; n < 200; n++) {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    if (n % 2 === 0)
      socket.write(
        n % 4 === 0
          ? 'POST /v1/persons HTTP/1.1\r\nhost: x\r\ncontent-length: 9999999\r\n\r\n'
          : '\u0000\u0001nonsense',
      );
    sockets.push(socket);
  }
  const until = performance.now() + lastsMs;
  const stranger = async (): Promise<void> => {
    while (performance.now() < until) {
      const options = { method: 'POST', signal: AbortSignal.timeout(2000) };
      const basic = Buffer.from('nobody:wrong').toString('base64');
      await Promise.allSettled([
        fetch(`${target.http}/v1/persons`, { ...options, body: new Uint8Array(1 << 20) }),
        fetch(`${target.http}/oauth2/token`, {
          ...options,
          headers: { authorization: `Basic ${basic}` },
          body: new URLSearchParams({ grant_type: 'client_credentials' }),
        }),
      ]);
      await sleep(20);
    }
  };
  await Promise.all(Array.from({ length: 8 }, stranger));
  for (const socket of sockets) socket.destroy();
};

/** Far ahead, behind, or ahead by less than is noticed; under a running server or from its start. */
const clock: Fault = async (around) => {
  const { server, rng, wrongClockMs, lastsMs } = around;
  const offsets = [800 * DAY_MS, -3 * DAY_MS, 20 * 3600_000];
  const offsetMs = offsets[Math.floor(rng() * offsets.length)] ?? 0;
  const fromStart = rng() < 0.5;
  server.moveClock(offsetMs);
  if (fromStart) await restart(around, 'SIGKILL');
  await sleep(fromStart ? wrongClockMs : lastsMs);
  server.moveClock(0);
  if (fromStart) await restart(around, 'SIGKILL');
};

export const faults: Readonly<Record<string, Fault>> = {
  kill,
  terminate,
  stop,
  fill,
  'fill and kill': fillAndKill,
  freeze,
  cut,
  flood,
  clock,
};

/** Those that can be injected here. */
export function possibleFaults({ diskPath, proxy }: Pick<ChaosSetup, 'diskPath' | 'proxy'>): string[] {
  return Object.keys(faults).filter(
    (name) =>
      (name.startsWith('fill') ? diskPath !== undefined : true) &&
      (name === 'cut' ? proxy !== undefined : true),
  );
}
