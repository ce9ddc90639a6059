// One place in the pool: the worker thread that currently fills it, if any, its state, and the starts of its
// successors.
import { Worker } from 'node:worker_threads';
import { setTimeout as pause } from 'node:timers/promises';
import { BegunWork } from './begun-work.js';
import { type Preemption, requestPreemption } from './preemption.js';
import { cancelJob, closeGate, sharedWords } from './runtime-gate.js';
import type { Paused, Ready, Reply, Request, Resume, WorkerStart } from './worker-protocol.js';

interface SlotEvents {
  reply(reply: Reply): void;
  /** The running job has yielded. */
  paused(): void;
  /** A worker that had started has ended by itself. */
  gone(cause: unknown): void;
  ready(warning: string | undefined): void;
  /** A worker ended before it was ready. */
  failed(cause: unknown): void;
}

/** `waiting`: a start failed, and the next attempt is scheduled. */
type State = 'empty' | 'starting' | 'waiting' | 'idle' | 'busy' | 'stopped';

const GATE_POLL_MS = 5;
const retryDelayMs = [1000, 5000, 30_000] as const;

// From source (tests, development) the worker needs the TypeScript loader before it can import its module.
const TYPESCRIPT_START = `
  const { workerData } = require('node:worker_threads');
  import('tsx/esm/api').then(({ register }) => { register(); return import(workerData.entry); });
`;

export class WorkerSlot {
  readonly index: number;
  readonly #entry: URL;
  readonly #settings: unknown;
  readonly #idleMs: number;
  readonly #events: SlotEvents;
  /** The unfinished work of its worker. */
  readonly begun = new BegunWork();
  state: State = 'empty';
  /** Counts the workers that filled this slot; state held by an earlier one is lost. */
  generation = 0;
  failedStarts = 0;
  /** The warning with which its worker became ready. */
  warning: string | undefined;
  #worker: Worker | undefined;
  #shared = sharedWords();
  #timer: NodeJS.Timeout | undefined;
  #holds = 0;

  constructor(index: number, entry: URL, settings: unknown, idleMs: number, events: SlotEvents) {
    this.index = index;
    this.#entry = entry;
    this.#settings = settings;
    this.#idleMs = idleMs;
    this.#events = events;
  }

  get loaded(): boolean {
    return this.state === 'idle' || this.state === 'busy';
  }

  start(): void {
    clearTimeout(this.#timer);
    this.state = 'starting';
    this.#holds = 0;
    this.begun.clear();
    const generation = ++this.generation;
    this.#shared = sharedWords();
    const workerData: WorkerStart = {
      settings: this.#settings,
      shared: this.#shared,
      entry: this.#entry.href,
    };
    const worker = this.#entry.pathname.endsWith('.ts')
      ? new Worker(TYPESCRIPT_START, { eval: true, workerData, execArgv: [] })
      : new Worker(this.#entry, { workerData, execArgv: [] });
    this.#worker = worker;
    let cause: unknown = new Error('the worker ended');
    worker.on('message', (message: Ready | Reply | Paused) => {
      if (generation === this.generation) this.#onMessage(message);
    });
    worker.on('error', (error) => (cause = error));
    worker.on('exit', () => {
      if (generation === this.generation) this.#onExit(cause);
    });
  }

  #onMessage(message: Ready | Reply | Paused): void {
    this.#becomeIdle();
    if ('ready' in message) {
      this.failedStarts = 0;
      this.warning = message.warning;
      this.#events.ready(message.warning);
      return;
    }
    this.begun.heldBytes = message.heldBytes;
    if ('paused' in message) this.#events.paused();
    else this.#events.reply(message);
  }

  /** How much state the worker holds for later jobs. */
  get held(): number {
    return this.#holds;
  }

  /** Counts state that the worker holds for later jobs; meanwhile it is not ended. */
  hold(change: 1 | -1): void {
    this.#holds = Math.max(0, this.#holds + change);
    if (this.state === 'idle') this.#becomeIdle();
  }

  send(message: Request | Resume, transfer: ArrayBuffer[] = []): void {
    clearTimeout(this.#timer);
    this.state = 'busy';
    this.requestPreemption('no');
    this.#worker?.postMessage(message, transfer);
  }

  requestPreemption(wish: Preemption): void {
    requestPreemption(this.#shared, wish);
  }

  cancel(jobId: number): void {
    cancelJob(this.#shared, jobId);
  }

  /** Ends a worker that does not react; its end is reported like any other. */
  kill(): void {
    void this.#end();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.state = 'stopped';
    this.generation++;
    await this.#end();
  }

  /**
   * Waits while the worker is inside the ONNX runtime, where ending it would end the process. A run takes a
   * second or two at most.
   */
  async #end(): Promise<void> {
    const [worker, shared] = [this.#worker, this.#shared];
    if (!worker) return;
    while (!closeGate(shared)) await pause(GATE_POLL_MS);
    await worker.terminate();
  }

  #becomeIdle(): void {
    clearTimeout(this.#timer);
    this.state = 'idle';
    if (this.#idleMs > 0 && this.#holds === 0)
      this.#timer = setTimeout(() => this.#releaseIdleWorker(), this.#idleMs).unref();
  }

  #releaseIdleWorker(): void {
    this.state = 'empty';
    this.generation++;
    void this.#end();
    this.#worker = undefined;
  }

  #onExit(cause: unknown): void {
    clearTimeout(this.#timer);
    // A later worker must not be mistaken for this one, even before it starts.
    this.generation++;
    this.#worker = undefined;
    this.begun.clear();
    if (this.state !== 'starting') {
      this.state = 'empty';
      this.#events.gone(cause);
      return;
    }
    this.state = 'waiting';
    const delay = retryDelayMs[Math.min(this.failedStarts++, retryDelayMs.length - 1)];
    this.#timer = setTimeout(() => this.start(), delay).unref();
    this.#events.failed(cause);
  }
}
