// The HTTP listener: fastify with our limits, request ids, the flat error shape for everything that fails
// before a handler, and an orderly stop. Routes are registered by others.
import { toJson } from '@bufbuild/protobuf';
import { readFileSync } from 'node:fs';
import {
  createServer as createPlainServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import {
  fastify,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { AppError } from '../errors.js';
import { DirectRoutes } from './direct-routes.js';
import type { Ids, Log } from '../platform.js';
import { errorMap } from './error-map.js';
import type { Metrics } from './metrics.js';
import type { ReceivingPace } from './receiving-pace.js';
import type { Peers } from './peer.js';
import { sendMessagePage } from './routes/oauth/pages.js';
import { StatusSchema } from '../gen/vendor/rpc/status_pb.js';
import { errorStatus } from './status.js';
import { LateRequests } from './late-requests.js';
import { Refusal, challengeOf, flatError, shuttingDown } from './refusal.js';
import { REPEATED_CREDENTIALS, hasRepeatedCredentials } from './repeated-credentials.js';
import { REQUEST_ID_HEADER, chooseRequestId } from './request-id.js';
import { JSON_TYPE, writeText } from './rest/exchange.js';
import type { Transcoder } from './rest/transcoder.js';
import { type Said, inEnglish } from '../words/server/say.js';

/** Time for the headers of a request, and for a new connection to say anything. */
const HEADERS_TIMEOUT_MS = 15_000;
const CHECK_EVERY_MS = 1000;
const UNREAD_ANSWER_MS = 30_000;
const TRANSPORT_SECURITY = 'max-age=31536000';
/** Bodies of everything but operations: forms and questions. They are read before anybody is known. */
const ROUTE_BODY_BYTES_MAX = 64 * 1024;

/** Routes check their input themselves. The framework's own compilers of schemas would be loaded at every start, for nothing. */
const noSchema = (): never => {
  throw new Error('routes have no schemas');
};
const noSchemas = { buildValidator: noSchema, buildSerializer: noSchema };

interface HttpOptions {
  headerBytesMax: number;
  requestTimeoutMs: number;
  tls?: TlsFiles;
  trustedProxies: number | string[] | false;
  /** Clients reach this server by https. */
  secure: boolean;
}

interface HttpDeps {
  log: Log;
  ids: Ids;
  metrics: Metrics;
  isDraining: () => boolean;
  /** Serves the operations of the contract, before any route is looked for. */
  contract: Transcoder;
  pace: ReceivingPace;
  peers: Peers;
}

/** Contents of the PEM files, and whether callers are asked for a certificate of their own. */
export interface TlsFiles {
  key: string;
  cert: string;
  requestCert: boolean;
  /** A caller without a certificate, or with one that we do not know, is still served: tokens say who needs which. */
  rejectUnauthorized: false;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Who is at the other end of a connection. */
    peers: Peers;
    /** For what is asked so often that it is served without the framework. */
    direct: DirectRoutes;
  }
}

export function createHttpServer(options: HttpOptions, deps: HttpDeps): FastifyInstance {
  const direct = new DirectRoutes(deps);
  const late = new LateRequests(headersTimeoutMs(options));
  const http = fastify({
    logger: false,
    bodyLimit: ROUTE_BODY_BYTES_MAX,
    trustProxy: trustOf(options.trustedProxies),
    return503OnClosing: false,
    routerOptions: { maxParamLength: 4096, ignoreTrailingSlash: false },
    schemaController: { compilersFactory: noSchemas },
    genReqId: (raw: { headers: Record<string, string | string[] | undefined> }) => {
      const offered = raw.headers[REQUEST_ID_HEADER];
      return chooseRequestId(typeof offered === 'string' ? offered : undefined, deps.ids);
    },
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      const refusal = deps.contract.explain(request.method, request.raw.url ?? '');
      return sendFailure(refusal ?? error, request, reply, deps.log, refusal !== undefined);
    },
    clientErrorHandler: (error: ClientError, socket: ClientSocket) => {
      const refuse = (): void => refuseClient(error, socket, deps.ids, options.secure);
      const isUnheard = error.code === REQUEST_TIMEOUT && socket._httpMessage === undefined;
      if (isUnheard) late.refuseUnlessWaiting(socket, refuse);
      else refuse();
    },
    serverFactory: (route) => createServer(options, { ...deps, direct, route, late }),
  });

  http.decorate('peers', deps.peers);
  http.decorate('direct', direct);
  http.addHook('onRequest', (request, reply, done) => {
    void reply.header(REQUEST_ID_HEADER, request.id).header('x-content-type-options', 'nosniff');
    if (deps.isDraining()) {
      // The connection must not be reused, or the stop would wait for it.
      void reply.header('connection', 'close');
      done(shuttingDown());
      return;
    }
    done();
  });
  http.addHook('onResponse', (_request, reply, done) => {
    deps.metrics.httpResponse(reply.statusCode);
    done();
  });
  http.setErrorHandler((error, request, reply) => sendFailure(error, request, reply, deps.log));
  http.setNotFoundHandler((request, reply) => {
    const url = request.raw.url ?? '';
    const refusal = deps.contract.explain(request.method, url);
    if (refusal) return sendFailure(refusal, request, reply, deps.log, true);
    const path = url.split('?')[0] ?? '';
    if (isRead(request)) return sendErrorPage(reply, 404);
    return reply.code(404).send(flatError(404, `no such path: ${path.slice(0, 200)}`));
  });
  return http;
}

/** A number counts hops from this server outwards. */
function trustOf(
  proxies: HttpOptions['trustedProxies'],
): string[] | false | ((address: string, hop: number) => boolean) {
  return typeof proxies === 'number' ? (_address, hop) => hop < proxies : proxies;
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** Who serves: the first two by themselves, what they leave the framework. */
interface Serving {
  direct: DirectRoutes;
  contract: Transcoder;
  pace: ReceivingPace;
  route: Listener;
  late: LateRequests;
}

const headersTimeoutMs = ({ requestTimeoutMs }: HttpOptions): number =>
  Math.min(HEADERS_TIMEOUT_MS, requestTimeoutMs);

function createServer(options: HttpOptions, { direct, contract, pace, route, late }: Serving): Server {
  const listener: Listener = (request, response) => {
    late.heard(request.socket);
    if (options.secure) response.setHeader('strict-transport-security', TRANSPORT_SECURITY);
    if (request.headers.host === undefined && request.httpVersion === '1.1')
      refuseUnread(response, 400, 'an HTTP/1.1 request needs a Host header');
    else if (hasRepeatedCredentials(request.rawHeaders)) refuseRepeatedCredentials(request, response);
    else if (!direct.serve(request, response) && !contract.serve(request, response)) {
      watchBody(pace, request, response);
      route(request, response);
    }
  };
  const limits = {
    maxHeaderSize: options.headerBytesMax,
    requestTimeout: options.requestTimeoutMs,
    headersTimeout: headersTimeoutMs(options),
    connectionsCheckingInterval: Math.min(CHECK_EVERY_MS, options.requestTimeoutMs),
    keepAliveTimeout: 72_000,
    // Ours to refuse, with a body that says why.
    requireHostHeader: false,
  };
  const server = options.tls
    ? createHttpsServer({ ...limits, ...options.tls, handshakeTimeout: HEADERS_TIMEOUT_MS }, listener)
    : createPlainServer(limits, listener);
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) =>
    refuseUnread(response, 417, 'the only expectation that this server supports is 100-continue'),
  );
  // A caller that does not read its answer: nothing moves, although every call has ended long ago.
  server.setTimeout(options.requestTimeoutMs + UNREAD_ANSWER_MS);
  return server;
}

/** Of a body that the framework reads, or hands on as it comes. */
function watchBody(pace: ReceivingPace, request: IncomingMessage, response: ServerResponse): void {
  const { headers, socket } = request;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
  const before = socket.bytesRead;
  const callOff = pace.watch({
    received: () => socket.bytesRead - before,
    isHeldUp: () => request.readableLength > 0,
    giveUp: ({ httpStatus, message }) => {
      if (request.complete || response.headersSent) return;
      refuseUnread(response, httpStatus, message);
      response.on('finish', () => request.destroy());
    },
  });
  request.on('close', callOff);
}

/** For exchanges of the contract, which the framework does not see. */
export function refuseExchange(
  log: Log,
  thrown: unknown,
  requestId: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (response.headersSent || response.destroyed) return;
  const facts = { id: requestId, method: request.method ?? '', raw: request };
  const { httpStatus, message, headers, field, said } = describeFailure(thrown, facts, log);
  const body = flatError(httpStatus, message, field, said);
  writeText(response, httpStatus, requestId, JSON.stringify(body), headers);
}

function sendFailure(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Log,
  isOfContract = false,
): FastifyReply {
  const { httpStatus, message, headers, field, said } = describeFailure(thrown, request, log);
  for (const [name, value] of Object.entries(headers)) void reply.header(name, value);
  // An address that cannot be decoded comes here without having passed the hooks.
  void reply.header(REQUEST_ID_HEADER, request.id).header('x-content-type-options', 'nosniff');
  // Under the paths of the contract, what is not offered or cannot be read has a status like every operation.
  if (!isOfContract && isRead(request)) return sendErrorPage(reply, httpStatus, said ?? inEnglish(message));
  const known = isOfContract && thrown instanceof Refusal && thrown.inBody;
  const body = known
    ? { status: toJson(StatusSchema, errorStatus(known, request.id, '')) }
    : flatError(httpStatus, message, field, said);
  return reply.code(httpStatus).type(JSON_TYPE).send(JSON.stringify(body));
}

/** Somebody looks at it: programs do not ask for pages. */
const isRead = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') ?? false;

function sendErrorPage(reply: FastifyReply, status: number, message?: Said): FastifyReply {
  const link = { href: '/console/', text: 'To the console' } as const;
  return status === 404
    ? sendMessagePage(
        reply,
        { title: 'Page not found', message: message ?? 'There is nothing at this address.', link },
        { status },
      )
    : sendMessagePage(
        reply,
        {
          title: 'This request cannot be served',
          message: message ?? 'There is nothing at this address.',
          link,
        },
        { status },
      );
}

interface Failure {
  httpStatus: number;
  message: string;
  headers: Readonly<Record<string, string>>;
  field?: string | undefined;
  said?: Said | undefined;
}

function describeFailure(
  thrown: unknown,
  request: { id: string; method: string; raw: { url?: string | undefined } },
  log: Log,
): Failure {
  if (thrown instanceof Refusal) return thrown;
  if (thrown instanceof AppError && thrown.code !== 'INTERNAL_ERROR') {
    const headers: Record<string, string> = {};
    if (thrown.code === 'UNAUTHENTICATED') headers['www-authenticate'] = challengeOf(thrown);
    if (thrown.retryAfterMs !== undefined)
      headers['retry-after'] = String(Math.ceil(thrown.retryAfterMs / 1000));
    return {
      httpStatus: errorMap[thrown.code].http,
      message: thrown.message,
      headers,
      field: thrown.fields[0]?.field,
      said: thrown.said,
    };
  }
  // Fastify's own errors carry a status; those below 500 are the caller's and safe to repeat.
  const own = thrown as Partial<FastifyError>;
  if (own.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return { httpStatus: 413, message: 'the body is larger than this server accepts', headers: {} };
  }
  if (typeof own.statusCode === 'number' && own.statusCode >= 400 && own.statusCode < 500) {
    return { httpStatus: own.statusCode, message: own.message ?? 'bad request', headers: {} };
  }
  log.error(
    { requestId: request.id, method: request.method, path: request.raw.url?.split('?')[0], err: thrown },
    'request failed',
  );
  // A fault that was given a name, such as bytes that are damaged, is told in its own words.
  const isNamed = thrown instanceof AppError && thrown.diagnostics.length > 0;
  return { httpStatus: 500, message: isNamed ? thrown.message : 'internal error', headers: {} };
}

/** In the words of OAuth where those are spoken (RFC 6749 section 5.2). */
function refuseRepeatedCredentials({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const isOAuth = url.startsWith('/oauth2/');
  const inOAuth = { error: 'invalid_request', error_description: REPEATED_CREDENTIALS };
  refuseUnread(response, 400, REPEATED_CREDENTIALS, isOAuth ? inOAuth : undefined);
}

/** A request that gets no further than its headers; its body is not wanted. */
function refuseUnread(
  response: ServerResponse,
  status: number,
  message: string,
  said: object = flatError(status, message),
): void {
  const body = JSON.stringify(said);
  response.writeHead(status, {
    'content-type': JSON_TYPE,
    'content-length': Buffer.byteLength(body),
    'x-content-type-options': 'nosniff',
    connection: 'close',
  });
  response.end(body);
}

interface ParserFault {
  status: number;
  phrase: string;
  message: string;
}

const badRequest: ParserFault = {
  status: 400,
  phrase: 'Bad Request',
  message: 'the bytes are not a valid HTTP/1.1 request',
};

const REQUEST_TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT';

/** By the code of the parser's error. */
const parserFaults: Readonly<Record<string, ParserFault>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    phrase: 'Request Header Fields Too Large',
    message: 'the header is larger than this server accepts',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    phrase: 'Payload Too Large',
    message: 'the chunk extensions are larger than this server accepts',
  },
  [REQUEST_TIMEOUT]: {
    status: 408,
    phrase: 'Request Timeout',
    message: 'the request did not arrive in time',
  },
};

type ClientError = Error & { code?: string };

type ClientSocket = NodeJS.WritableStream & {
  destroyed?: boolean;
  writable: boolean;
  bytesRead?: number;
  /** Of Node: the answer that is being written. */
  _httpMessage?: { headersSent: boolean };
};

/** Faults below HTTP (header too long, not HTTP at all): no request exists, so the answer is written by hand. */
function refuseClient(error: ClientError, socket: ClientSocket, ids: Ids, secure: boolean): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (!socket.writable || socket._httpMessage?.headersSent) {
    // In the middle of an answer there is no place for another.
    (socket as unknown as { destroy(): void }).destroy();
    return;
  }
  const { status, phrase, message } = parserFaults[error.code ?? ''] ?? badRequest;
  const body = JSON.stringify(flatError(status, message));
  const head = [
    `HTTP/1.1 ${status} ${phrase}`,
    `content-type: ${JSON_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
    `${REQUEST_ID_HEADER}: ${chooseRequestId(undefined, ids)}`,
    'x-content-type-options: nosniff',
    'connection: close',
    ...(secure ? [`strict-transport-security: ${TRANSPORT_SECURITY}`] : []),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

export function readTls(
  files: { key: string; cert: string } | undefined,
  requestCert: boolean,
): TlsFiles | undefined {
  return (
    files && {
      key: readFileSync(files.key, 'utf8'),
      cert: readFileSync(files.cert, 'utf8'),
      requestCert,
      rejectUnauthorized: false,
    }
  );
}
