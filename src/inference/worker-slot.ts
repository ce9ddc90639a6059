// One place in the pool: the worker thread that fills it now, its state, and its successor's start.
import { Worker } from 'node:worker_threads';
import type { Ready, Reply, Request, WorkerStart } from './worker-protocol.js';

export interface SlotEvents {
  reply(reply: Reply): void;
  gone(cause: unknown): void;
  ready(): void;
}

type State = 'stopped' | 'starting' | 'idle' | 'busy';

const RESTART_DELAY_MS = [0, 200, 1000, 5000] as const;

// From source (tests, development) the worker needs the TypeScript loader before it can import its module.
const TYPESCRIPT_START = `
  const { workerData } = require('node:worker_threads');
  import('tsx/esm/api').then(({ register }) => { register(); return import(workerData.entry); });
`;

export class WorkerSlot {
  state: State = 'stopped';
  /** Counts the workers that filled this slot; state held by an earlier one is lost. */
  generation = 0;
  #worker: Worker | undefined;
  #cancelledJob = new Int32Array(new SharedArrayBuffer(4));
  #failedStarts = 0;
  #stopping = false;

  constructor(
    readonly index: number,
    private readonly entry: URL,
    private readonly settings: unknown,
    private readonly events: SlotEvents,
  ) {}

  start(): Promise<void> {
    this.state = 'starting';
    const generation = ++this.generation;
    this.#cancelledJob = new Int32Array(new SharedArrayBuffer(4));
    const workerData: WorkerStart = {
      settings: this.settings,
      cancelledJob: this.#cancelledJob,
      entry: this.entry.href,
    };
    const worker = this.entry.pathname.endsWith('.ts')
      ? new Worker(TYPESCRIPT_START, { eval: true, workerData, execArgv: [] })
      : new Worker(this.entry, { workerData, execArgv: [] });
    this.#worker = worker;
    return new Promise((resolve, reject) => {
      let cause: unknown = new Error('the worker ended');
      worker.on('message', (message: Ready | Reply) => {
        if (generation !== this.generation) return;
        this.state = 'idle';
        if ('ready' in message) {
          this.#failedStarts = 0;
          resolve();
          this.events.ready();
        } else this.events.reply(message);
      });
      worker.on('error', (error) => (cause = error));
      worker.on('exit', () => {
        if (generation !== this.generation) return;
        const started = this.state !== 'starting';
        this.state = 'stopped';
        // A later worker must not be taken for this one, even before it starts.
        this.generation++;
        reject(cause instanceof Error ? cause : new Error(String(cause)));
        if (started && !this.#stopping) this.events.gone(cause);
      });
    });
  }

  async restart(): Promise<void> {
    while (!this.#stopping) {
      const delay = RESTART_DELAY_MS[Math.min(this.#failedStarts, RESTART_DELAY_MS.length - 1)] ?? 0;
      await new Promise((resolve) => setTimeout(resolve, delay).unref());
      if (this.#stopping) return;
      try {
        return await this.start();
      } catch {
        this.#failedStarts++;
      }
    }
  }

  send(request: Request, transfer: ArrayBuffer[]): void {
    this.state = 'busy';
    this.#worker?.postMessage(request, transfer);
  }

  cancel(jobId: number): void {
    Atomics.store(this.#cancelledJob, 0, jobId);
  }

  kill(_why: Error): void {
    void this.#worker?.terminate();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#worker?.terminate();
  }
}
