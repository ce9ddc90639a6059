// /oauth2/forward-auth: the question a gateway asks before it passes a request on. Any method, because Traefik and
// Envoy repeat the method of the original request.
import type { X509Certificate } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AuthDeps } from '../../../auth/deps.js';
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
          const answer = await forwardAuth(deps, originalRequest(request), requiredScope(request));
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

/**
 * The gateway's own setting must win over anything the caller can send. At the bare path the query is part of the
 * address the gateway was configured with, and a header may have come through from outside. Below it the path and the
 * query are the caller's, repeated by Envoy: there only the header counts, which Envoy sets.
 */
function requiredScope(request: FastifyRequest): string | undefined {
  const bare = request.raw.url?.split('?')[0] === FORWARD_AUTH_PATH;
  const named = bare ? new URLSearchParams(queryOf(request)).getAll('scope') : [];
  if (named.length > 0) return named.length === 1 ? named[0] : undefined;
  return header(request, 'x-required-scope');
}

/** What the client asked the gateway for, for DPoP: nginx sets X-Original-*, Traefik X-Forwarded-*. */
function originalRequest(request: FastifyRequest): {
  authorization: string | undefined;
  dpop: string | undefined;
  method: string;
  url: string;
  address: string;
  certificate: X509Certificate | undefined;
} {
  const method =
    header(request, 'x-original-method') ?? header(request, 'x-forwarded-method') ?? request.method;
  const host = header(request, 'x-forwarded-host');
  const uri = header(request, 'x-forwarded-uri');
  const proto = header(request, 'x-forwarded-proto') ?? 'https';
  const forwarded = host === undefined || uri === undefined ? undefined : `${proto}://${host}${uri}`;
  const url = header(request, 'x-original-url') ?? forwarded ?? request.raw.url ?? '/';
  return {
    authorization: header(request, 'authorization'),
    dpop: header(request, 'dpop'),
    method,
    url,
    address: clientAddress(request),
    certificate: certificateOf(request),
  };
}
