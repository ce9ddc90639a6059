// Work that a worker has begun and not finished: jobs that yielded, and files that wait for a decision. Each
// holds its audio in memory, so their number is limited, and one client's work cannot keep another client
// from starting its first.
import type { WorkPriority } from '../../voice/engine.js';

export interface Begun {
  client?: string;
  priority?: WorkPriority;
}

export const begunBy = ({ client, priority }: Begun): Begun => ({
  ...(client === undefined ? {} : { client }),
  ...(priority === undefined ? {} : { priority }),
});

/** Per client. */
const PER_CLIENT_MAX = 8;
const IN_ALL_MAX = 32;
/** Once begun work holds this much, no client may begin a second job. */
const HELD_BYTES_MAX = 512 * 1024 * 1024;

export class BegunWork {
  readonly #counts = new Map<string, number>();
  /** How many of them a caller waits for: all but background work. */
  #waitedFor = 0;
  /** As the worker last reported. */
  heldBytes = 0;

  /** Whether this worker will get the next step of work that a caller waits for. */
  get isWaitedFor(): boolean {
    return this.#waitedFor > 0;
  }

  get count(): number {
    let sum = 0;
    for (const count of this.#counts.values()) sum += count;
    return sum;
  }

  /** Whether a client may begin something new; work that has begun can always go on. */
  allows(client = ''): boolean {
    const own = this.#counts.get(client) ?? 0;
    if (own === 0) return this.count < IN_ALL_MAX;
    return own < PER_CLIENT_MAX && this.count < IN_ALL_MAX && this.heldBytes < HELD_BYTES_MAX;
  }

  add({ client = '', priority }: Begun): void {
    if (priority !== 'background') this.#waitedFor++;
    this.#counts.set(client, (this.#counts.get(client) ?? 0) + 1);
  }

  remove({ client = '', priority }: Begun): void {
    if (priority !== 'background') this.#waitedFor = Math.max(0, this.#waitedFor - 1);
    const left = (this.#counts.get(client) ?? 0) - 1;
    if (left > 0) this.#counts.set(client, left);
    else this.#counts.delete(client);
  }

  clear(): void {
    this.#counts.clear();
    this.#waitedFor = 0;
    this.heldBytes = 0;
  }
}
