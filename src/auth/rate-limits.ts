// Token buckets per client and per address, in the memory of this node: N nodes allow N times the rate, which is
// the price of not asking the database before every request.
import { BoundedCache } from './bounded-cache.js';
import type { Clock } from '../platform.js';
import type { AuthSettings, RateLimit } from './settings.js';

const KEYS_MAX = 50_000;
const IDLE_MS = 10 * 60_000;

class Buckets {
  readonly #limit: RateLimit;
  readonly #clock: Clock;
  readonly #levels = new BoundedCache<{ tokens: number; atMs: number }>(KEYS_MAX, IDLE_MS);

  constructor(limit: RateLimit, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** Takes one; answers 0, or the milliseconds until one is there. */
  take(key: string): number {
    const now = this.#clock.now();
    const perMs = this.#limit.perMinute / 60_000;
    const tokens = this.#level(key, now, perMs);
    const waitMs = tokens >= 1 ? 0 : Math.ceil((1 - tokens) / perMs);
    this.#levels.set(key, { tokens: waitMs === 0 ? tokens - 1 : tokens, atMs: now }, now);
    return waitMs;
  }

  #level(key: string, now: number, perMs: number): number {
    const level = this.#levels.get(key, now) ?? { tokens: this.#limit.burst, atMs: now };
    // A clock that steps back must not take tokens away.
    return Math.min(this.#limit.burst, level.tokens + Math.max(0, now - level.atMs) * perMs);
  }
}

export type RateLimits = { readonly [K in keyof AuthSettings['rateLimits']]: Buckets };

export function createRateLimits(limits: AuthSettings['rateLimits'], clock: Clock): RateLimits {
  return {
    tokenPerAddress: new Buckets(limits.tokenPerAddress, clock),
    tokenPerClient: new Buckets(limits.tokenPerClient, clock),
    tokenFailuresPerAddress: new Buckets(limits.tokenFailuresPerAddress, clock),
    loginPerAddress: new Buckets(limits.loginPerAddress, clock),
    loginPerUser: new Buckets(limits.loginPerUser, clock),
    guardedLogin: new Buckets(limits.guardedLogin, clock),
  };
}
