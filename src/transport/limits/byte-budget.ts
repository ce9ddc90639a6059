// How many bytes of requests and responses the server holds in memory at the same time: per connection, per client and in
// total. A caller who would exceed the limit is refused at once and told to retry; nobody waits, so nothing can deadlock.
import { AppError } from '../../errors.js';

interface BudgetLimits {
  bytesInFlight: number;
  bytesInFlightPerClient: number;
  bytesInFlightPerConnection: number;
}

/** What one connection holds now; whoever owns the connection keeps it. */
export interface ConnectionUse {
  bytes: number;
  /** Ends when the last work that was asked for in turn has ended. */
  turn?: Promise<unknown>;
}

const RETRY_AFTER_MS = 1000;

export class ByteBudget {
  readonly #limits: BudgetLimits;
  readonly #byClient = new Map<string, number>();
  #total = 0;

  constructor(limits: BudgetLimits) {
    this.#limits = limits;
  }

  get held(): number {
    return this.#total;
  }

  open(connection: ConnectionUse): ByteHold {
    return new ByteHold(this, connection);
  }

  /** Why this many more bytes are too many; undefined when they are not. */
  refusal(bytes: number, connection: ConnectionUse, client: string | undefined): string | undefined {
    const { bytesInFlight, bytesInFlightPerClient, bytesInFlightPerConnection } = this.#limits;
    if (connection.bytes + bytes > bytesInFlightPerConnection) return 'on this connection';
    if (client !== undefined && (this.#byClient.get(client) ?? 0) + bytes > bytesInFlightPerClient)
      return 'of this client';
    return this.#total + bytes > bytesInFlight ? 'in all' : undefined;
  }

  change(bytes: number, connection: ConnectionUse, client: string | undefined): void {
    connection.bytes += bytes;
    this.#total += bytes;
    if (client === undefined) return;
    const left = (this.#byClient.get(client) ?? 0) + bytes;
    if (left === 0) this.#byClient.delete(client);
    else this.#byClient.set(client, left);
  }
}

/** What one call holds. Whoever opened it closes it when the answer has left. */
export class ByteHold {
  readonly #budget: ByteBudget;
  readonly #connection: ConnectionUse;
  #client: string | undefined;
  #bytes = 0;
  #closed = false;

  constructor(budget: ByteBudget, connection: ConnectionUse) {
    this.#budget = budget;
    this.#connection = connection;
  }

  /** On whose account everything goes from now on; called once, before any byte is taken. */
  chargeTo(client: string): void {
    this.#client = client;
  }

  /** Throws BUSY where these bytes are too many. */
  take(bytes: number): void {
    const where = this.#budget.refusal(bytes, this.#connection, this.#client);
    if (where !== undefined) {
      throw new AppError('BUSY', `too many bytes in flight ${where}; retry unchanged`, {
        retryAfterMs: RETRY_AFTER_MS,
        diagnostics: [{ code: 'BYTES_IN_FLIGHT' }],
      });
    }
    this.count(bytes);
  }

  /** For bytes that exist already, as those of an answer: refusing them would save nothing. */
  count(bytes: number): void {
    if (this.#closed) return;
    this.#bytes += bytes;
    this.#budget.change(bytes, this.#connection, this.#client);
  }

  /**
   * Does work that takes more and more after everything of its kind on the connection: many that grow at the same time
   * would all be refused before any of them is done.
   */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = (this.#connection.turn ?? Promise.resolve()).then(work);
    this.#connection.turn = mine.catch(() => {});
    return mine;
  }

  /** Gives back what is held, and goes on. */
  release(): void {
    if (this.#bytes === 0) return;
    this.#budget.change(-this.#bytes, this.#connection, this.#client);
    this.#bytes = 0;
  }

  /** The end: whatever still comes is not held by this call. */
  close(): void {
    this.release();
    this.#closed = true;
  }
}
