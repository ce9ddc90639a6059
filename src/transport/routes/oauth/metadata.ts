// What clients and resource servers read before anything else: server metadata (RFC 8414) and the public keys.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { promptValues } from '../../../auth/authorization/read-authorization-request.js';
import { assertionAlgorithms } from '../../../auth/clients/public-keys.js';
import type { AuthDeps } from '../../../auth/deps.js';
import { identityScopes, runtimeScopes, TOOLING_SCOPE } from '../../../auth/scopes.js';
import { dpopAlgorithms } from '../../../auth/tokens/verify-dpop-proof.js';
import { identityClaims } from '../../../auth/tokens/user-info.js';
import { USER_INFO_PATH } from './user-info.js';
import { INTROSPECTION_PATH, PUSHED_PATH, REVOCATION_PATH, TOKEN_PATH } from './token.js';
import { pageLanguages } from './page-words.js';

const JWKS_PATH = '/oauth2/jwks';
export const AUTHORIZATION_PATH = '/oauth2/authorize';
export const LOGOUT_PATH = '/oauth2/logout';
const secretMethods = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'];

const certificateMethods = ['tls_client_auth', 'self_signed_tls_client_auth'];

export function registerOAuthMetadataRoutes(http: FastifyInstance, deps: AuthDeps): void {
  for (const path of [JWKS_PATH, '/.well-known/jwks.json']) {
    // Shorter than the time a new key is published before it signs.
    http.get(path, (_request, reply) => toAnybody(reply).send(deps.keys.jwks()));
  }
  for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']) {
    http.get(path, (_request, reply) => toAnybody(reply).send(serverMetadata(deps)));
  }
}

/** Public, also for pages of other origins. */
function toAnybody(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'public, max-age=300').header('access-control-allow-origin', '*');
}

function serverMetadata(deps: AuthDeps): object {
  const { issuer, mutualTls } = deps.settings;
  const clientAuthMethods = [...secretMethods, ...(mutualTls.available ? certificateMethods : [])];
  return {
    issuer,
    authorization_endpoint: issuer + AUTHORIZATION_PATH,
    token_endpoint: issuer + TOKEN_PATH,
    userinfo_endpoint: issuer + USER_INFO_PATH,
    jwks_uri: issuer + JWKS_PATH,
    introspection_endpoint: issuer + INTROSPECTION_PATH,
    revocation_endpoint: issuer + REVOCATION_PATH,
    pushed_authorization_request_endpoint: issuer + PUSHED_PATH,
    require_pushed_authorization_requests: false,
    end_session_endpoint: issuer + LOGOUT_PATH,
    scopes_supported: [...identityScopes, ...runtimeScopes, TOOLING_SCOPE],
    claims_supported: [...identityClaims, 'iss', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'at_hash'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: idTokenAlgorithms(deps),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    prompt_values_supported: [...promptValues],
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    claims_parameter_supported: false,
    service_documentation: `${deps.settings.publicUrl}/docs`,
    ui_locales_supported: pageLanguages,
    grant_types_supported: [
      'client_credentials',
      'authorization_code',
      'refresh_token',
      'urn:ietf:params:oauth:grant-type:token-exchange',
    ],
    token_endpoint_auth_methods_supported: [...clientAuthMethods, 'none'],
    token_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    introspection_endpoint_auth_methods_supported: clientAuthMethods,
    introspection_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    revocation_endpoint_auth_methods_supported: [...clientAuthMethods, 'none'],
    revocation_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    code_challenge_methods_supported: ['S256'],
    dpop_signing_alg_values_supported: dpopAlgorithms,
    authorization_response_iss_parameter_supported: true,
    tls_client_certificate_bound_access_tokens: mutualTls.available,
  };
}

/** Those of the keys that may sign now or soon; clients refuse what is not named here. */
function idTokenAlgorithms(deps: AuthDeps): string[] {
  return [...new Set(deps.keys.jwks().keys.map((key) => key.alg ?? deps.settings.signingAlgorithm))];
}
