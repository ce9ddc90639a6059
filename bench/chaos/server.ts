// The server under test: the program in a process of its own, on a home of its own, which may be killed, stopped and started
// again as often as it takes.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { envName } from '../../src/config.js';
import { isBuiltAt } from '../../test/support/served-program.js';
import { residentMiBOf } from '../harness.js';

const ownRoot = new URL('../../', import.meta.url);
const TOKENS_ISSUER = 'https://chaos.example';
/** Of a machine that is busy with other things, too. */
const START_MS_MAX = 900_000;
/** As Linux tells them, on every processor. */
const CLOCK_TICKS_PER_SECOND = 100;

/** Every start has another port; tokens outlive it, and hold at every node, as behind one public address. */
const sameIssuer = { [envName('tokens.issuer')]: 'http://voxgate.test' };

export interface Target {
  http: string;
  tenantId: string;
  configsetId: string;
  clientId: string;
  clientSecret: string;
}

export class Server {
  readonly #root: URL;
  readonly #home: string;
  readonly #databaseUrl: string;
  readonly #clockFile: string | undefined;
  readonly #env: Record<string, string>;
  #process: ChildProcess | undefined;
  #secret = '';
  target: Target | undefined;
  /** Ends that nobody asked for. */
  unexpectedEnds = 0;

  constructor(options: {
    home: string;
    databaseUrl: string;
    /** Where its clock is moved by; one that keeps its own is not slowed down. */
    clockFile?: string;
    /** Settings as an operator would give them. */
    env?: Record<string, string>;
    /** Checkout of another version of the program, built; without it, this one. */
    program?: string;
  }) {
    // Each start has another port, and tokens must outlive it.
    this.#env = { VOXGATE_TOKENS_ISSUER: TOKENS_ISSUER, ...options.env };
    this.#root = options.program === undefined ? ownRoot : pathToFileURL(`${options.program}/`);
    this.#home = options.home;
    this.#databaseUrl = options.databaseUrl;
    this.#clockFile = options.clockFile;
    this.moveClock(0);
  }

  async start(): Promise<void> {
    const main = (await isBuiltAt(this.#root)) ? ['dist/main.js'] : ['--import', 'tsx', 'src/main.ts'];
    const shift = pathToFileURL(join(import.meta.dirname, 'clock-shift.mjs')).href;
    const shifted = this.#clockFile === undefined ? [] : ['--import', shift];
    const flags = ['--bootstrap', '--json', '--home', this.#home, '--log-level', 'silent'];
    const database = this.#databaseUrl ? ['--database', this.#databaseUrl] : [];
    const child = spawn(
      process.execPath,
      [...shifted, ...main, 'serve', ...flags, ...database, '--http', '127.0.0.1:0', '--grpc', '127.0.0.1:0'],
      {
        cwd: fileURLToPath(this.#root),
        env: { ...process.env, ...sameIssuer, ...this.#env, CHAOS_CLOCK_FILE: this.#clockFile ?? '' },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    this.#process = child;
    const first = await firstLine(child);
    const { http, bootstrap } = JSON.parse(first) as {
      http: string;
      bootstrap: {
        scope: { gk_scope_id: string };
        configset_id: string;
        application: { client_id: string; client_secret?: string };
      };
    };
    this.#secret = bootstrap.application.client_secret ?? this.#secret;
    child.once('exit', () => {
      if (this.#process === child) this.unexpectedEnds += 1;
    });
    this.target = {
      http,
      tenantId: bootstrap.scope.gk_scope_id,
      configsetId: bootstrap.configset_id,
      clientId: bootstrap.application.client_id,
      clientSecret: this.#secret,
    };
  }

  /** Ends the process by this signal and waits until it is gone. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    this.target = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }

  /** Processor time that it has taken since it was started, in seconds; undefined where nobody counts it. */
  cpuSeconds(): number | undefined {
    try {
      const fields = readFileSync(`/proc/${this.#process?.pid}/stat`, 'utf8').split(') ')[1]?.split(' ');
      return (Number(fields?.[11]) + Number(fields?.[12])) / CLOCK_TICKS_PER_SECOND;
    } catch {
      return undefined;
    }
  }

  residentMiB(): number {
    return residentMiBOf(this.#process?.pid);
  }

  pause(): void {
    this.#process?.kill('SIGSTOP');
  }

  resume(): void {
    this.#process?.kill('SIGCONT');
  }

  get isRunning(): boolean {
    return (
      this.#process !== undefined && this.#process.exitCode === null && this.#process.signalCode === null
    );
  }

  moveClock(offsetMs: number): void {
    if (this.#clockFile !== undefined) writeFileSync(this.#clockFile, String(offsetMs));
  }

  /** Whether it says that it is ready within the time. */
  async isReadyWithin(limitMs: number): Promise<boolean> {
    const until = performance.now() + limitMs;
    while (performance.now() < until) {
      const { http } = this.target ?? {};
      if (http) {
        const answer = await fetch(`${http}/readyz`, { signal: AbortSignal.timeout(5000) }).catch(
          () => undefined,
        );
        if (answer?.status === 200) return true;
      }
      await sleep(100);
    }
    return false;
  }
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    let complaint = '';
    const timer = setTimeout(() => reject(new Error('the server did not start')), START_MS_MAX);
    child.stderr?.on('data', (piece: Buffer) => (complaint = (complaint + piece.toString()).slice(-2000)));
    child.stdout?.on('data', (piece: Buffer) => {
      text += piece.toString();
      if (!text.includes('\n')) return;
      clearTimeout(timer);
      resolve(text);
    });
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      reject(new Error(`the server ended with ${code ?? signal}: ${complaint}${text}`));
    });
  });
}
