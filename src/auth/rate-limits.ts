// Token buckets per client, user and address, in the memory of this node; nodes that share a database also
// share what was taken (shared-rates.ts).
import { BoundedCache } from './bounded-cache.js';
import type { Clock } from '../platform.js';
import type { AuthSettings, RateLimit } from './settings.js';
import type { SharedRates } from './shared-rates.js';

const KEYS_MAX = 50_000;
const IDLE_MS = 10 * 60_000;

class Buckets {
  readonly #limit: RateLimit;
  readonly #clock: Clock;
  readonly #levels = new BoundedCache<{ tokens: number; atMs: number }>(KEYS_MAX, IDLE_MS);
  readonly #onTake: ((key: string, count?: number) => void) | undefined;
  readonly #ask: ((key: string) => Promise<void>) | undefined;

  constructor(limit: RateLimit, clock: Clock, shared?: { rates: SharedRates; name: string; asks: boolean }) {
    this.#limit = limit;
    this.#clock = clock;
    this.#onTake = shared?.rates.join(shared.name, (key, taken) => this.#drain(key, taken));
    if (!shared?.asks) return;
    shared.rates.keepMoments(shared.name, 60_000 / limit.perMinute);
    this.#ask = (key) => shared.rates.ask(shared.name, key);
  }

  /**
   * Like `take`, but asks the other nodes first about a key that this node has not seen lately: it may be
   * used up there.
   */
  async takeAnywhere(key: string): Promise<number> {
    if (this.#ask && this.#levels.get(key, this.#clock.now()) === undefined) await this.#ask(key);
    return this.take(key);
  }

  /** Takes one; returns 0, or the milliseconds until one is available. */
  take(key: string): number {
    const now = this.#clock.now();
    const perMs = this.#limit.perMinute / 60_000;
    const tokens = this.#level(key, now, perMs);
    const waitMs = tokens >= 1 ? 0 : Math.ceil((1 - tokens) / perMs);
    this.#levels.set(key, { tokens: waitMs === 0 ? tokens - 1 : tokens, atMs: now }, now);
    if (waitMs === 0) this.#onTake?.(key);
    return waitMs;
  }

  /**
   * Returns what was taken for an attempt that turned out to be right: it is taken first, so that many
   * simultaneous guesses find nothing left.
   */
  giveBack(key: string): void {
    const now = this.#clock.now();
    const tokens = this.#level(key, now, this.#limit.perMinute / 60_000);
    this.#levels.set(key, { tokens: Math.min(this.#limit.burst, tokens + 1), atMs: now }, now);
    this.#onTake?.(key, -1);
  }

  /**
   * Subtracts what other nodes have taken. This may leave a debt; otherwise each node would go on granting
   * whatever is refilled, and all of them together a multiple of the limit. The debt is never more than one
   * burst, so that nobody is locked out for long.
   */
  #drain(key: string, taken: number): void {
    const now = this.#clock.now();
    const tokens = this.#level(key, now, this.#limit.perMinute / 60_000);
    this.#levels.set(key, { tokens: Math.max(-this.#limit.burst, tokens - taken), atMs: now }, now);
  }

  #level(key: string, nowMs: number, perMs: number): number {
    const level = this.#levels.get(key, nowMs) ?? { tokens: this.#limit.burst, atMs: nowMs };
    // A clock that goes backwards must not take tokens away.
    return Math.min(this.#limit.burst, level.tokens + Math.max(0, nowMs - level.atMs) * perMs);
  }
}

/** Limits on guessing. Every good request passes the other limits, and must not wait for the database. */
const guessed = new Set<keyof RateLimits>([
  'tokenFailuresPerAddress',
  'loginPerAddress',
  'loginPerUser',
  'guardedLogin',
  'secondStep',
]);

export type RateLimits = { readonly [K in keyof AuthSettings['rateLimits']]: Buckets };

export function createRateLimits(
  limits: AuthSettings['rateLimits'],
  clock: Clock,
  rates?: SharedRates,
): RateLimits {
  const buckets = (name: keyof RateLimits): Buckets =>
    new Buckets(limits[name], clock, rates && { rates, name, asks: guessed.has(name) });
  return {
    tokenPerAddress: buckets('tokenPerAddress'),
    tokenPerClient: buckets('tokenPerClient'),
    tokenFailuresPerAddress: buckets('tokenFailuresPerAddress'),
    loginPerAddress: buckets('loginPerAddress'),
    loginPerUser: buckets('loginPerUser'),
    guardedLogin: buckets('guardedLogin'),
    secondStep: buckets('secondStep'),
    auditedFailures: buckets('auditedFailures'),
  };
}
