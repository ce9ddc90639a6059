// Signatures checked once: a fleet shares one token for fifteen minutes, so checking it again on every call would be
// wasted work. Only the signature and the dates are remembered; whether the token is void is asked every time.
import { createHash } from 'node:crypto';
import { BoundedCache } from '../bounded-cache.js';
import type { AccessTokenClaims } from '../model.js';

const SIZE_MAX = 10_000;

export class VerifiedTokens {
  readonly #claims = new BoundedCache<AccessTokenClaims>(SIZE_MAX, 0);

  /** The token itself is not kept. */
  static key(token: string): string {
    return createHash('sha256').update(token).digest('base64url');
  }

  get(key: string, nowMs: number): AccessTokenClaims | undefined {
    return this.#claims.get(key, nowMs);
  }

  set(key: string, claims: AccessTokenClaims, nowMs: number): void {
    this.#claims.set(key, claims, nowMs, claims.exp * 1000);
  }

  clear(): void {
    this.#claims.clear();
  }
}
