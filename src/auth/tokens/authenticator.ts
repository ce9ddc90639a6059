// The bearer check in front of our own services: turns an Authorization header (and DPoP proof) into a
// caller, as plain data. Tenants are those in the token, without the ones withdrawn since.
import type { X509Certificate } from 'node:crypto';
import { AppError } from '../../errors.js';
import type { Caller } from '../../platform.js';
import { signInOfGrant } from '../grant-id.js';
import { thumbprintOf } from '../clients/certificates.js';
import type { AuthDeps } from '../deps.js';
import type { AccessTokenClaims } from '../model.js';
import { recordEvent } from '../record-event.js';
import { personBehind } from './delegation.js';
import { verifyAccessToken } from './verify-access-token.js';
import { verifyDpopProof } from './verify-dpop-proof.js';

export interface GuardedRequest {
  authorization: string | undefined;
  dpop: string | undefined;
  method: string;
  /** Absolute, or a path below the public URL. */
  url: string;
  /** The remote address, if known. */
  address?: string;
  /** The certificate that the caller presented by TLS; read only if a token needs it. */
  certificate?: X509Certificate | undefined;
}

/** Why a request was refused; `missing` means that it carried no token at all. */
export type RefusalReason =
  | 'missing'
  | 'invalid'
  | 'expired'
  | 'revoked'
  | 'dpop_required'
  | 'invalid_dpop_proof'
  | 'certificate_required';

type Authentication =
  | { ok: true; caller: Caller; claims: AccessTokenClaims }
  /** The claims are set if the token was genuine. */
  | { ok: false; reason: RefusalReason; message: string; claims?: AccessTokenClaims };

const credentialsPattern = /^(bearer|dpop) +([A-Za-z0-9._~+/-]+=*) *$/i;

const messages: Readonly<Record<RefusalReason, string>> = {
  missing: 'an access token is required',
  invalid: 'the access token is not valid',
  expired: 'the access token has expired',
  revoked: 'the access token has been revoked',
  dpop_required: 'the access token is bound to a key: send it with the DPoP scheme and a proof',
  certificate_required: 'the access token is bound to a certificate: send it over TLS with that certificate',
  invalid_dpop_proof: 'the DPoP proof is not valid for this request',
};

/** Distinguishes the refusals, for forward-auth and the engagement API. */
export async function authenticateRequest(
  deps: AuthDeps,
  request: GuardedRequest,
  audience?: string,
): Promise<Authentication> {
  const result = await check(deps, request, audience);
  if (result.ok || result.reason === 'missing') deps.counters.count('bearer', result.ok ? 'ok' : 'missing');
  else
    recordEvent(deps, {
      type: 'bearer.refused',
      appId: result.claims?.app_id,
      clientId: result.claims?.client_id,
      userId: result.claims?.user_id,
      scope: result.claims?.scope,
      jti: result.claims?.jti,
      error: 'invalid_token',
      reason: result.reason,
      ...(request.address === undefined ? {} : { address: request.address }),
    });
  return result;
}

async function check(
  deps: AuthDeps,
  request: GuardedRequest,
  audience: string | undefined,
): Promise<Authentication> {
  if (request.authorization === undefined) return refuse('missing');
  const match = credentialsPattern.exec(request.authorization);
  if (!match?.[1] || !match[2]) return refuse('invalid');
  const token = match[2];
  const verdict = await verifyAccessToken(deps, token, audience);
  if (!verdict.valid) return refuse(verdict.reason === 'malformed' ? 'invalid' : verdict.reason);
  const { claims } = verdict;
  const jkt = claims.cnf && 'jkt' in claims.cnf ? claims.cnf.jkt : undefined;
  const bound = jkt !== undefined;
  // A bound token without its proof is a stolen token; a proof for an unbound token proves nothing.
  if (bound !== (match[1].toLowerCase() === 'dpop'))
    return refuse(bound ? 'dpop_required' : 'invalid', claims);
  if (bound && !(await holdsKey(deps, request, token, jkt))) return refuse('invalid_dpop_proof', claims);
  if (!holdsCertificate(request, claims)) return refuse('certificate_required', claims);
  const caller = await toCaller(deps, claims);
  return caller ? { ok: true, caller, claims } : refuse('revoked', claims);
}

function refuse(reason: RefusalReason, claims?: AccessTokenClaims): Authentication {
  return { ok: false, reason, message: messages[reason], ...(claims ? { claims } : {}) };
}

async function holdsKey(
  deps: AuthDeps,
  { dpop, method, url }: GuardedRequest,
  accessToken: string,
  expected: string,
): Promise<boolean> {
  if (dpop === undefined) return false;
  const absolute = url.startsWith('/') ? `${deps.settings.publicUrl}${url}` : url;
  const jkt = await verifyDpopProof(deps, { proof: dpop, method, url: absolute, accessToken });
  return jkt === expected;
}

function holdsCertificate(request: GuardedRequest, { cnf }: AccessTokenClaims): boolean {
  if (!cnf || !('x5t#S256' in cnf)) return true;
  const { certificate } = request;
  return certificate !== undefined && thumbprintOf(certificate) === cnf['x5t#S256'];
}

/** The current caller behind the claims; undefined if somebody behind them is locked or deleted. */
async function toCaller(deps: AuthDeps, claims: AccessTokenClaims): Promise<Caller | undefined> {
  const base = {
    subject: claims.sub,
    issuer: claims.iss,
    clientId: claims.client_id,
    scopes: claims.scope.split(' '),
  };
  if (claims.user_id !== undefined) {
    const person = await personBehind(deps, claims.client_id, claims.user_id);
    const signIn = signInOfGrant(claims.grant_id);
    return person && { ...base, ...person, ...(signIn === undefined ? {} : { signIn }) };
  }
  if (claims.app_id === undefined) return { ...base, tenants: [] };
  const environment = await deps.directory.environment(claims.app_id);
  if (!environment) return undefined;
  const named = claims.tenants === '*' || claims.tenants === undefined ? [] : claims.tenants;
  return {
    ...base,
    appId: claims.app_id,
    tenants: named.filter((tenant) => environment.tenants.includes(tenant)),
  };
}

/** The form the transport asks for: a caller, or UNAUTHENTICATED. */
export function createAuthenticator(deps: AuthDeps): (request: GuardedRequest) => Promise<Caller> {
  return async (request) => {
    const result = await authenticateRequest(deps, request);
    if (result.ok) return result.caller;
    throw new AppError('UNAUTHENTICATED', result.message, { diagnostics: [{ code: result.reason }] });
  };
}
