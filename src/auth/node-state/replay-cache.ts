// Remembers DPoP proofs of this node until they are too old to be accepted anyway (RFC 9449 section 11.1).
// When the cache is full it refuses rather than forgets: forgetting would let a proof pass twice.
import type { Clock } from '../../platform.js';

export class ReplayCache {
  readonly #clock: Clock;
  readonly #sizeMax: number;
  readonly #seen = new Map<string, number>();

  constructor(clock: Clock, sizeMax = 200_000) {
    this.#clock = clock;
    this.#sizeMax = sizeMax;
  }

  /** True when the key is new; it is then remembered until `expiresAtMs`. */
  remember(key: string, expiresAtMs: number): boolean {
    const now = this.#clock.now();
    const known = this.#seen.get(key);
    if (known !== undefined && known > now) return false;
    if (this.#seen.size >= this.#sizeMax) this.#sweep(now);
    if (this.#seen.size >= this.#sizeMax) return false;
    this.#seen.set(key, expiresAtMs);
    return true;
  }

  #sweep(nowMs: number): void {
    for (const [key, expiresAtMs] of this.#seen) {
      if (expiresAtMs <= nowMs) this.#seen.delete(key);
    }
  }
}
