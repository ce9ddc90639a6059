// Writes an ID token (OpenID Connect Core section 2): who signed in, for the client that asked, and when. It gives access to
// nothing.
import { createHash } from 'node:crypto';
import type { AuthDeps } from '../deps.js';
import type { AuthorizationCode, SigningAlgorithm } from '../model.js';
import type { IssuedAccessToken } from './issue-access-token.js';
import { claimsAbout } from './user-info.js';

/** The hash function of each algorithm, as used for `at_hash`. */
const hashes: Readonly<Record<SigningAlgorithm, string>> = { ES256: 'sha256', EdDSA: 'sha512' };

export async function issueIdToken(
  deps: AuthDeps,
  code: AuthorizationCode,
  { token, claims }: IssuedAccessToken,
): Promise<string> {
  const key = deps.keys.current();
  const { nonce, signedInAtMs } = code;
  const about = await claimsAbout(deps, code.userId, claims.scope.split(' '));
  const payload = {
    iss: claims.iss,
    ...about,
    sub: code.userId,
    aud: code.clientId,
    iat: claims.iat,
    exp: claims.exp,
    ...(signedInAtMs === undefined ? {} : { auth_time: Math.floor(signedInAtMs / 1000) }),
    ...(nonce === undefined ? {} : { nonce }),
    at_hash: leftHalf(createHash(hashes[key.algorithm]).update(token).digest()),
  };
  return key.sign(JSON.stringify(payload), 'JWT');
}

function leftHalf(digest: Buffer): string {
  return digest.subarray(0, digest.length / 2).toString('base64url');
}
