// `npm run bench -- chaos [--minutes N] [--seed S] [--postgres]`: clients work while the server is killed, stopped, flooded,
// starved of disk and database and moved in time; afterwards everything that was acknowledged is looked for. What happens
// follows from the seed; when exactly it hits what does not.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { envName } from '../src/config.js';
import { startPostgres, stopPostgres } from '../test/support/postgres-server.js';
import { smallDisk, type SmallDisk } from '../test/support/small-disk.js';
import { createRng } from '../test/support/sounds.js';
import { tcpProxy, type TcpProxy } from '../test/support/tcp-proxy.js';
import { awaitErasures, checkState, checkTokens, type Place } from './chaos/check.js';
import { faults, possibleFaults, type ChaosSetup } from './chaos/faults.js';
import { Ledger } from './chaos/ledger.js';
import { runLoad } from './chaos/load.js';
import { Server } from './chaos/server.js';
import type { Bench, BenchOptions, BenchReport } from './harness.js';

const LONG_SECONDS = 600;
const READY_WITHIN_MS = 90_000;
const KINDS_MIN = 2;
const TINY_PAUSE_MS = 250;
/** Each worker loads the models anew whenever the server starts. */
const tinyServer = { [envName('engine.workers')]: '1' };

interface Scene {
  home: string;
  databaseUrl: string;
  disk: SmallDisk | undefined;
  proxy: TcpProxy | undefined;
  end(): Promise<void>;
}

async function setScene({ tiny, postgres = false }: BenchOptions): Promise<Scene> {
  const disk = smallDisk(tiny ? 200 : 2048);
  const folder = disk?.path ?? mkdtempSync(join(tmpdir(), 'voxgate-chaos-'));
  const running = postgres ? await startPostgres() : undefined;
  const proxy = running && (await tcpProxy(Number(new URL(running.url).port)));
  const url = running && new URL(running.url);
  if (url && proxy) url.port = String(proxy.port);
  return {
    home: join(folder, 'home'),
    databaseUrl: url?.toString() ?? '',
    disk,
    proxy,
    async end() {
      await proxy?.end();
      if (running) await stopPostgres(running.folder);
      if (disk) disk.remove();
      else rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Every kind once, in an order of the seed, and again until the time is over; two kinds on the slowest machine. */
async function injectFaults(
  around: ChaosSetup,
  untilMs: number,
  calmMs: number,
): Promise<{ injected: Record<string, number>; notRecovered: string[] }> {
  const injected: Record<string, number> = {};
  const notRecovered: string[] = [];
  let left: string[] = [];
  while (performance.now() < untilMs || Object.keys(injected).length < KINDS_MIN) {
    await sleep(calmMs * (0.5 + around.rng()));
    if (left.length === 0) left = possibleFaults(around);
    const [name = 'kill'] = left.splice(Math.floor(around.rng() * left.length), 1);
    injected[name] = (injected[name] ?? 0) + 1;
    await faults[name]?.(around);
    if (!around.server.isRunning) {
      notRecovered.push(`the server ended by itself after "${name}"`);
      await around.server.start();
    }
    if (!(await around.server.isReadyWithin(READY_WITHIN_MS))) notRecovered.push(`not ready after "${name}"`);
  }
  return { injected, notRecovered };
}

export const run: Bench = async (options) => {
  const { seconds, tiny, seed = 1 } = options;
  const scene = await setScene(options);
  const { home, databaseUrl, proxy, disk } = scene;
  const clockFolder = mkdtempSync(join(tmpdir(), 'voxgate-clock-'));
  const server = new Server({
    home,
    databaseUrl,
    clockFile: join(clockFolder, 'offset'),
    env: tiny ? tinyServer : {},
  });
  const ledger = new Ledger();
  let isOver = false;
  try {
    await server.start();
    const place: Place = { home, databaseUrl, tenantId: server.target?.tenantId ?? '' };
    const untilMs = performance.now() + seconds * 1000;
    const load = runLoad({
      server,
      ledger,
      seed,
      workers: tiny ? 3 : 6,
      pauseMs: tiny ? TINY_PAUSE_MS : 0,
      stopped: () => isOver,
    });
    const around: ChaosSetup = {
      server,
      rng: createRng(seed),
      diskPath: disk?.path,
      databaseFile: join(home, 'voxgate.db'),
      proxy,
      lastsMs: tiny ? 600 : 4000,
      wrongClockMs: seconds >= LONG_SECONDS ? 100_000 : tiny ? 600 : 8000,
    };
    const { injected, notRecovered } = await injectFaults(around, untilMs, tiny ? 300 : 4000);
    isOver = true;
    await load;
    const wrong = [...notRecovered, ...(await awaitErasures(place, ledger))];
    if (server.target) wrong.push(...(await checkTokens(server.target, ledger)));
    await server.end('SIGTERM');
    wrong.push(...(await checkState(place, ledger)));
    return reportOf(options, { injected, wrong, ledger, server });
  } finally {
    isOver = true;
    await server.end('SIGKILL');
    await scene.end();
    rmSync(clockFolder, { recursive: true, force: true });
  }
};

interface Course {
  injected: Record<string, number>;
  wrong: string[];
  ledger: Ledger;
  server: Server;
}

function reportOf({ seconds, seed = 1, postgres = false }: BenchOptions, course: Course): BenchReport {
  const { injected, wrong, ledger, server } = course;
  const count = Object.values(injected).reduce((sum, each) => sum + each, 0);
  const store = postgres ? 'PostgreSQL' : 'SQLite';
  return {
    name: 'chaos',
    compared: `${store}, ${Math.round(seconds / 6) / 10} minutes, seed ${seed}: ${count} faults injected, ${ledger.total} operations acknowledged, ${wrong.length} lost or wrong`,
    lines: [],
    details: {
      seed,
      store,
      seconds,
      faults: injected,
      ...ledger.figures(wrong),
      unexpectedEnds: server.unexpectedEnds,
    },
  };
}
