// /oauth2/forward-auth: the question a gateway asks before it passes a request on. Any method, because Traefik and
// Envoy repeat the method of the original request.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AuthDeps } from '../../../auth/deps.js';
import type { Gateway } from '../../../auth/settings.js';
import type { GuardedRequest } from '../../../auth/tokens/authenticator.js';
import { forwardAuth } from '../../../auth/tokens/forward-auth.js';
import { certificateOf, clientAddress, header, queryOf } from './http.js';

const FORWARD_AUTH_PATH = '/oauth2/forward-auth';

export function registerForwardAuthRoutes(http: FastifyInstance, deps: AuthDeps): void {
  void http.register(async (scope) => {
    // The body belongs to the upstream; whatever a gateway sends along is not read.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => {
      payload.resume();
      done(null);
    });
    // Envoy appends the original path to the prefix it was given.
    for (const url of [FORWARD_AUTH_PATH, `${FORWARD_AUTH_PATH}/*`]) {
      scope.route({
        method: ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'],
        url,
        handler: async (request, reply) => {
          const original = readers[deps.settings.gateway](request);
          const scope = requiredScope(request, original);
          const answer = await forwardAuth(deps, guarded(request, original), scope);
          void reply.header('cache-control', 'no-store');
          if (answer.allowed) {
            return reply
              .code(200)
              .header('x-auth-client-id', answer.clientId)
              .header('x-auth-app-id', answer.appId)
              .header('x-auth-subject', answer.subject)
              .header('x-auth-scope', answer.scope)
              .send();
          }
          if (answer.challenge !== undefined) void reply.header('www-authenticate', answer.challenge);
          if (answer.status !== 400) return reply.code(answer.status).send();
          return reply.code(400).send({
            error: 'invalid_request',
            error_description: 'the request must name the required scope',
          });
        },
      });
    }
  });
}

/** What the client asked the gateway for. A proof of its key (DPoP) must name exactly this. */
interface Original {
  method: string | undefined;
  url: string | undefined;
  /** Scopes that the gateway named in a header. */
  scope?: string | undefined;
}

/**
 * How each gateway tells what the client asked for: only in these headers, which it sets itself. The others come through from
 * outside, so nothing else is believed.
 */
const readers: Readonly<Record<Gateway, (request: FastifyRequest) => Original>> = {
  none: () => ({ method: undefined, url: undefined }),
  nginx: (request) => ({
    method: header(request, 'x-original-method'),
    url: header(request, 'x-original-url'),
  }),
  traefik: (request) => ({
    method: header(request, 'x-forwarded-method'),
    url: urlOf(request, header(request, 'x-forwarded-host'), header(request, 'x-forwarded-uri')),
  }),
  // It repeats method and host, and appends the path to the prefix it was given.
  envoy: (request) => ({
    method: request.method,
    url: urlOf(request, request.headers.host, request.raw.url?.slice(FORWARD_AUTH_PATH.length)),
    scope: header(request, 'x-required-scope'),
  }),
};

function urlOf(
  request: FastifyRequest,
  host: string | undefined,
  path: string | undefined,
): string | undefined {
  const scheme = header(request, 'x-forwarded-proto');
  return scheme === undefined || host === undefined || path === undefined
    ? undefined
    : `${scheme}://${host}${path}`;
}

/**
 * At the bare path the query is part of the address that the gateway was configured with. Below it the path and the query are
 * the caller's, so that only the header counts.
 */
function requiredScope(request: FastifyRequest, { scope }: Original): string | undefined {
  const bare = request.raw.url?.split('?')[0] === FORWARD_AUTH_PATH;
  const named = bare ? new URLSearchParams(queryOf(request)).getAll('scope') : [];
  if (named.length > 0) return named.length === 1 ? named[0] : undefined;
  return scope;
}

function guarded(request: FastifyRequest, { method = '', url = '' }: Original): GuardedRequest {
  return {
    authorization: header(request, 'authorization'),
    dpop: method === '' || url === '' ? undefined : header(request, 'dpop'),
    method,
    url,
    address: clientAddress(request),
    certificate: certificateOf(request),
  };
}
