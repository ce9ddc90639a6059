// Tokens whose signature has been checked: a fleet shares one token for fifteen minutes, so checking it again
// on every call would be wasted work. Only the signature and the dates are remembered; whether the token is
// void is checked every time.
import { createHash } from 'node:crypto';
import { BoundedCache } from '../bounded-cache.js';
import type { AccessTokenClaims } from '../model.js';

const SIZE_MAX = 10_000;

export interface VerifiedToken {
  claims: AccessTokenClaims;
  /** The key that signed it: a token is valid only as long as its key is. */
  kid: string;
}

export class VerifiedTokens {
  readonly #tokens = new BoundedCache<VerifiedToken>(SIZE_MAX, 0);

  /** The token itself is not kept. */
  static key(token: string): string {
    return createHash('sha256').update(token).digest('base64url');
  }

  get(key: string, nowMs: number): VerifiedToken | undefined {
    return this.#tokens.get(key, nowMs);
  }

  set(key: string, token: VerifiedToken, nowMs: number): void {
    this.#tokens.set(key, token, nowMs, token.claims.exp * 1000);
  }

  clear(): void {
    this.#tokens.clear();
  }
}
