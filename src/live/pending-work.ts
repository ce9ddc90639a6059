// Work in progress that a server waits for when it shuts down.
import { yieldToEventLoop } from '../platform.js';

export class PendingWork {
  readonly #underWay = new Set<Promise<unknown>>();

  add<T>(work: Promise<T>): Promise<T> {
    const settled = work.then(
      () => undefined,
      () => undefined,
    );
    this.#underWay.add(settled);
    void settled.then(() => this.#underWay.delete(settled));
    return work;
  }

  /** Includes work that was started immediately because of it. */
  async all(): Promise<void> {
    while (this.#underWay.size > 0) {
      await Promise.all(this.#underWay);
      await yieldToEventLoop();
    }
  }
}
