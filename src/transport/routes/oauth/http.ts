// HTTP manners shared by the OAuth endpoints: forms read strictly, errors as RFC 6749 words them, nothing cached,
// cookies. Everything that reaches the domain from here has been parsed once.
import type { X509Certificate } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../../errors.js';
import { OAuthError } from '../../../auth/oauth-error.js';
import type { AuthDeps } from '../../../auth/deps.js';
import type { DirectAnswer } from '../../direct-routes.js';
import { addressKey } from '../../limits/address-key.js';
import { Refusal } from '../../refusal.js';

export const FORM_TYPE = 'application/x-www-form-urlencoded';
export const FORM_BYTES_MAX = 32 * 1024;
const PARAMETERS_MAX = 64;

/**
 * A scope in which every body arrives as text, whatever its type: a wrong content type must get an OAuth error, not
 * the framework's.
 */
export function registerOAuthScope(
  http: FastifyInstance,
  log: AuthDeps['log'],
  register: (scope: FastifyInstance) => void,
  show: (reply: FastifyReply, answer: DirectAnswer) => FastifyReply = send,
): void {
  void http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'string', bodyLimit: FORM_BYTES_MAX },
      (_request, body, done) => done(null, body),
    );
    scope.setErrorHandler((error, request, reply) => {
      const path = request.raw.url?.split('?')[0] ?? '';
      return show(reply, failureAnswer(error, { id: request.id, path }, log));
    });
    register(scope);
  });
}

/** Every parameter once (RFC 6749 section 3.2: "MUST NOT be included more than once"); empty ones count as absent. */
export function readParameters(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let empty: Set<string> | undefined;
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decoded(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : decoded(pair.slice(equals + 1));
    if (found.has(name) || empty?.has(name))
      throw new OAuthError('invalid_request', 'a parameter is repeated');
    if (found.size + (empty?.size ?? 0) >= PARAMETERS_MAX)
      throw new OAuthError('invalid_request', 'too many parameters');
    if (value === '') (empty ??= new Set()).add(name);
    else found.set(name, value);
  }
  return found;
}

/** As URLSearchParams reads it, which does the same for far more work; nearly always there is nothing to decode. */
function decoded(part: string): string {
  const spaced = part.includes('+') ? part.replaceAll('+', ' ') : part;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    // Escapes that are no text: replaced by the mark for it, not refused.
    return new URLSearchParams(`v=${part}`).get('v') ?? '';
  }
}

type WithHeaders = Pick<FastifyRequest, 'headers'>;

export function readForm(request: WithHeaders & { body: unknown }): ReadonlyMap<string, string> {
  const type = request.headers['content-type'] ?? '';
  if (type !== FORM_TYPE && type.split(';')[0]?.trim().toLowerCase() !== FORM_TYPE)
    throw new OAuthError('invalid_request', `the body must be ${FORM_TYPE}`);
  if (typeof request.body !== 'string') throw new OAuthError('invalid_request', 'the body is empty');
  return readParameters(request.body);
}

export function readQuery(request: FastifyRequest): { text: string; params: ReadonlyMap<string, string> } {
  const text = queryOf(request);
  return { text, params: readParameters(text) };
}

export function queryOf(request: FastifyRequest): string {
  const url = request.raw.url ?? '';
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark + 1);
}

export function header(request: WithHeaders, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** Where the request comes from, as limits tell addresses apart. Forwarded headers count only from trusted proxies. */
export function clientAddress(request: FastifyRequest): string {
  return addressKey(request.server.peers.addressOf(request.raw.socket, request.headers));
}

/** What the caller has shown by TLS, here or to a trusted proxy. */
export function certificateOf(request: FastifyRequest): X509Certificate | undefined {
  return request.server.peers.certificateOf(request.raw.socket, request.headers);
}

export const noStoreHeaders = { 'cache-control': 'no-store', pragma: 'no-cache' } as const;

export function noStore(reply: FastifyReply): FastifyReply {
  return reply.headers(noStoreHeaders);
}

export function send(reply: FastifyReply, { status, headers, body }: DirectAnswer): FastifyReply {
  return reply.code(status).headers(headers).send(body);
}

function errorAnswer(error: OAuthError, more: Readonly<Record<string, string>> = {}): DirectAnswer {
  const headers: Record<string, string> = { ...noStoreHeaders, ...more };
  if (error.code === 'invalid_client') headers['www-authenticate'] = 'Basic realm="voxgate", charset="UTF-8"';
  if (error.retryAfterMs !== undefined)
    headers['retry-after'] = String(Math.max(1, Math.ceil(error.retryAfterMs / 1000)));
  return {
    status: error.status,
    headers,
    body: { error: error.code, error_description: error.description },
  };
}

/** Whatever else goes wrong below these endpoints still answers in their dialect; the cause goes to the log only. */
export function failureAnswer(
  thrown: unknown,
  request: { id: string; path: string },
  log: AuthDeps['log'],
): DirectAnswer {
  if (thrown instanceof OAuthError) return errorAnswer(thrown);
  const refusal = thrown instanceof Refusal ? thrown : undefined;
  const fault = refusal?.inBody ?? thrown;
  if (fault instanceof AppError && fault.code === 'BUSY') {
    const retryAfterMs = fault.retryAfterMs ?? 1000;
    return errorAnswer(
      new OAuthError('temporarily_unavailable', 'try again', { retryAfterMs }),
      refusal?.headers,
    );
  }
  // Of the framework's own errors, and of bodies that were not read.
  const status = refusal?.httpStatus ?? (thrown as { statusCode?: unknown }).statusCode;
  if (typeof status === 'number' && status >= 400 && status < 500) {
    const error = new OAuthError('invalid_request', 'the request cannot be read', { status });
    return errorAnswer(error, refusal?.headers);
  }
  log.error({ requestId: request.id, path: request.path, err: thrown }, 'request failed');
  return errorAnswer(new OAuthError('server_error', 'internal error'));
}

const allMethods = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'] as const;

/** 405 with Allow for every method the endpoint does not have. */
export function refuseOtherMethods(
  scope: FastifyInstance,
  path: string,
  allowed: ReadonlyArray<'GET' | 'POST'>,
): void {
  scope.route({
    method: allMethods.filter((method) => !(allowed as readonly string[]).includes(method)),
    url: path,
    exposeHeadRoute: false,
    handler: (_request, reply) => {
      void reply.header('allow', allowed.join(', '));
      const error = new OAuthError('invalid_request', `use ${allowed.join(' or ')}`, { status: 405 });
      return send(reply, errorAnswer(error));
    },
  });
}

export function readCookie(request: FastifyRequest, name: string): string | undefined {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const equals = part.indexOf('=');
    if (equals > 0 && part.slice(0, equals).trim() === name)
      return part.slice(equals + 1).trim() || undefined;
  }
  return undefined;
}

/** HttpOnly and SameSite=Lax always; Secure and the __Host- prefix wherever the public URL is https. */
export function cookieJar(issuer: string): {
  name(base: string): string;
  set(reply: FastifyReply, base: string, value: string, maxAgeSeconds?: number): void;
  clear(reply: FastifyReply, base: string): void;
} {
  const secure = issuer.startsWith('https:');
  const name = (base: string): string => (secure ? `__Host-${base}` : base);
  const write = (reply: FastifyReply, base: string, value: string, age: string): void => {
    void reply.header(
      'set-cookie',
      `${name(base)}=${value}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}${age}`,
    );
  };
  return {
    name,
    set: (reply, base, value, maxAgeSeconds) =>
      write(reply, base, value, maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`),
    clear: (reply, base) => write(reply, base, '', '; Max-Age=0'),
  };
}
