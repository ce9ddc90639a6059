// The keys that sign access tokens: loaded from the store, opened in memory, published before they sign and for as
// long as a token of theirs can be valid. Every node reads the same rows.
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import type { Clock } from '../../platform.js';
import type { PublicJwk, SigningAlgorithm, StoredSigningKey } from '../model.js';
import type { KeySealer, SigningKeyRows } from '../ports.js';

/**
 * New keys leave the generator as bytes and are read back for export. Exporting a generated key object
 * directly can hang the process: if a garbage collection happens during the export, Node's generator waits
 * for the lock it holds.
 */
const asBytes = {
  publicKeyEncoding: { format: 'der', type: 'spki' },
  privateKeyEncoding: { format: 'der', type: 'pkcs8' },
} as const;

/**
 * The generator's result for these encodings; its type declarations do not follow a shared options object.
 */
interface KeyPairBytes {
  publicKey: Buffer;
  privateKey: Buffer;
}

/** Everything about an algorithm in one row. */
const algorithms = {
  ES256: {
    generate: () => generateKeyPairSync('ec', { namedCurve: 'P-256', ...asBytes }) as unknown as KeyPairBytes,
    sign: (key: KeyObject, data: Buffer) => sign('sha256', data, { key, dsaEncoding: 'ieee-p1363' }),
  },
  EdDSA: {
    generate: () => generateKeyPairSync('ed25519', asBytes) as unknown as KeyPairBytes,
    sign: (key: KeyObject, data: Buffer) => sign(null, data, key),
  },
} as const;

/** Nothing else must ever pass for an access token, so the header tells them apart (RFC 9068 section 2.1). */
type TokenType = 'at+jwt' | 'JWT' | 'erasure-certificate+jwt';

interface LoadedKey {
  kid: string;
  algorithm: SigningAlgorithm;
  publicKey: KeyObject;
  publicJwk: PublicJwk;
  activeFromMs: number;
  expiresAtMs: number | undefined;
  /** Compact JWS over the payload, with this key's fixed header of that type. */
  sign(payload: string, type?: TokenType): string;
}

/** A forged `kid` must not turn into a database read per request. */
const RELOAD_PAUSE_MS = 1000;

export class SigningKeys {
  readonly #deps: { rows: SigningKeyRows; sealer: KeySealer; clock: Clock };
  #keys: LoadedKey[] = [];
  #loading: Promise<void> | undefined;
  #loadedAtMs = 0;

  constructor(deps: { rows: SigningKeyRows; sealer: KeySealer; clock: Clock }) {
    this.#deps = deps;
  }

  /** Reads the current keys, even if an earlier read is still in progress. */
  async reloadFresh(): Promise<void> {
    await this.#loading?.catch(() => {});
    await this.reload();
  }

  reload(): Promise<void> {
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #load(): Promise<void> {
    const stored = await this.#deps.rows.list();
    this.#keys = await Promise.all(
      stored.map(
        async (row) =>
          this.#keys.find((key) => key.kid === row.kid && key.expiresAtMs === row.expiresAtMs) ??
          this.#open(row),
      ),
    );
    this.#loadedAtMs = this.#deps.clock.now();
  }

  async #open(row: StoredSigningKey): Promise<LoadedKey> {
    const { kid, algorithm, publicJwk, activeFromMs, expiresAtMs } = row;
    const pkcs8 = await this.#deps.sealer.open(row.sealedPrivateKey, kid);
    const privateKey = createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' });
    const headerOf = (typ: TokenType): string =>
      Buffer.from(JSON.stringify({ alg: algorithm, typ, kid })).toString('base64url');
    const headers: Record<TokenType, string> = {
      'at+jwt': headerOf('at+jwt'),
      JWT: headerOf('JWT'),
      'erasure-certificate+jwt': headerOf('erasure-certificate+jwt'),
    };
    return {
      kid,
      algorithm,
      publicKey: createPublicKey(privateKey),
      publicJwk,
      activeFromMs,
      expiresAtMs,
      sign(payload, type = 'at+jwt') {
        const input = `${headers[type]}.${Buffer.from(payload).toString('base64url')}`;
        return `${input}.${algorithms[algorithm].sign(privateKey, Buffer.from(input)).toString('base64url')}`;
      },
    };
  }

  #alive(): LoadedKey[] {
    const now = this.#deps.clock.now();
    return this.#keys.filter((key) => key.expiresAtMs === undefined || key.expiresAtMs > now);
  }

  /** The key that signs now: the one that became active last. */
  current(): LoadedKey {
    const now = this.#deps.clock.now();
    let best: LoadedKey | undefined;
    for (const key of this.#keys) {
      if (key.activeFromMs > now || (key.expiresAtMs !== undefined && key.expiresAtMs <= now)) continue;
      if (
        !best ||
        key.activeFromMs > best.activeFromMs ||
        (key.activeFromMs === best.activeFromMs && key.kid > best.kid)
      )
        best = key;
    }
    // Before the start of the first key, for example after a clock was set back, the first one signs
    // nevertheless.
    best ??= this.#alive().sort((a, b) => a.activeFromMs - b.activeFromMs)[0];
    if (!best) throw new Error('no signing key is active');
    return best;
  }

  hasCurrent(): boolean {
    const now = this.#deps.clock.now();
    return this.#alive().some((key) => key.activeFromMs <= now);
  }

  /** The newest, active or not: rotation is due by its age. */
  newest(): LoadedKey | undefined {
    return this.#alive().sort((a, b) => b.activeFromMs - a.activeFromMs)[0];
  }

  /** Whether a token signed with this key may still count. */
  isTrusted(kid: string): boolean {
    return this.#alive().some((key) => key.kid === kid);
  }

  async find(kid: string): Promise<LoadedKey | undefined> {
    const known = this.#alive().find((key) => key.kid === kid);
    if (known || this.#deps.clock.now() - this.#loadedAtMs < RELOAD_PAUSE_MS) return known;
    await this.reload();
    return this.#alive().find((key) => key.kid === kid);
  }

  /** RFC 7517 document: every key that may have signed a valid token, or is about to sign. */
  jwks(): { keys: PublicJwk[] } {
    return { keys: this.#alive().map((key) => key.publicJwk) };
  }
}

export async function generateSigningKey(
  sealer: KeySealer,
  input: { algorithm: SigningAlgorithm; nowMs: number; activeFromMs: number },
): Promise<StoredSigningKey> {
  const { algorithm, nowMs, activeFromMs } = input;
  const pair = algorithms[algorithm].generate();
  const publicKey = createPublicKey({ key: pair.publicKey, format: 'der', type: 'spki' });
  const jwk = publicKey.export({ format: 'jwk' }) as PublicJwk;
  const kid = await calculateJwkThumbprint(jwk as { kty: string });
  return {
    kid,
    algorithm,
    publicJwk: { ...jwk, kid, alg: algorithm, use: 'sig' },
    sealedPrivateKey: await sealer.seal(pair.privateKey, kid),
    createdAtMs: nowMs,
    activeFromMs,
    expiresAtMs: undefined,
  };
}
