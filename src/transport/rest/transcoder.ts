// REST from the contract: routes every google.api.http binding of the registered services to the same
// handlers that gRPC uses. Only translation happens here; the rest is the dispatcher's.
import { create, type Message } from '@bufbuild/protobuf';
import { GrpcStatus } from '../grpc-status.js';
import type { X509Certificate } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { COMPRESSED_BYTES_MIN, encodingFor, type Encoding } from '../encodings.js';
import { CallAbort } from '../dispatch/call-abort.js';
import type { Dispatcher } from '../dispatch/dispatcher.js';
import type { Answer, Operation, ReadResult, UnaryIncoming } from '../dispatch/exchange.js';
import { fail } from '../dispatch/outcome.js';
import { errorMap } from '../error-map.js';
import type { ByteBudget, ByteHold, ConnectionUse } from '../limits/byte-budget.js';
import type { ReceivingPace } from '../receiving-pace.js';
import { IDEMPOTENCY_KEY_HEADER, REPEATED_HEADER } from '../idempotency-headers.js';
import type { Peers } from '../peer.js';
import { Refusal, shuttingDown, unreadable, unsupportedType } from '../refusal.js';
import { REQUEST_ID_HEADER } from '../request-id.js';
import type { ServiceBinding } from '../service.js';
import { httpRefusal } from '../not-offered.js';
import { operationUnderRoot, pathUnderRoot } from '../package-roots.js';
import { parseBody } from './body.js';
import { readBody, writeCompressed, writeText } from './exchange.js';
import { httpBindings, type HttpBinding } from './http-rules.js';
import { readObject, readerOf, type ReadContext } from './json-read.js';
import { writeJson } from './json-write.js';
import { parsePathTemplate } from './path-template.js';
import { parseQuery, setParam } from './params.js';
import { Router, type Captured } from './router.js';

interface TranscoderOptions {
  jsonDepthMax: number;
  bodyBytesMax: number;
  /** Of operations that take a manifest, which is a file of its own kind. */
  manifestBytesMax: number;
  budget: ByteBudget;
  pace: ReceivingPace;
  peers: Peers;
  isDraining: () => boolean;
  /** Root packages of clients whose legacy paths are served beside our own. */
  packageRoots: readonly string[];
  /** Writes the flat answer to whatever stopped a call before its handler. */
  refuse: (thrown: unknown, requestId: string, request: IncomingMessage, response: ServerResponse) => void;
}

export interface Transcoder {
  /** Serves the exchange when an operation has this path and method; otherwise leaves it untouched. */
  serve(request: IncomingMessage, response: ServerResponse): boolean;
  /** What to tell a caller whose path or method no operation has; undefined outside the contract's paths. */
  explain(method: string, url: string): Refusal | undefined;
}

interface Target {
  operation: Operation;
  binding: HttpBinding;
}

/** Lets a REST caller bound its call as a gRPC deadline would. */
const TIMEOUT_HEADER = 'x-request-timeout-ms';

export function createTranscoder(
  bindings: readonly ServiceBinding[],
  dispatcher: Dispatcher,
  options: TranscoderOptions,
): Transcoder {
  const router = new Router<Target>();
  for (const service of bindings) {
    for (const operation of dispatcher.operations(service, 'rest')) {
      if (operation.method.methodKind !== 'unary') continue;
      for (const binding of httpBindings(operation.method)) {
        router.add(binding.httpMethod, binding.template, { operation, binding });
        for (const root of options.packageRoots) {
          const path = pathUnderRoot(binding.template.text, root);
          const renamed = operationUnderRoot(operation, root);
          if (path === undefined || !renamed) continue;
          router.add(binding.httpMethod, parsePathTemplate(path), { operation: renamed, binding });
        }
      }
    }
  }
  return {
    serve(request, response) {
      const { path, query } = splitUrl(request.url as string);
      const match = router.match(request.method as string, path);
      if (!match.found) return false;
      // Member by member: spread, the target cost a short call an eighth of its time.
      const { operation, binding } = match.target;
      const matched = { operation, binding, captured: match.captured, path, query };
      serveRest(dispatcher, options, matched, request, response);
      return true;
    },
    explain(method, url) {
      const { path } = splitUrl(url);
      const match = router.match(method, path);
      if (match.found || !router.prefixes.has(path.split('/')[1] ?? '')) return undefined;
      return httpRefusal(path, options.packageRoots) ?? noRoute(match, method, path);
    },
  };
}

function splitUrl(url: string): { path: string; query: string } {
  const mark = url.indexOf('?');
  return mark < 0 ? { path: url, query: '' } : { path: url.slice(0, mark), query: url.slice(mark + 1) };
}

interface Matched extends Target {
  captured: readonly Captured[];
  path: string;
  query: string;
}

function serveRest(
  dispatcher: Dispatcher,
  options: TranscoderOptions,
  matched: Matched,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { operation } = matched;
  const requestId = dispatcher.requestId(headerText(request.headers[REQUEST_ID_HEADER]));
  const refuse = (thrown: unknown): void => {
    // A body that nobody wants is thrown away as it comes, so that the caller gets to read the answer.
    request.resume();
    if (!refuseInBody(operation, thrown, requestId, response))
      options.refuse(thrown, requestId, request, response);
  };
  if (options.isDraining()) {
    // The connection must not be reused, or the stop would wait for it.
    response.setHeader('connection', 'close');
    refuse(shuttingDown());
    return;
  }
  const incoming = new RestIncoming({ request, response, requestId }, matched, options);
  // Answered through callbacks: one more async function per call would be one more trip through the queue.
  dispatcher
    .unary(operation, incoming)
    .then((answer) => {
      // An answer that outlives the server's last request is the last on its connection, as is one that came before the
      // end of its request.
      if (options.isDraining() || !incoming.bodyRead) response.setHeader('connection', 'close');
      sendAnswer(operation, answer, incoming, response);
    })
    .catch(refuse);
}

/** A refusal in the shape of the operation's own faults; false where it has none. */
function refuseInBody(
  operation: Operation,
  thrown: unknown,
  requestId: string,
  response: ServerResponse,
): boolean {
  const error = thrown instanceof Refusal ? thrown.inBody : undefined;
  if (!error || operation.statusPath.length === 0 || response.headersSent || response.destroyed) return false;
  const text = writeJson(operation.method.output, fail(operation, error, requestId));
  const { httpStatus, headers } = thrown as Refusal;
  writeText(response, httpStatus, requestId, text, headers);
  return true;
}

/** The call as REST brings it; what only some calls need is computed when asked for. */
class RestIncoming implements UnaryIncoming {
  readonly #request: IncomingMessage;
  readonly #matched: Matched;
  readonly #options: TranscoderOptions;
  readonly requestId: string;
  readonly authorization: string | undefined;
  readonly dpop: string | undefined;
  readonly traceparent: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly method: string;
  readonly deadlineAtMs: number | undefined;
  readonly abort: CallAbort;
  readonly hold: ByteHold;
  /** Nothing of the request is still to come; the parser may say so a little later. */
  bodyRead = false;

  constructor(
    {
      request,
      response,
      requestId,
    }: { request: IncomingMessage; response: ServerResponse; requestId: string },
    matched: Matched,
    options: TranscoderOptions,
  ) {
    this.#request = request;
    this.#matched = matched;
    this.#options = options;
    this.requestId = requestId;
    this.hold = options.budget.open(useOf(request.socket));
    response.on('close', () => this.hold.close());
    const { headers } = request;
    this.authorization = headers.authorization;
    this.dpop = headerText(headers['dpop']);
    this.traceparent = headerText(headers['traceparent']);
    this.idempotencyKey = headerText(headers[IDEMPOTENCY_KEY_HEADER]);
    this.method = request.method as string;
    this.deadlineAtMs = deadlineFrom(headerText(headers[TIMEOUT_HEADER]));
    this.abort = new CallAbort((onClose) => {
      if (response.destroyed) onClose();
      // `close` without a finished answer means that the caller hung up.
      else response.on('close', () => !response.writableFinished && onClose());
    });
  }

  read(): ReadResult | Promise<ReadResult> {
    refuseOtherTypes(this.#request);
    const { bodyBytesMax, manifestBytesMax, pace } = this.#options;
    const bytesMax = takesManifest(this.#matched.operation) ? manifestBytesMax : bodyBytesMax;
    const body = readBody(this.#request, bytesMax, pace, this.hold);
    return body instanceof Promise ? body.then((bytes) => this.#readAll(bytes)) : this.#readAll(body);
  }

  #readAll(body: Buffer | undefined): ReadResult {
    this.bodyRead = true;
    return readRequest(this.#matched, body, this.#options);
  }

  /** For the answer: what changes something may answer with a secret, which is never compressed. */
  get encoding(): Encoding | undefined {
    return this.method === 'GET' ? encodingFor(this.#request.headers['accept-encoding']) : undefined;
  }

  get address(): string {
    return this.#options.peers.addressOf(this.#request.socket, this.#request.headers);
  }

  get certificate(): X509Certificate | undefined {
    return this.#options.peers.certificateOf(this.#request.socket, this.#request.headers);
  }

  /** The path alone: where this server is reached is a matter of configuration, not of headers. */
  get url(): string {
    return this.#matched.path;
  }
}

const jsonTypes = /^(?:application\/(?:[\w.-]+\+)?json|text\/plain)\s*(?:;|$)/i;

/** Without a type, or as plain text, a body is taken for JSON; a form of a web page, or XML, is not. */
function refuseOtherTypes({ headers }: IncomingMessage): void {
  const type = headers['content-type'];
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (type === undefined || !hasBody || jsonTypes.test(type)) return;
  throw unsupportedType(type);
}

const takesManifest = ({ method }: Operation): boolean =>
  method.input.fields.some(({ name }) => name === 'manifest');

const usePerSocket = new WeakMap<Socket, ConnectionUse>();

function useOf(socket: Socket): ConnectionUse {
  let use = usePerSocket.get(socket);
  if (!use) usePerSocket.set(socket, (use = { bytes: 0 }));
  return use;
}

function sendAnswer(
  operation: Operation,
  answer: Answer,
  { requestId, hold, encoding }: RestIncoming,
  response: ServerResponse,
): void {
  const text = writeJson(operation.method.output, answer.message);
  hold.count(text.length);
  const { error, isRepeat } = answer;
  if (encoding !== undefined && !error && text.length >= COMPRESSED_BYTES_MIN) {
    writeCompressed(response, requestId, text, encoding).catch(() => response.destroy());
    return;
  }
  writeText(
    response,
    error ? errorMap[error.code].http : 200,
    requestId,
    text,
    isRepeat ? { [REPEATED_HEADER]: 'true' } : retryHeader(error?.retryAfterMs),
  );
}

function retryHeader(retryAfterMs: number | undefined): Record<string, string> | undefined {
  return retryAfterMs === undefined ? undefined : { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) };
}

function readRequest(
  { operation, binding, captured, query }: Matched,
  bytes: Buffer | undefined,
  options: TranscoderOptions,
): ReadResult {
  const desc = operation.method.input;
  const context: ReadContext = { ignored: [] };
  let message: Message;
  if (binding.body === '*') {
    message = readObject(desc, parseBody(bytes, options.jsonDepthMax), '', context);
  } else {
    message = create(desc);
    if (binding.body !== undefined) {
      const reader = readerOf(desc).fields.get(binding.body);
      if (!reader) throw new Error(`${desc.typeName} has no field ${binding.body}`);
      reader.set(
        message as never,
        reader.read(parseBody(bytes, options.jsonDepthMax), binding.body, context),
      );
    }
    const parameters = parseQuery(query);
    if (!parameters) throw unreadable('the query is not valid percent-encoded UTF-8');
    const inQuery: ReadContext = { ignored: context.ignored, given: new Set() };
    for (const [name, values] of parameters) {
      if (!setParam(desc, message, name.split('.'), values, inQuery)) context.ignored.push(name.slice(0, 64));
    }
  }
  // Last, so that the path wins over the body.
  for (const { fieldPath, value } of captured) setParam(desc, message, fieldPath, [value], context);
  return { message, ignored: context.ignored.slice(0, 20) };
}

function noRoute(
  match: Exclude<ReturnType<Router<Target>['match']>, { found: true }>,
  method: string,
  path: string,
): Refusal {
  switch (match.reason) {
    case 'wrong-method': {
      const allowed = match.allowed.join(', ');
      return new Refusal(405, GrpcStatus.UNIMPLEMENTED, `${method} is not allowed here; use ${allowed}`, {
        allow: allowed,
      });
    }
    case 'bad-encoding':
      return unreadable('the path is not valid percent-encoded UTF-8');
    case 'no-path':
      return new Refusal(404, GrpcStatus.UNIMPLEMENTED, `no such path: ${path.slice(0, 200)}`);
  }
}

function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

function deadlineFrom(timeoutText: string | undefined): number | undefined {
  if (timeoutText === undefined || !/^\d{1,9}$/.test(timeoutText)) return undefined;
  return Date.now() + Number(timeoutText);
}
