// The connections of one node to PostgreSQL. While the database is away, every request for a connection fails
// at once, one attempt a second checks whether it is back, and the outage is reported twice: when it begins
// and when it ends. A connection that goes silent is found by asking the server about it over another one.
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseUnavailable } from '../unavailable.js';
import { unavailable, codeOf, isTimeout, TOO_MANY_CONNECTIONS } from './faults.js';
import { parseAddresses, type PostgresAddresses } from './hosts.js';
import { openSession, type Session } from './session.js';

/**
 * Reports about the connection to the database: one `down` and one `up` per outage, whatever fails in
 * between.
 */
export type DatabaseEvent =
  | { kind: 'down'; cause: Error }
  | { kind: 'up'; downMs: number; refused: number }
  | { kind: 'lost'; cause: Error };

export interface PoolOptions {
  url: string;
  max: number;
  connectTimeoutMs: number;
  statementTimeoutMs: number;
  onEvent(event: DatabaseEvent): void;
}

const IDLE_MS = 30_000;
const WATCH_EVERY_MS = 250;
/** After this many rounds without an answer a statement is investigated, and again after as many. */
const SILENT_ROUNDS = 6;
const PROBE_TIMEOUT_MS = 1500;
const RECOVERY_FIRST_MS = 50;
const RECOVERY_MAX_MS = 1000;
/** A single refusal may be momentary: a failover, a server about to come up. */
const CONNECT_ROUNDS = 2;
/** Added to the server's own limit for a statement. */
const STATEMENT_GRACE_MS = 2000;
const WAIT_FOR_CONNECTION_MS = 10_000;
const LOST_EVENT_EVERY_MS = 10_000;
const CLOSE_TIMEOUT_MS = 1000;
const CLOSE_STEP_MS = 20;

interface Waiter {
  resolve(session: Session): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
}

interface Outage {
  sinceMs: number;
  cause: Error;
  refused: number;
  nextTryMs: number;
}

export class PostgresPool {
  readonly #options: PoolOptions;
  readonly #addresses: PostgresAddresses;
  /** Both busy and idle ones. */
  readonly #sessions = new Set<Session>();
  #idle: Session[] = [];
  #opening = 0;
  #waiting: Waiter[] = [];
  #hostAt = 0;
  #outage: Outage | undefined;
  #recovery: NodeJS.Timeout | undefined;
  #watch: NodeJS.Timeout | undefined;
  #probing = false;
  #lostEventAtMs = -Infinity;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#addresses = parseAddresses(options.url);
  }

  async acquire(): Promise<Session> {
    if (this.#closed) throw new DatabaseUnavailable('the database is closed');
    if (this.#outage) throw this.#refusal(this.#outage);
    const idle = this.#idle.pop();
    if (idle) return idle;
    if (this.#sessions.size + this.#opening < this.#options.max) return this.#open();
    return this.#wait();
  }

  release(session: Session): void {
    if (session.lost || !this.#sessions.has(session)) return this.#refill();
    if (this.#closed) return void this.#end(session);
    const next = this.#waiting.shift();
    if (next) {
      clearTimeout(next.timer);
      next.resolve(session);
      return;
    }
    session.idleSinceMs = performance.now();
    this.#idle.push(session);
  }

  /** For sessions in an unknown state, and for those of a server that turned out to be the wrong one. */
  discard(session: Session, reason: Error): void {
    session.cut(reason);
    this.#refill();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#watch);
    clearTimeout(this.#recovery);
    this.#rejectWaiting(new DatabaseUnavailable('the database is closed'));
    await Promise.all(this.#idle.splice(0).map((session) => this.#end(session)));
    // Connections still in use get a moment to finish.
    for (let waited = 0; this.#sessions.size > 0 && waited < CLOSE_TIMEOUT_MS; waited += CLOSE_STEP_MS)
      await pause(CLOSE_STEP_MS);
    for (const session of [...this.#sessions]) session.cut(new Error('Connection terminated'));
  }

  #end(session: Session): Promise<void> {
    this.#sessions.delete(session);
    // A connection that we give up is not lost.
    session.onLost = undefined;
    return session.end();
  }

  async #open(): Promise<Session> {
    this.#opening += 1;
    try {
      return this.#adopt(await this.#connect(this.#options.connectTimeoutMs));
    } catch (error) {
      // If the server has no more connections to give, the existing ones have to do.
      if (codeOf(error) === TOO_MANY_CONNECTIONS && this.#sessions.size > 0) return this.#wait();
      throw this.#goDown(error as Error);
    } finally {
      this.#opening -= 1;
    }
  }

  /** Tries the hosts in turn, beginning with the one that served last. */
  async #connect(connectTimeoutMs: number): Promise<Session> {
    const { urls, names, readOnlyWillDo } = this.#addresses;
    const faults: string[] = [];
    let last: unknown;
    for (let step = 0; step < CONNECT_ROUNDS * urls.length; step++) {
      // A silent host is not tried again: that took long enough.
      if (step >= urls.length && isTimeout(last)) break;
      const at = (this.#hostAt + step) % urls.length;
      try {
        const session = await openSession({
          url: urls[at] as string,
          connectTimeoutMs,
          statementTimeoutMs: this.#options.statementTimeoutMs,
          readOnlyWillDo,
        });
        this.#hostAt = at;
        return session;
      } catch (error) {
        last = error;
        faults.push(
          `${names[at]}: ${error instanceof Error ? error.message || codeOf(error) : String(error)}`,
        );
      }
    }
    // Hosts are tried more than once and mostly give the same answer.
    throw Object.assign(new Error([...new Set(faults)].join('; ')), { code: codeOf(last), cause: last });
  }

  #adopt(session: Session): Session {
    this.#sessions.add(session);
    session.onLost = () => {
      this.#sessions.delete(session);
      this.#idle = this.#idle.filter((one) => one !== session);
      if (this.#outage || this.#closed) return;
      const now = performance.now();
      if (now - this.#lostEventAtMs < LOST_EVENT_EVERY_MS) return;
      this.#lostEventAtMs = now;
      this.#options.onEvent({ kind: 'lost', cause: session.lost as Error });
    };
    this.#watch ??= setInterval(() => this.#look(), WATCH_EVERY_MS).unref();
    return session;
  }

  #wait(): Promise<Session> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((waiter) => waiter.timer !== timer);
        reject(new DatabaseUnavailable('all connections to the database are in use'));
      }, WAIT_FOR_CONNECTION_MS);
      this.#waiting.push({ resolve, reject, timer });
    });
  }

  /** A connection is gone: callers waiting for one may need a new one. */
  #refill(): void {
    if (this.#waiting.length === 0 || this.#outage || this.#closed) return;
    if (this.#sessions.size + this.#opening >= this.#options.max) return;
    this.#open().then(
      (session) => this.release(session),
      () => {},
    );
  }

  #rejectWaiting(error: Error): void {
    for (const waiter of this.#waiting.splice(0)) {
      clearTimeout(waiter.timer);
      waiter.reject(error);
    }
  }

  #refusal(outage: Outage): DatabaseUnavailable {
    outage.refused += 1;
    return unavailable(outage.cause);
  }

  #goDown(cause: Error): DatabaseUnavailable {
    if (!this.#outage && !this.#closed) {
      this.#outage = { sinceMs: performance.now(), cause, refused: 0, nextTryMs: RECOVERY_FIRST_MS };
      for (const session of [...this.#sessions]) session.cut(cause);
      this.#options.onEvent({ kind: 'down', cause });
      this.#recoverLater(this.#outage);
    }
    const refusal = this.#outage
      ? this.#refusal(this.#outage)
      : new DatabaseUnavailable('the database is closed', { cause });
    this.#rejectWaiting(refusal);
    return refusal;
  }

  #recoverLater(outage: Outage): void {
    this.#recovery = setTimeout(() => void this.#recover(outage), outage.nextTryMs).unref();
    outage.nextTryMs = Math.min(2 * outage.nextTryMs, RECOVERY_MAX_MS);
  }

  async #recover(outage: Outage): Promise<void> {
    try {
      const session = await this.#connect(this.#options.connectTimeoutMs);
      if (this.#closed) return void session.end();
      this.#outage = undefined;
      this.release(this.#adopt(session));
      const downMs = Math.round(performance.now() - outage.sinceMs);
      this.#options.onEvent({ kind: 'up', downMs, refused: outage.refused });
    } catch {
      if (!this.#closed) this.#recoverLater(outage);
    }
  }

  #look(): void {
    const now = performance.now();
    for (const session of this.#idle)
      if (now - session.idleSinceMs > IDLE_MS) {
        this.#idle = this.#idle.filter((one) => one !== session);
        void this.#end(session);
      }
    const silent = [...this.#sessions].filter(
      (session) => session.busySinceMs !== undefined && ++session.rounds > SILENT_ROUNDS,
    );
    if (silent.length > 0 && !this.#probing) void this.#probe(silent);
  }

  /**
   * Finds out whether the database is silent, only these connections are, or it is busy with their
   * statements.
   */
  async #probe(silent: readonly Session[]): Promise<void> {
    this.#probing = true;
    const asked = silent.map((session) => ({ session, busySinceMs: session.busySinceMs }));
    let probe: Session | undefined;
    try {
      probe = await this.#connect(Math.min(PROBE_TIMEOUT_MS, this.#options.connectTimeoutMs));
      const pids = silent.flatMap(({ backend }) => backend ?? []);
      const { rows } = await probe.query(
        `select pid from pg_stat_activity where pid = any($1) and state not in ('idle', 'idle in transaction')`,
        [pids],
      );
      const working = new Set((rows as { pid: number }[]).map(({ pid }) => pid));
      for (const { session, busySinceMs } of asked) {
        // Meanwhile the session may have been answered, or may be busy with another statement.
        if (busySinceMs === undefined || session.busySinceMs !== busySinceMs) continue;
        session.rounds = 0;
        const forgotten = session.backend !== undefined && !working.has(session.backend);
        const limitMs = session.statementTimeoutMs + STATEMENT_GRACE_MS;
        const overdue = session.statementTimeoutMs > 0 && performance.now() - busySinceMs > limitMs;
        if (forgotten || overdue) session.cut(new Error('Connection terminated: it had gone silent'));
      }
    } catch (error) {
      // A refusal for lack of connections is an answer too.
      if (codeOf(error) !== TOO_MANY_CONNECTIONS) this.#goDown(error as Error);
      else for (const session of silent) session.rounds = 0;
    } finally {
      this.#probing = false;
      void probe?.end();
    }
  }
}
