// DPoP (RFC 9449): the caller proves with each request that it holds the key its token is bound to.
import { createHash } from 'node:crypto';
import { EmbeddedJWK, calculateJwkThumbprint, errors, jwtVerify } from 'jose';
import type { AuthDeps } from '../deps.js';

export const dpopAlgorithms = ['ES256', 'EdDSA', 'ES384', 'PS256', 'RS256'];
const PROOF_LENGTH_MAX = 4 * 1024;

interface DpopRequest {
  proof: string;
  method: string;
  /** Where the request was sent; query and fragment do not count. */
  url: string;
  /** The access token that comes with the request; absent at the token endpoint. */
  accessToken?: string;
}

type DpopDeps = Pick<AuthDeps, 'clock' | 'dpopReplay' | 'settings' | 'store'>;

/** The thumbprint of the key that signed a valid proof; undefined for an invalid one. */
export async function verifyDpopProof(deps: DpopDeps, request: DpopRequest): Promise<string | undefined> {
  const { proof, method, url, accessToken } = request;
  if (proof.length > PROOF_LENGTH_MAX) return undefined;
  const { clockSkewSeconds, proofMaxAgeSeconds } = deps.settings;
  const nowSeconds = deps.clock.now() / 1000;
  try {
    const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, {
      algorithms: dpopAlgorithms,
      typ: 'dpop+jwt',
      currentDate: new Date(deps.clock.now()),
      clockTolerance: clockSkewSeconds,
    });
    const { jti, htm, htu, iat, ath } = payload as Record<string, unknown>;
    if (typeof jti !== 'string' || jti === '' || jti.length > 256) return undefined;
    const expected = normalize(url);
    if (htm !== method || typeof htu !== 'string') return undefined;
    if (expected === undefined || normalize(htu) !== expected) return undefined;
    if (typeof iat !== 'number') return undefined;
    if (iat < nowSeconds - proofMaxAgeSeconds || iat > nowSeconds + clockSkewSeconds) return undefined;
    if (accessToken !== undefined && ath !== createHash('sha256').update(accessToken).digest('base64url'))
      return undefined;
    if (!protectedHeader.jwk) return undefined;
    const jkt = await calculateJwkThumbprint(protectedHeader.jwk);
    const rememberUntilMs = (iat + proofMaxAgeSeconds + clockSkewSeconds) * 1000;
    return (await isFirstUse(deps, `${jkt}:${jti}`, rememberUntilMs)) ? jkt : undefined;
  } catch (cause) {
    if (cause instanceof errors.JOSEError || cause instanceof TypeError) return undefined;
    throw cause;
  }
}

/** On this node from memory; if nodes share a database, on all of them (RFC 9449 section 11.1). */
async function isFirstUse(deps: DpopDeps, key: string, untilMs: number): Promise<boolean> {
  if (!deps.dpopReplay.remember(key, untilMs)) return false;
  return !deps.settings.sharedState || deps.store.direct.oneTime.remember(`dpop:${key}`, untilMs);
}

/** RFC 9449 section 4.3: compare without query and fragment, after syntax-based normalization. */
function normalize(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
