// Checks one of our access tokens: signature by a pinned key and algorithm, issuer, audience, type, dates,
// and whether it has been voided since, as of a few seconds ago. The answer says why, for callers that must
// distinguish the cases.
import { errors, jwtVerify } from 'jose';
import type { JWTPayload } from 'jose';
import type { AuthDeps } from '../deps.js';
import type { AccessTokenClaims } from '../model.js';
import { VerifiedTokens, type VerifiedToken } from '../node-state/verified-tokens.js';

type TokenVerdict =
  | { valid: true; claims: AccessTokenClaims }
  /** `malformed` covers everything that is not a genuine token of ours. */
  | { valid: false; reason: 'malformed' | 'expired' | 'revoked' };

const TOKEN_LENGTH_MAX = 16 * 1024;
const accepted = ['ES256', 'EdDSA'];

export async function verifyAccessToken(
  deps: AuthDeps,
  token: string,
  audience: string = deps.settings.audience,
): Promise<TokenVerdict> {
  if (token.length > TOKEN_LENGTH_MAX) return { valid: false, reason: 'malformed' };
  // A server that is cut off from the others must not go on trusting what they have voided.
  if (deps.changes.isStale) await deps.changes.poll();
  const key = VerifiedTokens.key(token);
  const known = deps.verified.get(key, deps.clock.now());
  if (known && deps.keys.isTrusted(known.kid)) return judge(deps, known.claims, audience);
  try {
    const checked = await checkSignature(deps, token);
    deps.verified.set(key, checked, deps.clock.now());
    return judge(deps, checked.claims, audience);
  } catch (cause) {
    if (cause instanceof errors.JWTExpired) return { valid: false, reason: 'expired' };
    if (cause instanceof errors.JOSEError || cause instanceof TypeError)
      return { valid: false, reason: 'malformed' };
    throw cause;
  }
}

function judge(deps: AuthDeps, claims: AccessTokenClaims, audience: string): TokenVerdict {
  if (claims.aud !== audience) return { valid: false, reason: 'malformed' };
  return deps.changes.isVoid(claims) ? { valid: false, reason: 'revoked' } : { valid: true, claims };
}

async function checkSignature(deps: AuthDeps, token: string): Promise<VerifiedToken> {
  const { payload, protectedHeader } = await jwtVerify(
    token,
    async (header) => {
      const key = typeof header.kid === 'string' ? await deps.keys.find(header.kid) : undefined;
      // The key decides the algorithm, never the token: otherwise a public key could be used as an HMAC secret.
      if (!key || key.algorithm !== header.alg) throw new errors.JWKSNoMatchingKey();
      return key.publicKey;
    },
    {
      algorithms: accepted,
      typ: 'at+jwt',
      issuer: deps.settings.issuer,
      requiredClaims: ['sub', 'aud', 'client_id', 'scope', 'jti', 'iat', 'exp'],
      currentDate: new Date(deps.clock.now()),
    },
  );
  if (!isAccessToken(payload)) throw new errors.JWTInvalid('claims have the wrong types');
  // A token from the future was not issued by any of our nodes, whose clocks may differ by the skew at most.
  if (payload.iat > deps.clock.now() / 1000 + deps.settings.clockSkewSeconds)
    throw new errors.JWTInvalid('issued in the future');
  return { claims: payload, kid: protectedHeader.kid ?? '' };
}

function isAccessToken(payload: JWTPayload): payload is JWTPayload & AccessTokenClaims {
  return (
    typeof payload.sub === 'string' &&
    typeof payload.aud === 'string' &&
    typeof payload.jti === 'string' &&
    typeof payload.iat === 'number' &&
    typeof payload.exp === 'number' &&
    typeof payload['client_id'] === 'string' &&
    typeof payload['scope'] === 'string'
  );
}
