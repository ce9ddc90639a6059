// Events between a sender and a reader that reads at its own pace. A reader that does not keep up is dropped and told so,
// instead of filling the memory.
import { AppError } from '../errors.js';

const WAITING_MAX = 1000;

export class EventQueue<T> implements AsyncIterable<T> {
  readonly #waiting: T[] = [];
  #wake: (() => void) | undefined;
  #closed = false;
  #failure: unknown;

  push(item: T): void {
    if (this.#closed) return;
    if (this.#waiting.length >= WAITING_MAX) {
      this.fail(new AppError('BUSY', 'events are not read fast enough'));
      return;
    }
    this.#waiting.push(item);
    this.#wake?.();
  }

  /** Waiting events are still read. */
  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  fail(cause: unknown): void {
    this.#failure = cause;
    this.close();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      while (this.#waiting.length > 0) yield this.#waiting.shift() as T;
      if (this.#failure !== undefined) throw this.#failure;
      if (this.#closed) return;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
