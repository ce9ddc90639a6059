// Context that belongs to a piece of work and everything that it starts, for as long as it runs.
import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Tracks nothing while no work runs: before Node 24, async tracking makes every promise in the process
 * slower.
 */
export class AsyncContext<T> {
  readonly #storage = new AsyncLocalStorage<T>();
  #running = 0;

  get current(): T | undefined {
    return this.#running === 0 ? undefined : this.#storage.getStore();
  }

  async run<R>(value: T, work: () => Promise<R>): Promise<R> {
    this.#running += 1;
    try {
      return await this.#storage.run(value, work);
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#storage.disable();
    }
  }
}
