// POST /oauth2/token, /oauth2/introspect and /oauth2/revoke: HTTP on the outside, one call into the domain each.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { authenticateClient } from '../../../auth/clients/authenticate-client.js';
import { readClientCredentials } from '../../../auth/clients/presented-credentials.js';
import type { AuthDeps } from '../../../auth/deps.js';
import type { Client } from '../../../auth/model.js';
import { pushRequest } from '../../../auth/authorization/pushed-request.js';
import { OAuthError } from '../../../auth/oauth-error.js';
import { recordEvent } from '../../../auth/record-event.js';
import { introspectToken } from '../../../auth/tokens/introspect-token.js';
import { revokeToken } from '../../../auth/tokens/revoke-token.js';
import { handleTokenRequest, refuseWhenBusy, slowDownGuessing } from '../../../auth/tokens/token-endpoint.js';
import { startSpan } from '../../tracing.js';
import { allowRegisteredOrigins } from './cors.js';
import {
  certificateOf,
  clientAddress,
  header,
  noStore,
  readForm,
  refuseOtherMethods,
  registerOAuthScope,
} from './http.js';

export const TOKEN_PATH = '/oauth2/token';
export const INTROSPECTION_PATH = '/oauth2/introspect';
export const REVOCATION_PATH = '/oauth2/revoke';
export const PUSHED_PATH = '/oauth2/par';

export function registerOAuthTokenRoutes(http: FastifyInstance, deps: AuthDeps): void {
  registerOAuthScope(http, deps.log, (scope) => {
    scope.post(TOKEN_PATH, async (request, reply) => {
      const { issued, refreshToken, idToken, issuedTokenType, tokenType } = await tracedToken(
        request,
        (traceId) =>
          handleTokenRequest(deps, {
            form: readForm(request),
            authorization: header(request, 'authorization'),
            dpop: header(request, 'dpop'),
            url: deps.settings.issuer + TOKEN_PATH,
            address: clientAddress(request),
            traceId,
            certificate: certificateOf(request),
          }),
      );
      return noStore(reply).send({
        access_token: issued.token,
        expires_in: issued.expiresInSeconds,
        scope: issued.claims.scope,
        token_type: tokenType,
        ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
        ...(idToken === undefined ? {} : { id_token: idToken }),
        ...(issuedTokenType === undefined ? {} : { issued_token_type: issuedTokenType }),
      });
    });

    scope.post(INTROSPECTION_PATH, async (request, reply) => {
      const { client, token } = await readTokenQuestion(deps, request, INTROSPECTION_PATH);
      if (client.authMethod === 'none')
        throw new OAuthError('invalid_client', 'client authentication failed');
      return noStore(reply).send(await introspectToken(deps, client, token));
    });

    scope.post(REVOCATION_PATH, async (request, reply) => {
      const { client, token } = await readTokenQuestion(deps, request, REVOCATION_PATH);
      await revokeToken(deps, client, token);
      return noStore(reply).code(200).send();
    });

    scope.post(PUSHED_PATH, async (request, reply) => {
      const client = await provenClient(deps, request, PUSHED_PATH);
      const { requestUri, expiresInSeconds } = await pushRequest(deps, client, readForm(request));
      return noStore(reply).code(201).send({ request_uri: requestUri, expires_in: expiresInSeconds });
    });

    const paths = [TOKEN_PATH, INTROSPECTION_PATH, REVOCATION_PATH, PUSHED_PATH];
    allowRegisteredOrigins(scope, deps, paths);
    for (const path of paths) refuseOtherMethods(scope, path, ['POST']);
  });
}

async function tracedToken<T>(
  request: FastifyRequest,
  work: (traceId: string | undefined) => Promise<T>,
): Promise<T> {
  const span = startSpan('oauth2/token', header(request, 'traceparent'), {});
  try {
    const answer = await span.run(() => work(span.traceId));
    span.end('OK', false);
    return answer;
  } catch (thrown) {
    const refused = thrown instanceof OAuthError;
    span.end(refused ? thrown.code : 'server_error', !refused);
    throw thrown;
  }
}

/** Introspection and revocation ask alike: an authenticated client, and the token in question. */
async function readTokenQuestion(
  deps: AuthDeps,
  request: FastifyRequest,
  path: string,
): Promise<{ client: Client; token: string }> {
  const client = await provenClient(deps, request, path);
  const token = readForm(request).get('token');
  if (token === undefined) throw new OAuthError('invalid_request', 'token is missing');
  return { client, token };
}

/** The client behind a request to any endpoint but the token endpoint, which does the same by itself. */
async function provenClient(deps: AuthDeps, request: FastifyRequest, path: string): Promise<Client> {
  const { issuer } = deps.settings;
  const audiences = [issuer, issuer + TOKEN_PATH, issuer + path];
  const kinds = ['runtime', 'tooling', 'engagement'] as const;
  try {
    const credentials = readClientCredentials(header(request, 'authorization'), readForm(request));
    const certificate = certificateOf(request);
    const client = await authenticateClient(deps, credentials, { kinds, audiences, certificate });
    refuseWhenBusy(deps, client, clientAddress(request));
    return client;
  } catch (thrown) {
    const error = slowDownGuessing(deps, clientAddress(request), thrown);
    if (error instanceof OAuthError) {
      const { code, reason } = error;
      const none = { appId: undefined, clientId: undefined, scope: undefined };
      recordEvent(deps, {
        type: 'token.refused',
        ...none,
        error: code,
        reason,
        address: clientAddress(request),
      });
    }
    throw error;
  }
}
