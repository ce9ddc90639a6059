// POST /oauth2/token, /oauth2/introspect and /oauth2/revoke: HTTP on the outside, one call into the domain each.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { authenticateClient } from '../../../auth/clients/authenticate-client.js';
import {
  readClientCredentials,
  type ClientCredentials,
} from '../../../auth/clients/presented-credentials.js';
import { recordRefused } from '../../../auth/clients/record-refused.js';
import type { AuthDeps } from '../../../auth/deps.js';
import type { Client } from '../../../auth/model.js';
import { pushRequest } from '../../../auth/authorization/pushed-request.js';
import { OAuthError } from '../../../auth/oauth-error.js';
import { introspectToken } from '../../../auth/tokens/introspect-token.js';
import { revokeToken } from '../../../auth/tokens/revoke-token.js';
import {
  handleTokenRequest,
  refuseWhenBusy,
  slowDownGuessing,
  type TokenAnswer,
} from '../../../auth/tokens/token-endpoint.js';
import type { DirectAnswer, DirectRequest } from '../../direct-routes.js';
import { addressKey } from '../../limits/address-key.js';
import { startSpan } from '../../tracing.js';
import { allowRegisteredOrigins, originHeaders } from './cors.js';
import {
  FORM_BYTES_MAX,
  certificateOf,
  clientAddress,
  failureAnswer,
  header,
  noStore,
  noStoreHeaders,
  readForm,
  refuseOtherMethods,
  registerOAuthScope,
} from './http.js';

export const TOKEN_PATH = '/oauth2/token';
export const INTROSPECTION_PATH = '/oauth2/introspect';
export const REVOCATION_PATH = '/oauth2/revoke';
export const PUSHED_PATH = '/oauth2/par';

export function registerOAuthTokenRoutes(http: FastifyInstance, deps: AuthDeps): void {
  http.direct.post(TOKEN_PATH, {
    bodyBytesMax: FORM_BYTES_MAX,
    answer: (request) => answerToken(deps, request),
    refuse: (thrown, request) => failureAnswer(thrown, request, deps.log),
  });
  registerOAuthScope(http, deps.log, (scope) => {
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

/** Asked for more often than everything else together, so it does without the framework. */
async function answerToken(deps: AuthDeps, request: DirectRequest): Promise<DirectAnswer> {
  const span = startSpan('oauth2/token', header(request, 'traceparent'), {});
  let headers: Readonly<Record<string, string>> = noStoreHeaders;
  try {
    if (request.headers.origin !== undefined)
      headers = { ...headers, ...(await originHeaders(deps, request)) };
    const token = {
      form: readForm(request),
      authorization: request.headers.authorization,
      dpop: header(request, 'dpop'),
      url: deps.settings.issuer + TOKEN_PATH,
      address: addressKey(request.address),
      requestId: request.id,
      traceId: span.traceId,
      certificate: request.certificate,
    };
    const body = bodyOf(await span.run(() => handleTokenRequest(deps, token)));
    span.end('OK', false);
    return { status: 200, headers, body };
  } catch (thrown) {
    const refused = thrown instanceof OAuthError;
    span.end(refused ? thrown.code : 'server_error', !refused);
    const failure = failureAnswer(thrown, request, deps.log);
    return { ...failure, headers: { ...headers, ...failure.headers } };
  }
}

/**
 * By hand: nearly all of it is tokens, which are base64url, and looking through them for something to escape cost as much as
 * reading the request.
 */
function bodyOf({ granted, tokenType }: TokenAnswer): string {
  const { issued, refreshToken, idToken, issuedTokenType } = granted;
  let text = `{"access_token":"${issued.token}","expires_in":${issued.expiresInSeconds},"scope":${JSON.stringify(issued.claims.scope)},"token_type":"${tokenType}"`;
  if (refreshToken !== undefined) text += `,"refresh_token":"${refreshToken}"`;
  if (idToken !== undefined) text += `,"id_token":"${idToken}"`;
  if (issuedTokenType !== undefined) text += `,"issued_token_type":${JSON.stringify(issuedTokenType)}`;
  return `${text}}`;
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
  const span = startSpan(path.slice(1), header(request, 'traceparent'), {});
  let credentials: ClientCredentials | undefined;
  let client: Client | undefined;
  try {
    credentials = readClientCredentials(header(request, 'authorization'), readForm(request));
    const certificate = certificateOf(request);
    client = await authenticateClient(deps, credentials, { kinds, audiences, certificate });
    refuseWhenBusy(deps, client, clientAddress(request));
    span.end('OK', false);
    return client;
  } catch (thrown) {
    const error = await slowDownGuessing(deps, clientAddress(request), thrown);
    const refused = error instanceof OAuthError;
    span.end(refused ? error.code : 'server_error', !refused);
    if (refused) {
      const { traceId } = span;
      const address = clientAddress(request);
      const requestId = request.id;
      await recordRefused(deps, { error, client, credentials, address, requestId, traceId, endpoint: path });
    }
    throw error;
  }
}
