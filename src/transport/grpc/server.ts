// The gRPC listener: puts every registered operation on a grpc-js server. Requests arrive as bytes and are
// read inside the dispatcher, so that an unreadable message is answered in the body like any other fault.
import type { DescMessage, Message } from '@bufbuild/protobuf';
import {
  Metadata,
  Server,
  ServerCredentials,
  status as GrpcStatus,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type ServiceDefinition,
  type UntypedServiceImplementation,
  type sendUnaryData,
} from '@grpc/grpc-js';
import { HealthImplementation } from 'grpc-health-check';
import { AppError } from '../../errors.js';
import { CallAbort } from '../dispatch/call-abort.js';
import type { Dispatcher } from '../dispatch/dispatcher.js';
import type { Incoming, Operation, ReadResult, StreamIncoming, UnaryIncoming } from '../dispatch/exchange.js';
import { Refusal } from '../refusal.js';
import { REQUEST_ID_HEADER } from '../request-id.js';
import type { ServiceBinding } from '../service.js';
import { prepareRead, readBinary } from './binary-read.js';
import { prepareWrite, writeBinary } from './binary-write.js';
import { addReflection } from './reflection.js';

export interface GrpcOptions {
  host: string;
  port: number;
  tls?: { key: string; cert: string };
  /** `host:port` at which clients reach the listener, for proofs of possession; the bound address when absent. */
  publicAddress?: string;
  messageBytesMax: number;
  metadataBytesMax: number;
  concurrentStreamsMax: number;
}

export interface GrpcListener {
  /** `host:port` with the port that was really bound. */
  start(): Promise<string>;
  /** What the health service says about this server and each of its services. */
  setServing(serving: boolean): void;
  /** Lets calls in flight finish; cuts them after the limit. */
  stop(limitMs: number): Promise<void>;
}

type Responder = sendUnaryData<Buffer>;

export function createGrpcListener(
  options: GrpcOptions,
  bindings: readonly ServiceBinding[],
  dispatcher: Dispatcher,
): GrpcListener {
  const server = new Server({
    'grpc.max_receive_message_length': options.messageBytesMax,
    'grpc.max_send_message_length': -1,
    'grpc.max_concurrent_streams': options.concurrentStreamsMax,
    'grpc-node.max_session_memory': 64,
    'grpc.max_metadata_size': options.metadataBytesMax,
    'grpc.keepalive_time_ms': 60_000,
    // Its bookkeeping costs a tenth of a call; /metrics tells what we need.
    'grpc.enable_channelz': 0,
  });
  let address: string | undefined;
  const scheme = options.tls ? 'https' : 'http';
  const serving: Serving = {
    dispatcher,
    origin: () => `${scheme}://${options.publicAddress ?? address ?? ''}`,
  };
  for (const binding of bindings) addBinding(server, binding, serving);
  addReflection(
    server,
    bindings.map((binding) => binding.service),
  );
  const names = ['', ...bindings.map((binding) => binding.service.typeName)];
  const health = new HealthImplementation(
    Object.fromEntries(names.map((name) => [name, 'SERVING' as const])),
  );
  const setServing = (serving: boolean): void => {
    for (const name of names) health.setStatus(name, serving ? 'SERVING' : 'NOT_SERVING');
  };
  health.addToServer(server);

  return {
    start: async () => (address = await listen(server, options)),
    setServing,
    stop: (limitMs) => {
      setServing(false);
      return shutdown(server, address, limitMs);
    },
  };
}

/** What every call is served with. */
interface Serving {
  dispatcher: Dispatcher;
  /** Where clients reach this listener, as configured: what a caller says about it is not evidence. */
  origin(): string;
}

function addBinding(server: Server, binding: ServiceBinding, serving: Serving): void {
  const definition: Record<string, ServiceDefinition[string]> = {};
  const implementation: UntypedServiceImplementation = {};
  for (const operation of serving.dispatcher.operations(binding, 'grpc')) {
    const { method } = operation;
    prepareRead(method.input);
    prepareWrite(method.output);
    const streaming = method.methodKind === 'bidi_streaming';
    const path = `/${operation.service}/${method.name}`;
    definition[method.name] = {
      path,
      requestStream: streaming,
      responseStream: streaming,
      requestDeserialize: (bytes: Buffer) => bytes,
      requestSerialize: (bytes: Buffer) => bytes,
      responseDeserialize: (bytes: Buffer) => bytes,
      responseSerialize: (bytes: Buffer) => bytes,
    };
    implementation[method.name] = streaming
      ? (stream: ServerDuplexStream<Buffer, Buffer>) => void serveStream(serving, operation, path, stream)
      : (call: ServerUnaryCall<Buffer, Buffer>, respond: Responder) =>
          serveUnary(serving, operation, path, call, respond);
  }
  server.addService(definition, implementation);
}

function serveUnary(
  serving: Serving,
  operation: Operation,
  path: string,
  call: ServerUnaryCall<Buffer, Buffer>,
  respond: Responder,
): void {
  const incoming = new GrpcUnary(serving, call, path, operation.method.input);
  // Answered through callbacks: one more async function per call would be one more trip through the queue.
  serving.dispatcher
    .unary(operation, incoming)
    .then((answer) => {
      const bytes = writeBinary(operation.method.output, answer.message);
      // Only now, so that headers, message and trailers leave in one write.
      call.sendMetadata(replyMetadata(incoming));
      respond(null, bytes);
    })
    .catch((thrown: unknown) => respond(grpcError(thrown, incoming)));
}

async function serveStream(
  serving: Serving,
  operation: Operation,
  path: string,
  stream: ServerDuplexStream<Buffer, Buffer>,
): Promise<void> {
  const incoming = new GrpcStream(serving, stream, path, operation.method.input);
  stream.sendMetadata(replyMetadata(incoming));
  try {
    for await (const message of serving.dispatcher.stream(operation, incoming)) {
      if (stream.cancelled) break;
      if (!stream.write(writeBinary(operation.method.output, message))) await drained(stream);
    }
    stream.end();
  } catch (thrown) {
    if (!stream.cancelled) stream.emit('error', grpcError(thrown, incoming));
  }
}

type AnyCall = ServerUnaryCall<Buffer, Buffer> | ServerDuplexStream<Buffer, Buffer>;

/** The call as gRPC brings it; what only some calls need is computed when asked for. */
class GrpcIncoming implements Incoming {
  readonly #call: AnyCall;
  readonly #path: string;
  readonly #origin: () => string;
  readonly authorization: string | undefined;
  readonly requestId: string;
  readonly method = 'POST';
  readonly deadline: number | undefined;
  readonly abort: CallAbort;

  constructor({ dispatcher, origin }: Serving, call: AnyCall, path: string) {
    this.#call = call;
    this.#path = path;
    this.#origin = origin;
    const { metadata } = call;
    this.authorization = firstText(metadata, 'authorization');
    this.requestId = dispatcher.requestId(firstText(metadata, REQUEST_ID_HEADER));
    this.deadline = deadlineOf(call.getDeadline());
    this.abort = new CallAbort((onGone) => {
      if (call.cancelled) onGone();
      else call.on('cancelled', onGone);
    });
  }

  get dpop(): string | undefined {
    return firstText(this.#call.metadata, 'dpop');
  }

  get url(): string {
    return `${this.#origin()}${this.#path}`;
  }
}

class GrpcUnary extends GrpcIncoming implements UnaryIncoming {
  readonly #request: Buffer;
  readonly #desc: DescMessage;

  constructor(serving: Serving, call: ServerUnaryCall<Buffer, Buffer>, path: string, desc: DescMessage) {
    super(serving, call, path);
    this.#request = call.request;
    this.#desc = desc;
  }

  read(): ReadResult {
    return { message: readMessage(this.#desc, this.#request), ignored: [] };
  }
}

class GrpcStream extends GrpcIncoming implements StreamIncoming {
  readonly requests: AsyncIterable<Message>;

  constructor(serving: Serving, stream: ServerDuplexStream<Buffer, Buffer>, path: string, desc: DescMessage) {
    super(serving, stream, path);
    this.requests = readMessages(desc, stream);
  }
}

function replyMetadata(incoming: Incoming): Metadata {
  const metadata = new Metadata();
  metadata.set(REQUEST_ID_HEADER, incoming.requestId);
  return metadata;
}

function deadlineOf(deadline: Date | number): number | undefined {
  const at = typeof deadline === 'number' ? deadline : deadline.getTime();
  return Number.isFinite(at) ? at : undefined;
}

function firstText(metadata: Metadata, name: string): string | undefined {
  const value = metadata.get(name)[0];
  return typeof value === 'string' ? value : undefined;
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

async function* readMessages(
  desc: DescMessage,
  stream: ServerDuplexStream<Buffer, Buffer>,
): AsyncGenerator<Message> {
  // A handler that stops reading must still be able to answer, so leaving the loop does not destroy the stream.
  const requests = stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  for await (const bytes of requests) yield readMessage(desc, bytes);
}

function drained(stream: ServerDuplexStream<Buffer, Buffer>): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done);
      stream.off('cancelled', done);
      resolve();
    };
    stream.on('drain', done);
    stream.on('cancelled', done);
  });
}

function grpcError(
  thrown: unknown,
  incoming: Incoming,
): { code: GrpcStatus; details: string; metadata: Metadata } {
  const metadata = replyMetadata(incoming);
  if (!(thrown instanceof Refusal)) return { code: GrpcStatus.INTERNAL, details: 'internal error', metadata };
  for (const [name, value] of Object.entries(thrown.headers)) metadata.set(name, value);
  return { code: thrown.grpcStatus, details: thrown.message, metadata };
}

function listen(server: Server, options: GrpcOptions): Promise<string> {
  const credentials = options.tls
    ? ServerCredentials.createSsl(null, [
        { private_key: Buffer.from(options.tls.key), cert_chain: Buffer.from(options.tls.cert) },
      ])
    : ServerCredentials.createInsecure();
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return new Promise((resolve, reject) => {
    server.bindAsync(`${host}:${options.port}`, credentials, (error, port) => {
      if (error) reject(error);
      else resolve(`${host}:${port}`);
    });
  });
}

/** forceShutdown overlooks connections while channelz is off, so a drain with the same limit cuts them. */
function shutdown(server: Server, address: string | undefined, limitMs: number): Promise<void> {
  if (address !== undefined) server.drain(address, limitMs);
  return new Promise((resolve) => {
    // In case that even cutting the connections does not end it.
    const timer = setTimeout(() => {
      server.forceShutdown();
      resolve();
    }, limitMs + 1000);
    server.tryShutdown(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
