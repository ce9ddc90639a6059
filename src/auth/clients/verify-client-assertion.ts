// private_key_jwt (RFC 7523 section 3): the client signs a short-lived statement about itself with a registered key.
// Its jti is remembered in the database, so that no node accepts it a second time.
import { createPublicKey } from 'node:crypto';
import { decodeJwt, errors, jwtVerify } from 'jose';
import type { JWTPayload } from 'jose';
import type { AuthDeps } from '../deps.js';
import type { Client } from '../model.js';
import { assertionAlgorithms } from './public-keys.js';

const ASSERTION_LENGTH_MAX = 8 * 1024;
const LIFETIME_SECONDS_MAX = 300;

export async function verifyClientAssertion(
  deps: AuthDeps,
  { assertion, clientId }: { assertion: string; clientId: string | undefined },
  audiences: readonly string[],
): Promise<Client | undefined> {
  if (assertion.length > ASSERTION_LENGTH_MAX) return undefined;
  try {
    const claimed = decodeJwt(assertion).iss;
    if (typeof claimed !== 'string' || (clientId !== undefined && clientId !== claimed)) return undefined;
    const known = await deps.directory.client(claimed);
    if (known?.client.authMethod !== 'private_key_jwt') return undefined;
    const payload = await verifyWithAnyKey(deps, assertion, known.client, audiences);
    return payload && (await isFresh(deps, known.client, payload)) ? known.client : undefined;
  } catch (cause) {
    if (cause instanceof errors.JOSEError || cause instanceof TypeError) return undefined;
    throw cause;
  }
}

async function verifyWithAnyKey(
  deps: AuthDeps,
  assertion: string,
  client: Client,
  audiences: readonly string[],
): Promise<JWTPayload | undefined> {
  for (const key of client.keys) {
    try {
      const { payload } = await jwtVerify(assertion, createPublicKey({ key: { ...key }, format: 'jwk' }), {
        algorithms: key.alg === undefined ? assertionAlgorithms : [key.alg],
        issuer: client.clientId,
        subject: client.clientId,
        audience: [...audiences],
        requiredClaims: ['jti', 'exp'],
        clockTolerance: deps.settings.clockSkewSeconds,
        currentDate: new Date(deps.clock.now()),
      });
      return payload;
    } catch (cause) {
      // Another key may fit; a bad claim is bad under every key.
      if (cause instanceof errors.JOSEError || cause instanceof TypeError) continue;
      throw cause;
    }
  }
  return undefined;
}

async function isFresh(deps: AuthDeps, client: Client, payload: JWTPayload): Promise<boolean> {
  const { jti, exp, iat, aud } = payload;
  // A statement for several servers could be used here by another one of them (RFC 9700 section 2.2).
  if (typeof aud !== 'string') return false;
  if (typeof jti !== 'string' || jti === '' || jti.length > 256 || exp === undefined) return false;
  const nowSeconds = deps.clock.now() / 1000;
  // A statement that is valid for years would have to be remembered for years.
  if (exp - nowSeconds > LIFETIME_SECONDS_MAX + deps.settings.clockSkewSeconds) return false;
  const { clockSkewSeconds } = deps.settings;
  if (iat !== undefined && (iat > nowSeconds + clockSkewSeconds || iat < nowSeconds - LIFETIME_SECONDS_MAX))
    return false;
  const expiresAtMs = (exp + deps.settings.clockSkewSeconds + 1) * 1000;
  return deps.store.direct.oneTime.remember(`assertion:${client.clientId}:${jti}`, expiresAtMs);
}
