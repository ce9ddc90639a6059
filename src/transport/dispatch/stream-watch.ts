// The time limits of a stream: how long it may wait for its caller's next message, and how long it may last. A stream that
// runs out of time ends with a status that says so, instead of occupying its slot forever.
import { AppError } from '../../errors.js';
import { shuttingDown, type Refusal } from '../refusal.js';
import type { Deadlines } from './deadlines.js';

export interface StreamLimits {
  streamIdleMs: number;
  streamTimeoutMs: number;
}

export class StreamWatch {
  readonly #deadlines: Deadlines;
  readonly #idleMs: number;
  readonly #stop: () => void;
  readonly #over: Promise<never>;
  #fault: AppError | Refusal | undefined;

  /** `onOver` tells the handler that its time is over, in case that it waits for something else than a message. */
  constructor(deadlines: Deadlines, idleMs: number, totalMs: number, onOver: () => void) {
    this.#deadlines = deadlines;
    this.#idleMs = idleMs;
    let reject: (fault: AppError | Refusal) => void = () => {};
    this.#over = new Promise<never>((_, refuse) => (reject = refuse));
    // Nobody may be waiting when it happens.
    this.#over.catch(() => {});
    this.#stop = deadlines.add(performance.now(), totalMs, (why) => {
      this.#fault =
        why === 'shutdown'
          ? shuttingDown()
          : new AppError('DEADLINE_EXCEEDED', 'the stream reached its maximum duration; open a new one');
      reject(this.#fault);
      onOver();
    });
  }

  /** The same messages, each of them in time. */
  async *watched<T>(messages: AsyncIterable<T>): AsyncGenerator<T> {
    const iterator = messages[Symbol.asyncIterator]();
    for (;;) {
      const next = await this.#inTime(iterator.next());
      if (next.done === true) return;
      yield next.value;
    }
  }

  /** Throws when the time is over. */
  check(): void {
    if (this.#fault) throw this.#fault;
  }

  stop(): void {
    this.#stop();
  }

  async #inTime<T>(next: Promise<T>): Promise<T> {
    let cancel = (): void => {};
    const idle = new Promise<never>((_, reject) => {
      cancel = this.#deadlines.add(performance.now(), this.#idleMs, () =>
        reject(
          new AppError('DEADLINE_EXCEEDED', `the stream waited ${this.#idleMs} ms for your next message`),
        ),
      );
    });
    try {
      return await Promise.race([next, idle, this.#over]);
    } finally {
      cancel();
    }
  }
}
