// The gRPC listener: puts every registered operation, health and reflection on our own HTTP/2 server. A call is judged by
// its headers before anything of its body is read; an unreadable message is answered in the body like any other fault.
import type { DescMessage, Message } from '@bufbuild/protobuf';
import type { X509Certificate } from 'node:crypto';
import { AppError } from '../../errors.js';
import { CallAbort } from '../dispatch/call-abort.js';
import { Deadlines } from '../dispatch/deadlines.js';
import type { Dispatcher } from '../dispatch/dispatcher.js';
import type { Incoming, Operation, ReadResult, StreamIncoming, UnaryIncoming } from '../dispatch/exchange.js';
import { errorMap } from '../error-map.js';
import type { TlsFiles } from '../http-server.js';
import { GrpcStatus } from '../grpc-status.js';
import { IDEMPOTENCY_KEY_HEADER, REPEATED_HEADER } from '../idempotency-headers.js';
import { addressKey } from '../limits/address-key.js';
import type { ByteBudget, ByteHold } from '../limits/byte-budget.js';
import { Slots } from '../limits/slots.js';
import type { ConnectionGuard } from '../limits/connection-guard.js';
import type { ReceivingPace } from '../receiving-pace.js';
import { grpcRefusals } from '../not-offered.js';
import { operationUnderRoot, servicesUnderRoot, typeUnderRoot } from '../package-roots.js';
import type { Peers } from '../peer.js';
import { noMessage, Refusal } from '../refusal.js';
import { REQUEST_ID_HEADER } from '../request-id.js';
import type { ServiceBinding } from '../service.js';
import { prepareRead, readBinary } from './binary-read.js';
import { prepareWrite, writeBinary } from './binary-write.js';
import { GrpcCall, textOf, type CallLimits, type TextHeaders } from './call.js';
import { GrpcConnections } from './connections.js';
import { createHealth } from './health.js';
import { judgeHeaders, timeoutOf } from './judge-headers.js';
import { reflectionRoutes } from './reflection.js';
import type { Route, Routes } from './routes.js';

interface GrpcOptions {
  host: string;
  port: number;
  tls?: TlsFiles;
  /** `host:port` at which clients reach the listener, for proofs of possession; the bound address when absent. */
  publicAddress?: string;
  messageBytesMax: number;
  metadataBytesMax: number;
  concurrentStreamsMax: number;
  /** Root packages of clients whose names for our services are known beside our own. */
  packageRoots: readonly string[];
}

export interface GrpcListener {
  /** `host:port` with the port that was really bound. */
  start(): Promise<string>;
  /** What the health service says about this server and each of its services. */
  setServing(serving: boolean): void;
  /** Lets calls in flight finish; cuts them after the limit. */
  stop(limitMs: number): Promise<void>;
}

const DELIVERY_MS = 30_000;
/** Calls without a token that may be open at the same time, and for how long. */
const STRANGERS_PER_ADDRESS = 64;
const STRANGERS_IN_ALL = 512;
const STRANGERS_MS = 600_000;
/** They ask with a name; more would fill everybody's bytes in flight without a token. */
const STRANGERS_BYTES_MAX = 4096;

interface GrpcDeps {
  bindings: readonly ServiceBinding[];
  dispatcher: Dispatcher;
  budget: ByteBudget;
  guard: ConnectionGuard;
  pace: ReceivingPace;
  peers: Peers;
}

export function createGrpcListener(
  options: GrpcOptions,
  { bindings, dispatcher, budget, guard, pace, peers }: GrpcDeps,
): GrpcListener {
  let address: string | undefined;
  const deadlines = new Deadlines();
  const scheme = options.tls ? 'https' : 'http';
  const serving: Serving = {
    dispatcher,
    peers,
    origin: () => `${scheme}://${options.publicAddress ?? address ?? ''}`,
  };
  const own = bindings.map((binding) => binding.service);
  const services = [...own, ...options.packageRoots.flatMap((root) => servicesUnderRoot(own, root))];
  const health = createHealth(['', ...services.map((service) => service.typeName)]);
  const strangers = new Map<string, Route>([
    ...forStrangers(reflectionRoutes(services), deadlines),
    ...forStrangers(health.routes, deadlines),
  ]);
  const routes = new Map<string, Route>([
    ...bindings.flatMap((binding) => routesOf(binding, serving, options.packageRoots)),
    ...strangers,
  ]);
  const refusals = grpcRefusals(options.packageRoots);
  const limits: CallLimits = { messageBytesMax: options.messageBytesMax, deliveryMs: DELIVERY_MS, pace };
  const strangersLimits: CallLimits = { ...limits, messageBytesMax: STRANGERS_BYTES_MAX };
  const connections = new GrpcConnections(
    {
      tls: options.tls,
      headerBytesMax: options.metadataBytesMax,
      callsPerConnectionMax: options.concurrentStreamsMax,
    },
    (stream, { headers, rawHeaders }, use) => {
      const ofCall = strangers.has(headers[':path'] ?? '') ? strangersLimits : limits;
      const call = new GrpcCall(stream, headers, budget.open(use), ofCall, deadlines);
      const fault = judgeHeaders(headers, rawHeaders, options.metadataBytesMax);
      if (fault instanceof Refusal) refuse(call, fault);
      else if (fault) call.reject(fault.httpStatus);
      else serveRoute(call, routes.get(call.path), refusals.get(call.path));
    },
  );
  guard.watch(connections.server);

  return {
    async start() {
      const port = await connections.listen(options.host, options.port);
      return (address = `${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`);
    },
    setServing: (now) => health.setServing(now),
    stop: (limitMs) => {
      health.setServing(false);
      return connections.stop(limitMs);
    },
  };
}

/** What every call is served with. */
interface Serving {
  dispatcher: Dispatcher;
  /** Where clients reach this listener, as configured: what a caller says about it is not evidence. */
  origin(): string;
  peers: Peers;
}

/** Health and reflection need no token: callers who keep many open, or for long, are cut off. */
function forStrangers(routes: Routes, deadlines: Deadlines): [string, Route][] {
  const slots = new Slots(STRANGERS_PER_ADDRESS, STRANGERS_IN_ALL);
  return [...routes].map(([path, route]) => [
    path,
    async (call) => {
      const address = addressKey(call.remoteAddress);
      if (!slots.enter(address)) {
        call.end(GrpcStatus.RESOURCE_EXHAUSTED, 'too many of these calls are open');
        return;
      }
      const stop = deadlines.add(performance.now(), STRANGERS_MS, () => call.cut());
      call.onClose(() => {
        stop();
        slots.leave(address);
      });
      await route(call);
    },
  ]);
}

function serveRoute(call: GrpcCall, route: Route | undefined, refusal: string | undefined): void {
  if (route) route(call).catch((thrown: unknown) => refuse(call, thrown));
  else call.end(GrpcStatus.UNIMPLEMENTED, refusal ?? `no such method: ${call.path.slice(0, 200)}`);
}

function routesOf(
  binding: ServiceBinding,
  serving: Serving,
  packageRoots: readonly string[],
): [string, Route][] {
  return serving.dispatcher.operations(binding, 'grpc').flatMap((operation): [string, Route][] => {
    const { method } = operation;
    prepareRead(method.input);
    prepareWrite(method.output);
    const serve = method.methodKind === 'unary' ? serveUnary : serveStream;
    const route = (service: string, as: Operation): [string, Route] => [
      `/${service}/${method.name}`,
      (call) => serve(serving, as, call),
    ];
    const renamed = packageRoots.flatMap((root) => {
      const service = typeUnderRoot(operation.service, root);
      const as = operationUnderRoot(operation, root);
      return service && as ? [route(service, as)] : [];
    });
    return [route(operation.service, operation), ...renamed];
  });
}

async function serveUnary(serving: Serving, operation: Operation, call: GrpcCall): Promise<void> {
  const incoming = new GrpcUnary(serving, call, operation.method.input);
  try {
    const answer = await serving.dispatcher.unary(operation, incoming);
    const own = replyHeaders(incoming);
    const headers = answer.isRepeat ? { ...own, [REPEATED_HEADER]: 'true' } : own;
    call.answer(writeBinary(operation.method.output, answer.message), headers);
  } catch (thrown) {
    refuse(call, thrown, replyHeaders(incoming));
  }
}

async function serveStream(serving: Serving, operation: Operation, call: GrpcCall): Promise<void> {
  const incoming = new GrpcStream(serving, call, operation.method.input);
  try {
    for await (const message of serving.dispatcher.stream(operation, incoming)) {
      if (call.canceled) break;
      call.start(replyHeaders(incoming));
      await call.write(writeBinary(operation.method.output, message));
    }
    call.start(replyHeaders(incoming));
    call.end(GrpcStatus.OK);
  } catch (thrown) {
    refuse(call, thrown, replyHeaders(incoming));
  }
}

/** The call as gRPC brings it; what only some calls need is computed when asked for. */
class GrpcIncoming implements Incoming {
  readonly #call: GrpcCall;
  readonly #origin: () => string;
  readonly #peers: Peers;
  readonly authorization: string | undefined;
  readonly requestId: string;
  readonly method = 'POST';
  readonly deadlineAtMs: number | undefined;
  readonly abort: CallAbort;
  readonly hold: ByteHold;

  constructor({ dispatcher, origin, peers }: Serving, call: GrpcCall) {
    this.#call = call;
    this.#origin = origin;
    this.#peers = peers;
    this.hold = call.hold;
    const { headers } = call;
    this.authorization = headers.authorization;
    this.requestId = dispatcher.requestId(textOf(headers[REQUEST_ID_HEADER]));
    const timeoutMs = timeoutOf(headers);
    this.deadlineAtMs = timeoutMs === undefined ? undefined : Date.now() + timeoutMs;
    this.abort = new CallAbort((onClose) => call.onCancel(onClose));
  }

  get dpop(): string | undefined {
    return textOf(this.#call.headers['dpop']);
  }

  get traceparent(): string | undefined {
    return textOf(this.#call.headers['traceparent']);
  }

  get idempotencyKey(): string | undefined {
    return textOf(this.#call.headers[IDEMPOTENCY_KEY_HEADER]);
  }

  get address(): string {
    return this.#peers.addressOf(this.#call.socket, this.#call.headers);
  }

  get certificate(): X509Certificate | undefined {
    return this.#peers.certificateOf(this.#call.socket, this.#call.headers);
  }

  get url(): string {
    return `${this.#origin()}${this.#call.path}`;
  }
}

class GrpcUnary extends GrpcIncoming implements UnaryIncoming {
  readonly #call: GrpcCall;
  readonly #desc: DescMessage;

  constructor(serving: Serving, call: GrpcCall, desc: DescMessage) {
    super(serving, call);
    this.#call = call;
    this.#desc = desc;
  }

  read(): ReadResult | Promise<ReadResult> {
    const here = this.#call.requests.here();
    return here
      ? this.#take(here)
      : this.#call.requests.next({ isDue: true }).then((bytes) => this.#take(bytes));
  }

  #take(bytes: Buffer | undefined): ReadResult {
    if (!bytes) throw noMessage();
    this.#call.requests.ignoreRest();
    return { message: readMessage(this.#desc, bytes), ignored: [] };
  }
}

class GrpcStream extends GrpcIncoming implements StreamIncoming {
  readonly requests: AsyncIterable<Message>;

  constructor(serving: Serving, call: GrpcCall, desc: DescMessage) {
    super(serving, call);
    this.requests = readMessages(desc, call, replyHeaders(this));
  }
}

function replyHeaders(incoming: Incoming): TextHeaders {
  return { [REQUEST_ID_HEADER]: incoming.requestId };
}

function readMessage(desc: DescMessage, bytes: Buffer): Message {
  try {
    return readBinary(desc, bytes);
  } catch (thrown) {
    throw new AppError(
      'BAD_REQUEST',
      `not a ${desc.typeName}: ${thrown instanceof Error ? thrown.message : 'unreadable'}`,
    );
  }
}

/** Begins when the caller is known. Each message gives back what it took when the next is asked for. */
async function* readMessages(
  desc: DescMessage,
  call: GrpcCall,
  headers: TextHeaders,
): AsyncGenerator<Message> {
  // Some clients send nothing before they have seen these.
  call.start(headers);
  for (;;) {
    const bytes = await call.requests.next();
    if (!bytes) return;
    yield readMessage(desc, bytes);
    call.hold.release();
  }
}

/** Ends a call that gets no message for an answer. */
function refuse(call: GrpcCall, thrown: unknown, headers: TextHeaders = {}): void {
  if (thrown instanceof Refusal) {
    const { connection: _, ...more } = thrown.headers;
    call.end(thrown.grpcStatus, thrown.message, { ...headers, ...more });
  } else if (thrown instanceof AppError) {
    call.end(errorMap[thrown.code].grpc, thrown.message, headers);
  } else call.end(GrpcStatus.INTERNAL, 'internal error', headers);
}
