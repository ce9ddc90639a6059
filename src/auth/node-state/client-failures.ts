// Failed authentications of clients, for the audit trail: an administrator has to see that somebody tries
// secrets, for which client and from where. The trail is kept for years, and a program with an old secret
// tries for days: the first failure of a client gets its record within a second, further ones are counted and
// recorded together. Nothing is written while a caller waits, so that neither the answer nor its time reveals
// which clients exist.
import { auditDetail } from '../../audit/model.js';
import { isOutage } from '../../errors.js';
import type { Clock, Ids, Log } from '../../platform.js';
import type { AuthStore } from '../ports.js';

interface ClientFailure {
  /** Absent if the ID does not exist; what was sent is never kept, since it might be a secret. */
  clientId: string | undefined;
  /** The reason in the event's words: `wrong_credentials`. */
  reason: string;
  method: string;
  address: string;
}

interface Tally {
  /** Since the last record. */
  count: number;
  last: ClientFailure;
  addresses: Set<string>;
  /** Of the last record. */
  reportedAtMs: number;
}

const NOBODY = 'unknown';
const WRITE_MS = 1000;
const TELL_EVERY_MS = 10 * 60_000;
/** Failures of further clients are counted together, like those of unknown ones. */
const CLIENTS_MAX = 1000;
const ADDRESSES_MAX = 10;

const dueAtMs = ({ reportedAtMs }: Tally): number => reportedAtMs + TELL_EVERY_MS;

export class ClientFailures {
  readonly #deps: { store: AuthStore; clock: Clock; ids: Ids; log: Log };
  readonly #tallies = new Map<string, Tally>();
  #timer: NodeJS.Timeout | undefined;
  #writing = Promise.resolve();
  #isStopped = false;

  constructor(deps: { store: AuthStore; clock: Clock; ids: Ids; log: Log }) {
    this.#deps = deps;
  }

  /** Never throws and never waits. */
  note(failure: ClientFailure): void {
    const asked = failure.clientId ?? NOBODY;
    const key = this.#tallies.has(asked) || this.#tallies.size < CLIENTS_MAX ? asked : NOBODY;
    const known = this.#tallies.get(key);
    const tally = known ?? { count: 0, last: failure, addresses: new Set<string>(), reportedAtMs: -Infinity };
    tally.count += 1;
    tally.last = failure;
    if (tally.addresses.size < ADDRESSES_MAX) tally.addresses.add(failure.address);
    this.#tallies.set(key, tally);
    this.#schedule();
  }

  /** Writes the records that are due. */
  write(): Promise<void> {
    return this.#inTurn((tally) => dueAtMs(tally) <= this.#deps.clock.now());
  }

  /** Writes everything. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#inTurn(() => true);
  }

  /** One after another, so that nothing is recorded twice. */
  #inTurn(isDue: (tally: Tally) => boolean): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write(isDue));
    return this.#writing;
  }

  async #write(isDue: (tally: Tally) => boolean): Promise<void> {
    const nowMs = this.#deps.clock.now();
    for (const [id, tally] of this.#tallies) {
      if (tally.count > 0 && isDue(tally)) await this.#tell(id, tally, nowMs);
      else if (tally.count === 0 && dueAtMs(tally) <= nowMs) this.#tallies.delete(id);
    }
  }

  async #tell(id: string, tally: Tally, nowMs: number): Promise<void> {
    const { store, ids, log } = this.#deps;
    const recorded = { count: tally.count, addresses: [...tally.addresses] };
    const { reason, method } = tally.last;
    try {
      await store.transaction((tx) =>
        tx.audit.append({
          action: 'client.authentication-failed',
          // Nobody knows who tried: the client is only whom they claimed to be.
          actor: { subject: NOBODY, clientId: NOBODY, userId: undefined },
          target: { type: 'client', id },
          tenants: [],
          requestId: ids.uuid(),
          atMs: nowMs,
          detail: auditDetail({ reason, method, attempts: recorded.count, addresses: recorded.addresses }),
        }),
      );
    } catch (cause) {
      // They stay counted, and are recorded when it works again.
      if (!isOutage(cause)) log.warn({ err: cause }, 'cannot record failed authentications of clients');
      return;
    }
    // More may have arrived while it was written.
    tally.count -= recorded.count;
    tally.addresses = new Set([...tally.addresses].slice(recorded.addresses.length));
    tally.reportedAtMs = nowMs;
  }

  #schedule(): void {
    if (this.#isStopped) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.write().finally(() => {
        if (this.#tallies.size > 0) this.#schedule();
      });
    }, WRITE_MS).unref();
  }
}
