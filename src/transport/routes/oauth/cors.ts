// Which web pages may read the answers of the token endpoints: those of an origin that the client itself has registered,
// by one of its redirect URIs. Metadata and keys are public.
import type { FastifyInstance } from 'fastify';
import { readClientCredentials } from '../../../auth/clients/presented-credentials.js';
import type { AuthDeps } from '../../../auth/deps.js';
import { header, readForm } from './http.js';

const PREFLIGHT_SECONDS = 600;

export function allowRegisteredOrigins(
  scope: FastifyInstance,
  deps: AuthDeps,
  paths: readonly string[],
): void {
  for (const path of paths) {
    // A preflight does not say which client asks. It lets the request through; whether the page may read the answer is
    // decided there.
    scope.options(path, (request, reply) => {
      const origin = header(request, 'origin');
      if (origin !== undefined) void reply.header('access-control-allow-origin', origin);
      return reply
        .header('vary', 'origin')
        .header('access-control-allow-methods', 'POST')
        .header('access-control-allow-headers', 'authorization, content-type, dpop, traceparent')
        .header('access-control-max-age', String(PREFLIGHT_SECONDS))
        .code(204)
        .send();
    });
  }
  scope.addHook('preHandler', (request, reply, done) => {
    // Servers, which send no origin, do not wait for a promise.
    if (request.headers.origin === undefined || request.method !== 'POST') return done();
    originHeaders(deps, request).then((headers) => {
      void reply.headers(headers);
      done();
    }, done);
  });
}

type Asked = Parameters<typeof readForm>[0];

/** For the answer to a page of whatever origin. */
export async function originHeaders(deps: AuthDeps, request: Asked): Promise<Record<string, string>> {
  const origin = header(request, 'origin');
  if (origin === undefined) return {};
  const may = await isRegistered(deps, request, origin);
  return { vary: 'origin', ...(may && { 'access-control-allow-origin': origin }) };
}

async function isRegistered(deps: AuthDeps, request: Asked, origin: string): Promise<boolean> {
  const clientId = claimedClient(request);
  const known = clientId === undefined ? undefined : await deps.directory.client(clientId);
  return known?.client.redirectUris.some((uri) => new URL(uri).origin === origin) ?? false;
}

/** Whoever it claims to be: the answer is no secret from a page that this client has registered. */
function claimedClient(request: Asked): string | undefined {
  try {
    return readClientCredentials(header(request, 'authorization'), readForm(request)).clientId;
  } catch {
    return undefined;
  }
}
