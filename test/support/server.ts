// A running server for tests that come from outside: real sockets, ephemeral ports, a gRPC client for any
// service descriptor, and a small REST helper.
import {
  create,
  fromBinary,
  toBinary,
  type DescMessage,
  type DescService,
  type MessageInitShape,
  type MessageShape,
} from '@bufbuild/protobuf';
import { Client, Metadata, credentials, type ChannelCredentials, type ServiceError } from '@grpc/grpc-js';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configWith } from '../../src/config.js';
import { createApp, type AppOverrides } from '../../src/app.js';
import type { Part } from '../../src/compose/part.js';
import { AppError } from '../../src/errors.js';
import { silentLog, type Caller } from '../../src/platform.js';
import type { Authenticate, ServiceBinding } from '../../src/transport/service.js';
import { sharedEngine } from './engine.js';
import { migratedFile } from './migrated.js';
import { cheapPasswords } from './passwords.js';

export const TEST_TOKEN = 'test-token';

export const testCaller: Caller = {
  subject: 'test-client',
  issuer: 'https://issuer.test',
  clientId: 'test-client',
  scopes: ['biosec', 'platform-api'],
  tenants: 'all',
};

/** Accepts `Bearer test-token` (testCaller) and the tokens of `callers`. */
export function testAuthenticate(callers: Readonly<Record<string, Caller>> = {}): Authenticate {
  return async ({ authorization }) => {
    const token = authorization?.replace(/^Bearer /i, '');
    if (token === TEST_TOKEN) return testCaller;
    const caller = token === undefined ? undefined : callers[token];
    if (!caller)
      throw new AppError(
        'UNAUTHENTICATED',
        token === undefined ? 'a bearer token is needed' : 'the token is not valid',
      );
    return caller;
  };
}

export interface TestServerOptions {
  /** Services to add to those that the application has itself. */
  bindings?: readonly ServiceBinding[];
  parts?: readonly Part[];
  /** Settings by dotted name: `{ 'limits.bodyBytes': 1024 }`. */
  config?: Readonly<Record<string, unknown>>;
  overrides?: AppOverrides;
  /** Only the given bindings and parts: no storage, no services of the application. */
  bare?: boolean;
  /** An engine of its own, as its settings say, instead of the one that the servers of a worker share. */
  ownEngine?: boolean;
  /** Leave authentication to the application instead of `testAuthenticate()`. */
  realAuth?: boolean;
  callers?: Readonly<Record<string, Caller>>;
  /** CA certificate (PEM) for clients, when the server speaks TLS. */
  ca?: string;
}

export interface RestAnswer {
  status: number;
  headers: Headers;
  /** Parsed JSON; text when the answer is not JSON. */
  body: any; // eslint-disable-line @typescript-eslint/no-explicit-any
}

export interface RestOptions {
  body?: unknown;
  /** Sent as it is, instead of `body` as JSON. */
  rawBody?: string | Uint8Array;
  token?: string | null;
  headers?: Record<string, string>;
}

/** Every unary method of the service by its local name. Rejects with the gRPC error. */
export type GrpcClient<S extends DescService> = {
  [K in keyof S['method']]: (
    request: MessageInitShape<S['method'][K]['input']>,
    options?: GrpcCallOptions,
  ) => Promise<MessageShape<S['method'][K]['output']>>;
} & { close(): void };

export interface GrpcCallOptions {
  token?: string | null;
  metadata?: Record<string, string>;
  deadlineMs?: number;
  /** Receives the initial metadata of the answer. */
  onMetadata?: (metadata: Metadata) => void;
}

export interface TestServer {
  httpUrl: string;
  grpcAddress: string;
  rest(method: string, path: string, options?: RestOptions): Promise<RestAnswer>;
  grpc<S extends DescService>(service: S): GrpcClient<S>;
  stop(): Promise<void>;
  /** Stops the server but leaves the clients connected: for tests of the shutdown itself. */
  stopApp(): Promise<void>;
}

export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const home = mkdtempSync(join(tmpdir(), 'voxgate-server-'));
  const config = configWith({
    home,
    'http.address': '127.0.0.1:0',
    'grpc.address': '127.0.0.1:0',
    'log.level': 'silent',
    ...options.config,
  });
  const hasOwnStorage = ['home', 'database'].some((name) => name in (options.config ?? {}));
  if (!options.bare && !hasOwnStorage && process.env['VITEST'])
    copyFileSync(await migratedFile(), join(home, 'voxgate.db'));
  const parts: Part[] = [...(options.parts ?? [])];
  if (options.bindings) parts.push({ bindings: options.bindings });
  const app = createApp(config, {
    log: silentLog,
    bare: options.bare ?? false,
    ...(options.realAuth ? {} : { authenticate: testAuthenticate(options.callers) }),
    ...(options.bare || options.ownEngine ? {} : { engine: await sharedEngine() }),
    passwords: cheapPasswords,
    ...options.overrides,
    parts,
  });
  const { httpUrl, grpcAddress } = await app.start();
  const clients: { close(): void }[] = [];
  return {
    httpUrl,
    grpcAddress,
    rest: (method, path, request = {}) => sendRest(httpUrl, method, path, request),
    grpc: (service) => {
      const client = grpcClient(
        service,
        grpcAddress,
        options.ca === undefined
          ? credentials.createInsecure()
          : credentials.createSsl(Buffer.from(options.ca)),
      );
      clients.push(client);
      return client;
    },
    stopApp: () => app.stop(),
    async stop() {
      for (const client of clients) client.close();
      await app.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function sendRest(
  base: string,
  method: string,
  path: string,
  options: RestOptions,
): Promise<RestAnswer> {
  const headers: Record<string, string> = { ...options.headers };
  if (options.token !== null) headers['authorization'] ??= `Bearer ${options.token ?? TEST_TOKEN}`;
  let body: string | Uint8Array | undefined = options.rawBody;
  if (options.body !== undefined) {
    body = JSON.stringify(options.body);
    headers['content-type'] ??= 'application/json';
  }
  const response = await fetch(`${base}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: body as string }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return {
    status: response.status,
    headers: response.headers,
    body: isJson && text !== '' ? JSON.parse(text) : text,
  };
}

export function callMetadata(options: GrpcCallOptions = {}): Metadata {
  const metadata = new Metadata();
  if (options.token !== null) metadata.set('authorization', `Bearer ${options.token ?? TEST_TOKEN}`);
  for (const [name, value] of Object.entries(options.metadata ?? {})) metadata.set(name, value);
  return metadata;
}

export function serializerFor<D extends DescMessage>(desc: D): (init: MessageInitShape<D>) => Buffer {
  return (init) => Buffer.from(toBinary(desc, create(desc, init)));
}

export function deserializerFor<D extends DescMessage>(desc: D): (bytes: Buffer) => MessageShape<D> {
  return (bytes) => fromBinary(desc, bytes);
}

export function grpcClient<S extends DescService>(
  service: S,
  address: string,
  channel: ChannelCredentials,
): GrpcClient<S> {
  const client = new Client(address, channel);
  const methods: Record<string, unknown> = { close: () => client.close() };
  for (const method of service.methods) {
    methods[method.localName] = (init: object, options: GrpcCallOptions = {}) =>
      new Promise((resolve, reject) => {
        const call = client.makeUnaryRequest(
          `/${service.typeName}/${method.name}`,
          serializerFor(method.input) as (value: object) => Buffer,
          deserializerFor(method.output),
          init,
          callMetadata(options),
          options.deadlineMs === undefined ? {} : { deadline: Date.now() + options.deadlineMs },
          (error: ServiceError | null, response?: unknown) => (error ? reject(error) : resolve(response)),
        );
        call.on('metadata', (metadata) => options.onMetadata?.(metadata));
      });
  }
  return methods as unknown as GrpcClient<S>;
}
