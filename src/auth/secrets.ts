// Client secrets: 256 random bits, shown once, kept as HMAC-SHA-256 under a pepper that never enters the
// database. A slow hash would add nothing here: nobody guesses 256 bits, and the token endpoint stays fast.
import { hash as digestOf, timingSafeEqual } from 'node:crypto';
import type { Ids } from '../platform.js';
import type { ClientSecret } from './model.js';

const SECRET_BYTES = 32;

/** base64url: no colon, so that a raw client ID with colons can be split at the last one. */
export function generateSecret(ids: Ids): string {
  return ids.token(SECRET_BYTES);
}

export interface SecretHasher {
  /** Keyed hash of a secret, tied to its client so that equal secrets never show as equal rows. */
  hash(clientId: string, secret: string): Uint8Array;
}

const DIGEST = 'sha256';
/** Of SHA-256. */
const BLOCK_BYTES = 64;

/**
 * HMAC-SHA-256 (RFC 2104), as Node's createHmac computes it, but with two plain digests: creating and
 * discarding createHmac's object for every request took a twentieth of the time of a token.
 */
export function createSecretHasher(pepper: Uint8Array): SecretHasher {
  if (pepper.byteLength < 32) throw new Error('the pepper must have at least 256 bits');
  const key = pepper.byteLength > BLOCK_BYTES ? digestOf(DIGEST, pepper, 'buffer') : pepper;
  const padded = (filler: number): Buffer =>
    Buffer.alloc(BLOCK_BYTES, filler).map((byte, at) => byte ^ (key[at] ?? 0)) as Buffer;
  const [inner, outer] = [padded(0x36), padded(0x5c)];
  return {
    hash(clientId, secret) {
      const text = Buffer.from(`${clientId}\0${secret}`);
      const first = digestOf(DIGEST, Buffer.concat([inner, text]), 'buffer');
      return digestOf(DIGEST, Buffer.concat([outer, first]), 'buffer');
    },
  };
}

const noSecret = new Uint8Array(32);

/**
 * One HMAC and at least one full comparison whether or not the client exists, so that an unknown client and a
 * wrong secret cost the same. Never stops at the first match.
 */
export function secretMatches(
  hasher: SecretHasher,
  clientId: string,
  presented: string,
  stored: readonly ClientSecret[],
  nowMs: number,
): boolean {
  const hash = hasher.hash(clientId, presented);
  let matches = false;
  for (const { hash: candidate, expiresAtMs } of stored.length > 0
    ? stored
    : [{ hash: noSecret, expiresAtMs: 0 }]) {
    const equal = candidate.byteLength === hash.byteLength && timingSafeEqual(candidate, hash);
    const alive = expiresAtMs === undefined || expiresAtMs > nowMs;
    matches = (equal && alive) || matches;
  }
  return matches;
}

/** Hash for high-entropy one-time values of ours (codes, refresh tokens, session cookies): lookup key, not a password. */
export function hashHandle(hasher: SecretHasher, purpose: string, value: string): string {
  return Buffer.from(hasher.hash(purpose, value)).toString('base64url');
}
