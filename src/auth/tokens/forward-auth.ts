// Decides for a gateway (nginx auth_request, Traefik, Envoy) whether a request may reach a runtime service that is
// not ours: the token must be valid and hold the scope the gateway names.
import type { AuthDeps } from '../deps.js';
import { parseScope } from '../scopes.js';
import { authenticateRequest } from './authenticator.js';
import type { GuardedRequest } from './authenticator.js';
import { dpopAlgorithms } from './verify-dpop-proof.js';

type ForwardAuthAnswer =
  | { allowed: true; clientId: string; appId: string; subject: string; scope: string }
  | { allowed: false; status: 400 | 401 | 403; challenge: string | undefined };

/** `requiredScope` may name several, of which the token must hold all. */
export async function forwardAuth(
  deps: AuthDeps,
  request: GuardedRequest,
  requiredScope: string | undefined,
): Promise<ForwardAuthAnswer> {
  const required = requiredScope === undefined ? undefined : parseScope(requiredScope);
  // A gateway that forgot to name a scope must fail closed, and visibly so.
  if (!required) return { allowed: false, status: 400, challenge: undefined };
  const result = await authenticateRequest(deps, request);
  if (!result.ok)
    return { allowed: false, status: 401, challenge: bearerChallenge(result.reason, result.message) };
  const { caller, claims } = result;
  if (!required.every((scope) => caller.scopes.includes(scope))) {
    return { allowed: false, status: 403, challenge: scopeChallenge(required) };
  }
  return {
    allowed: true,
    clientId: caller.clientId,
    appId: caller.appId ?? '',
    subject: caller.subject,
    scope: claims.scope,
  };
}

/** For a valid token without the required scope. */
export function scopeChallenge(scopes: readonly string[]): string {
  return `Bearer error="insufficient_scope", scope="${scopes.join(' ')}"`;
}

/** RFC 6750 section 3: no error code when the request carried no credentials; RFC 9449 section 7.1 for DPoP. */
export function bearerChallenge(reason: string, message: string): string {
  if (reason === 'missing') return 'Bearer realm="voxgate"';
  if (reason === 'invalid_dpop_proof')
    return `DPoP realm="voxgate", error="invalid_dpop_proof", algs="${dpopAlgorithms.join(' ')}"`;
  // A bound token without its proof: the client has to retry with one (RFC 9449 section 7.1).
  if (reason === 'dpop_required')
    return `DPoP realm="voxgate", error="invalid_token", error_description="${message}", algs="${dpopAlgorithms.join(' ')}"`;
  return `Bearer realm="voxgate", error="invalid_token", error_description="${message}"`;
}
