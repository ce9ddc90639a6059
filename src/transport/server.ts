// Both listeners as one thing to start and stop: services are given as bindings, other HTTP routes as
// functions that register themselves.
import type { FastifyInstance } from 'fastify';
import type { Once } from '../idempotency/once.js';
import type { Clock, Ids, Log } from '../platform.js';
import { callLogFields } from './dispatch/call-log.js';
import { Deadlines } from './dispatch/deadlines.js';
import { Dispatcher } from './dispatch/dispatcher.js';
import type { CallRecord } from './dispatch/exchange.js';
import { createGrpcListener, type GrpcListener } from './grpc/server.js';
import { createHttpServer, readTls, refuseExchange, type TlsFiles } from './http-server.js';
import { ByteBudget } from './limits/byte-budget.js';
import { ConnectionGuard } from './limits/connection-guard.js';
import { ReceivingPace } from './receiving-pace.js';
import type { ShareCalls } from './limits/call-rate.js';
import { createMetrics, type Metrics } from './metrics.js';
import { Peers } from './peer.js';
import type { LiveProtocol } from '../live/protocols/live-protocol.js';
import { listenForSockets, type SocketListener } from './sockets/socket-listener.js';
import { createMetricsListener, metricsAnswers } from './metrics-listener.js';
import { createTranscoder } from './rest/transcoder.js';
import type { ReservedPort } from './reserved-port.js';
import { registerDocsRoutes } from './routes/docs.js';
import { createReadiness, type Readiness, type ReadinessCheck } from './readiness.js';
import { registerOperationsRoutes } from './routes/operations.js';
import type { Authenticate, ServiceBinding } from './service.js';

interface ListenAddress {
  host: string;
  port: number;
}

interface TransportOptions {
  http: ListenAddress;
  /** The port of `http`, where it was taken beforehand. */
  reservedPort?: ReservedPort | undefined;
  grpc: ListenAddress;
  /** `host:port` at which clients reach the gRPC listener; the bound address when absent. */
  grpcPublicAddress?: string;
  /** Paths of PEM files, used by both listeners. */
  tls?: { key: string; cert: string };
  /** Callers are asked for a certificate, where there is TLS. */
  clientCertificates?: boolean;
  /** In which trusted proxies hand on the certificates of callers. */
  certificateHeader?: string;
  /** What the OpenAPI document and links name as this server; the bound HTTP address when absent. */
  publicUrl?: string;
  /** Whose X-Forwarded-For counts: hops, addresses and networks, or nobody's. */
  trustedProxies: number | string[] | false;
  /** Root packages of clients that were generated under other names than ours. */
  packageRoots?: readonly string[];
  limits: {
    bodyBytes: number;
    headerBytes: number;
    messageBytes: number;
    bytesInFlight: number;
    bytesInFlightPerClient: number;
    bytesInFlightPerConnection: number;
    connections: number;
    connectionsPerAddress: number;
    concurrentCalls: number;
    concurrentCallsPerClient: number;
    streamsPerClient: number;
    streamIdleMs: number;
    streamTimeoutMs: number;
    callTimeoutMs: number;
    listLength: number;
    jsonDepth: number;
    shutdownMs: number;
  };
  /** Where and to whom the metrics are told; absent: on the HTTP listener, to everybody. */
  metrics?: { listen: ListenAddress | undefined; token: string };
  /** Operations per client and second; absent or 0: no limit. */
  callsPerSecond?: number;
  version: string;
}

interface TransportDeps {
  bindings: readonly ServiceBinding[];
  /** HTTP routes that do not come from the contract, such as the token endpoint. */
  routes: readonly ((http: FastifyInstance, authenticate: Authenticate) => void)[];
  /** Where WebSockets come in. */
  protocols?: readonly LiveProtocol[];
  /** Ends what runs on between calls; before the listeners close. */
  drain?: () => Promise<void>;
  readiness: readonly ReadinessCheck[];
  authenticate: Authenticate;
  /** Keeps the answers of calls with an idempotency key; absent: keys mean nothing. */
  once?: Once | undefined;
  /** Makes `callsPerSecond` one limit with other nodes; absent: it is of this server alone. */
  shareCalls?: ShareCalls | undefined;
  /** Told of every call after its answer; must not throw and must not wait. */
  onCall?: (record: CallRecord) => void;
  log: Log;
  /** Writes the line about a finished call; a log that can do that faster brings its own way. */
  logCall?: (record: CallRecord) => void;
  clock: Clock;
  ids: Ids;
}

export interface Addresses {
  httpUrl: string;
  grpcAddress: string;
  /** Where the metrics are, if not on the HTTP listener. */
  metricsUrl?: string;
}

export interface TransportServer {
  start(): Promise<Addresses>;
  /** Reports that this server should get no more work, but keeps working. */
  leave(): void;
  /** Refuses new calls, finishes those in flight, and tells callers still waiting after `limits.shutdownMs` to retry. */
  stop(): Promise<void>;
  /** Whether it can serve, as of a second ago at most. */
  isReady(): boolean;
  metrics: Metrics;
}

/** Time for the answers to calls that were cut short; callers who have not read them by then are disconnected. */
const LAST_ANSWERS_MS = 1000;

export function createTransportServer(options: TransportOptions, deps: TransportDeps): TransportServer {
  const { limits } = options;
  const metrics = createMetrics();
  const dispatcher = new Dispatcher({
    ...deps,
    logCall: deps.logCall ?? ((record) => deps.log.info(callLogFields(record), 'call')),
    metrics,
    limits,
    callsPerSecond: options.callsPerSecond ?? 0,
  });
  let draining = false;
  let leaving = false;
  let stopWatching: () => void = () => {};
  const isDraining = (): boolean => draining;
  const tls = readTls(options.tls, options.clientCertificates === true);
  const peers = new Peers({
    trustedProxies: options.trustedProxies,
    clientCertificates: options.clientCertificates === true,
    certificateHeader: options.certificateHeader?.toLowerCase() ?? '',
  });
  const readiness = createReadiness(deps.readiness, () => draining || leaving);
  const budget = new ByteBudget(limits);
  const pace = new ReceivingPace(new Deadlines());
  metrics.add({
    name: 'voxgate_bytes_in_flight',
    type: 'gauge',
    help: 'Bytes of requests and answers that are held now',
    value: () => budget.held,
  });
  const guard = new ConnectionGuard(limits, deps.log);
  for (const metric of [...guard.metrics(), ...readiness.metrics()]) metrics.add(metric);
  const shared: Shared = {
    options,
    deps,
    metrics,
    dispatcher,
    budget,
    pace,
    peers,
    tls,
    readiness,
    isDraining,
  };
  const http = composeHttp(shared);
  guard.watch(http.server);
  const sockets = composeSockets(http, shared);
  const grpc = composeGrpc(shared, guard);
  const metricsListener =
    options.metrics?.listen &&
    createMetricsListener(options.metrics.listen, metricsAnswers(metrics, options.metrics.token));
  return {
    metrics,
    isReady: () => !draining && !leaving && readiness.isReady(),
    async start() {
      options.reservedPort?.handTo(http.server);
      const bound = await http.listen({ host: options.http.host, port: options.http.port });
      try {
        const metricsUrl = await metricsListener?.start();
        const grpcAddress = await grpc.start();
        stopWatching = readiness.watch((ready) => grpc.setServing(ready));
        // The framework does not know that the listener it was given speaks TLS.
        const httpUrl = tls ? bound.replace(/^http:/, 'https:') : bound;
        return { httpUrl, grpcAddress, ...(metricsUrl === undefined ? {} : { metricsUrl }) };
      } catch (thrown) {
        await Promise.all([http.close(), metricsListener?.stop()]);
        throw thrown;
      }
    },
    leave() {
      leaving = true;
      stopWatching();
      grpc.setServing(false);
    },
    async stop() {
      if (draining) return;
      draining = true;
      stopWatching();
      dispatcher.drain();
      await deps.drain?.();
      sockets.close(limits.shutdownMs);
      const cutShort = setTimeout(() => dispatcher.cutShort(), limits.shutdownMs);
      const endAtMs = performance.now() + limits.shutdownMs + LAST_ANSWERS_MS;
      const leftMs = (): number => Math.max(0, endAtMs - performance.now());
      // While calls are being finished, new callers are told that this server is shutting down, instead of finding no listener.
      await atMost(leftMs(), dispatcher.idle());
      await Promise.all([closeHttp(http, leftMs()), grpc.stop(leftMs())]);
      clearTimeout(cutShort);
      await metricsListener?.stop();
      metrics.stop();
    },
  };
}

/** What both listeners are made from. */
interface Shared {
  options: TransportOptions;
  deps: TransportDeps;
  metrics: Metrics;
  dispatcher: Dispatcher;
  budget: ByteBudget;
  pace: ReceivingPace;
  peers: Peers;
  tls: TlsFiles | undefined;
  readiness: Readiness;
  isDraining: () => boolean;
}

function composeHttp(shared: Shared): FastifyInstance {
  const { options, deps, metrics, dispatcher, budget, pace, peers, tls, readiness, isDraining } = shared;
  const { limits, trustedProxies, version, publicUrl } = options;
  const contract = createTranscoder(deps.bindings, dispatcher, {
    jsonDepthMax: limits.jsonDepth,
    bodyBytesMax: limits.bodyBytes,
    manifestBytesMax: Math.max(limits.bodyBytes, limits.messageBytes),
    budget,
    pace,
    peers,
    isDraining,
    packageRoots: options.packageRoots ?? [],
    refuse: (thrown, requestId, request, response) =>
      refuseExchange(deps.log, thrown, requestId, request, response),
  });
  const http = createHttpServer(
    {
      headerBytesMax: limits.headerBytes,
      requestTimeoutMs: limits.callTimeoutMs,
      trustedProxies,
      secure: tls !== undefined || publicUrl?.startsWith('https:') === true,
      ...(tls ? { tls } : {}),
    },
    { log: deps.log, ids: deps.ids, metrics, isDraining, contract, pace, peers },
  );
  const told = options.metrics?.listen ? undefined : metricsAnswers(metrics, options.metrics?.token ?? '');
  registerOperationsRoutes(http, { metrics: told, readiness, version });
  registerDocsRoutes(http, { bindings: deps.bindings, version, ...(publicUrl ? { publicUrl } : {}) });
  for (const register of deps.routes) register(http, deps.authenticate);
  return http;
}

function composeSockets(http: FastifyInstance, { deps, peers, isDraining }: Shared): SocketListener {
  const { authenticate, log, protocols = [] } = deps;
  return listenForSockets(http.server, protocols, { authenticate, log, peers, isDraining });
}

function composeGrpc(
  { options, deps, dispatcher, budget, pace, peers, tls }: Shared,
  guard: ConnectionGuard,
): GrpcListener {
  const { limits } = options;
  return createGrpcListener(
    {
      ...options.grpc,
      ...(tls ? { tls } : {}),
      ...(options.grpcPublicAddress ? { publicAddress: options.grpcPublicAddress } : {}),
      messageBytesMax: limits.messageBytes,
      metadataBytesMax: limits.headerBytes,
      concurrentStreamsMax: deps.bindings.reduce(
        (sum, { streams }) => sum + (streams?.perClient ?? 0),
        limits.concurrentCallsPerClient,
      ),
      packageRoots: options.packageRoots ?? [],
    },
    { bindings: deps.bindings, dispatcher, budget, guard, pace, peers },
  );
}

async function atMost(limitMs: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([work, new Promise((resolve) => (timer = setTimeout(resolve, limitMs)))]);
  clearTimeout(timer);
}

async function closeHttp(http: FastifyInstance, limitMs: number): Promise<void> {
  const timer = setTimeout(() => http.server.closeAllConnections(), limitMs);
  await http.close();
  clearTimeout(timer);
}
