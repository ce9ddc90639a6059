// A call whose change and answer must be durable together. The transaction that records the change stays open until the answer
// is known; whatever the call reads or writes after that goes through the same transaction.
import { sql, type Transaction } from 'kysely';
import { AppError } from '../errors.js';
import { AsyncContext } from './async-context.js';
import type { Schema } from './schema.js';

type Tx = Transaction<Schema>;

/** The work that ends a transaction; undefined if the call failed. */
type LastWork = ((tx: Tx) => Promise<void>) | undefined;

/** An open transaction may block other calls, so one that is held for longer than this is rolled back. */
const OPEN_MS_MAX = 10_000;

interface OpenTransaction {
  tx: Tx;
  hooks: (() => void)[];
  lastSteps: unknown[];
  ended: Promise<void>;
}

export const atomicCalls = new AsyncContext<AtomicCall>();
const changing = new WeakSet<Tx>();

/** Called when a change is recorded: marks the transaction that an atomic call has to keep open. */
export function noteChange(tx: Tx): void {
  changing.add(tx);
}

export class AtomicCall {
  #held: (OpenTransaction & { release(last: LastWork): void }) | undefined;
  #isOver = false;
  #limit: NodeJS.Timeout | undefined;
  #joined: Promise<unknown> = Promise.resolve();

  /** The open transaction, if there is one. */
  get tx(): Tx | undefined {
    return this.#isOver ? undefined : this.#held?.tx;
  }

  holds(tx: Tx): boolean {
    return !this.#isOver && changing.has(tx);
  }

  /** Keeps the transaction open; resolves with the work that is still to be done in it. */
  hold(open: OpenTransaction): Promise<LastWork> {
    return new Promise((release) => {
      this.#held = { ...open, release };
      this.#limit = setTimeout(() => this.#expire(), OPEN_MS_MAX);
    });
  }

  /**
   * Makes another transaction of the same call part of the first; if it fails, only its own part is rolled
   * back.
   */
  join<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const run = this.#joined.then(() => this.#asPart(work));
    this.#joined = run.catch(() => undefined);
    return run;
  }

  /** Ends the held transaction; false if there was none. */
  async end(last: LastWork): Promise<boolean> {
    await this.#joined;
    this.#isOver = true;
    clearTimeout(this.#limit);
    if (!this.#held) return false;
    this.#held.release(last);
    await this.#held.ended;
    return true;
  }

  async #asPart<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const { tx, hooks, lastSteps } = this.#held as OpenTransaction;
    const hooksBefore = hooks.length;
    const stepsBefore = lastSteps.length;
    await sql`savepoint part`.execute(tx);
    try {
      const result = await work(tx);
      await sql`release savepoint part`.execute(tx);
      return result;
    } catch (error) {
      hooks.length = hooksBefore;
      lastSteps.length = stepsBefore;
      await sql`rollback to savepoint part`.execute(tx);
      throw error;
    }
  }

  #expire(): void {
    this.#isOver = true;
    this.#held?.release(() => {
      throw new AppError('BUSY', 'the call took too long to end; retry unchanged', { retryAfterMs: 1000 });
    });
  }
}
