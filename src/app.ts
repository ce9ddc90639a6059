// Composition root: the only file that knows everything. Each capability is a part, made by one small compose function below;
// parts are created in order and stopped in reverse order.
import { setTimeout as pause } from 'node:timers/promises';
import { noteAddresses, servedAt } from './compose/addresses.js';
import { composeAuth } from './compose/auth.js';
import { watchClock } from './compose/clock-watch.js';
import { composeBiometrics, enginePart, openEngine } from './compose/biometrics.js';
import { composeConsole } from './compose/console.js';
import { composeEvents } from './compose/events.js';
import { composeIdleMemory } from './compose/idle-memory.js';
import { createLog, type ProcessLog } from './compose/log.js';
import { assessedSessions } from './compose/assess-sessions.js';
import { composeFeed } from './compose/feed.js';
import { composeIdempotency } from './compose/idempotency.js';
import { composeLive } from './compose/live.js';
import { composeManagement } from './compose/management.js';
import { composeMediaStore } from './compose/media-store.js';
import type { Core, Part } from './compose/part.js';
import { composeSiem } from './compose/siem.js';
import { composeTenants } from './compose/tenants.js';
import { composeWebhooks } from './compose/webhooks.js';
import type { Storage } from './storage/open-storage.js';
import { openStorage } from './compose/storage.js';
import { startTimeProof } from './compose/time-proof.js';
import { programVersion } from './compose/version.js';
import { actorNames } from './auth/actor-names.js';
import { certificateSigner } from './auth/tokens/sign-certificate.js';
import type { PasswordHasher } from './auth/passwords.js';
import { hostPortOf, packageRootsOf, trustedProxiesOf } from './config/read-text.js';
import { unknownSettings, type Config } from './config.js';
import { AppError } from './errors.js';
import { systemClock, systemIds, type Clock, type Ids, type Log } from './platform.js';
import { DISK_FREE_MIN_BYTES, freeBytes, whyNotWritable } from './storage/checks/home.js';
import { pingDatabase } from './storage/settings.js';
import { StorageError } from './storage/storage-error.js';
import { DatabaseUnavailable, READ_ONLY } from './storage/unavailable.js';
import { reservePort, type ReservedPort } from './transport/reserved-port.js';
import { createTransportServer, type Addresses, type TransportServer } from './transport/server.js';
import type { Authenticate } from './transport/service.js';
import type { VoiceEngine } from './voice/engine.js';

export interface App {
  start(): Promise<Addresses>;
  /** Takes this node out of the load balancer first: /readyz reports not ready, calls are served for a while. */
  leave(): Promise<void>;
  stop(): Promise<void>;
}

/** What tests and embedding programs may replace or add. */
export interface AppOverrides {
  clock?: Clock;
  ids?: Ids;
  log?: Log;
  authenticate?: Authenticate;
  /** A voice engine to use instead of one of its own; whoever gave it closes it. */
  engine?: VoiceEngine;
  /** How passwords are hashed; by default as expensively as it should be. */
  passwords?: PasswordHasher;
  parts?: readonly Part[];
  /** Only the parts given here, none of the application's own. */
  bare?: boolean;
}

export function createApp(config: Config, overrides: AppOverrides = {}): App {
  const processLog = overrides.log ? undefined : createLog(config.log);
  const core: Core = {
    config,
    clock: overrides.clock ?? systemClock,
    ids: overrides.ids ?? systemIds,
    log: overrides.log ?? (processLog?.log as Log),
    ...(overrides.passwords && { passwords: overrides.passwords }),
    listening: {},
  };
  const parts: Part[] = [];
  let server: TransportServer | undefined;
  let reservedPort: ReservedPort | undefined;

  const stop = async (): Promise<void> => {
    await server?.stop();
    reservedPort?.release();
    for (const part of parts.splice(0).reverse()) await part.stop?.();
    core.log.info({}, 'stopped');
    await processLog?.flush();
    processLog?.abandon();
  };

  return {
    async start() {
      try {
        reservedPort = await reserveChosenPort(core);
        await composeParts(core, parts, overrides);
        if (processLog) parts.push(logPart(processLog));
        server = composeTransport(core, parts, { ...overrides, reservedPort }, processLog?.logCall);
        core.isReady = server.isReady;
        for (const metric of parts.flatMap((part) => part.metrics ?? [])) server.metrics.add(metric);
        const addresses = await server.start();
        const reached = servedAt(core.config, addresses);
        core.listening = reached;
        for (const part of parts) await part.onServing?.(reached);
        core.log.info({ ...addresses, version: programVersion() }, 'serving');
        warnOfPlainText(core);
        for (const fault of unknownSettings()) core.log.warn({}, `${fault}: it was ignored`);
        return addresses;
      } catch (thrown) {
        await stop();
        throw thrown;
      }
    },
    async leave() {
      server?.leave();
      await pause(config.limits.lameDuckMs);
    },
    stop,
  };
}

/**
 * Port 0 is a port of the system's choice. Unless a public URL is set, tokens and metadata name it, so it is known before
 * they are made.
 */
async function reserveChosenPort(core: Core): Promise<ReservedPort | undefined> {
  const { http, publicUrl, tokens } = core.config;
  const { host, port } = http.address;
  if (port !== 0 || publicUrl !== '') return undefined;
  const held = await reservePort(host);
  core.config = { ...core.config, http: { ...http, address: { host, port: held.port } } };
  if (tokens.issuer === '')
    core.log.info(
      { port: held.port },
      'http.address has port 0: tokens and sign-ins name the port that was chosen, and end when the server starts again on another',
    );
  return held;
}

/** Adds the parts in order; a part that cannot be made stops the start. */
async function composeParts(core: Core, parts: Part[], overrides: AppOverrides): Promise<void> {
  parts.push(...(overrides.parts ?? []));
  if (overrides.bare) return;
  // The models load in their threads while the database opens.
  const engine = overrides.engine ? Promise.resolve(overrides.engine) : openEngine(core);
  if (!overrides.engine) parts.push(enginePart(engine));
  const storage = await openStorage(core.config, core.clock, core.log);
  parts.push(storagePart(core.config.home, storage));
  parts.push(await composeMediaStore(core, storage));
  const timeProof = startTimeProof(core, storage.database);
  core.timeProof = timeProof;
  parts.push({ stop: async () => timeProof.stop() });
  core.clockWatch = await watchClock(core, storage.database);
  parts.push(core.clockWatch);
  parts.push(composeIdempotency(core, storage));
  const events = composeEvents(core, storage);
  parts.push(events);
  if (core.config.siem.url !== '') parts.push(composeSiem(core, storage, events));
  const tokens = await composeAuth(core, storage, events.fromAuth);
  parts.push(tokens);
  const actors = actorNames(tokens.auth);
  const voice = await composeBiometrics(core, storage, {
    opening: engine,
    actors,
    signCertificate: certificateSigner(tokens.auth),
  });
  parts.push(voice);
  parts.push(composeLive(core, voice, storage));
  parts.push(composeTenants(core, storage, { ...voice.tenantContent, actors }));
  const assessed = assessedSessions(voice.deps);
  parts.push(composeFeed(core, storage, assessed));
  parts.push(composeWebhooks(core, storage, assessed));
  parts.push(composeConsole());
  parts.push(composeIdleMemory());
  parts.push(
    composeManagement(core, {
      storage,
      auth: tokens.auth,
      events,
      engine: voice.deps.engine,
      parts: () => parts,
    }),
  );
}

/** Made first and so closed last. */
function storagePart(home: string, { database, keyring, masterKey, close }: Storage): Part {
  // Two checks that are made together every second, with one query; the next time the query is repeated, because an answer may never come.
  let asking: ReturnType<typeof keyring.master> | undefined;
  const askForKey = () => {
    setImmediate(() => (asking = undefined));
    return (asking ??= keyring.master(database.db));
  };
  const answers = async (): Promise<boolean | string> => {
    try {
      await askForKey().catch(() => pingDatabase(database));
      return true;
    } catch (error) {
      return error instanceof DatabaseUnavailable && error.detail === READ_ONLY && 'accepts no writes';
    }
  };
  const hasKey = async (): Promise<boolean | string> => {
    try {
      const { id } = await askForKey();
      // The key in memory still works; the next start would not find it.
      return masterKey.load(id) !== undefined || `${masterKey.description} no longer holds it`;
    } catch (error) {
      // Then nothing is known about the key, and the database is what needs fixing.
      if (error instanceof DatabaseUnavailable) return true;
      const fault = error instanceof AppError ? error.cause : error;
      return fault instanceof StorageError ? fault.message : false;
    }
  };
  let forgetAddresses = async (): Promise<void> => {};
  return {
    async onServing(addresses) {
      forgetAddresses = await noteAddresses(database, addresses);
    },
    readiness: [
      { name: 'database', check: answers },
      { name: 'master key', check: hasKey },
      { name: 'home', check: async () => (await whyNotWritable(home)) ?? true },
      { name: 'disk', check: () => hasRoom(home) },
    ],
    async stop() {
      // A note that stays behind does no harm; a database that is away must not keep the server from stopping.
      await forgetAddresses().catch(() => {});
      await close();
    },
  };
}

async function hasRoom(home: string): Promise<boolean | string> {
  const free = await freeBytes(home);
  return free >= DISK_FREE_MIN_BYTES || `the disk is nearly full: ${Math.floor(free / 1024)} KiB are free`;
}

function logPart({ dropped }: ProcessLog): Part {
  const help = 'Log lines that could not be written';
  return {
    metrics: [{ name: 'voxgate_log_lines_dropped_total', type: 'counter', help, value: dropped }],
  };
}

function composeTransport(
  core: Core,
  parts: readonly Part[],
  overrides: AppOverrides & { reservedPort: ReservedPort | undefined },
  logCall: ProcessLog['logCall'] | undefined,
): TransportServer {
  const { config } = core;
  const observers = parts.flatMap((part) => part.onCall ?? []);
  const authenticate =
    overrides.authenticate ?? parts.find((part) => part.authenticate)?.authenticate ?? refuseEveryone;
  return createTransportServer(
    {
      http: config.http.address,
      reservedPort: overrides.reservedPort,
      grpc: config.grpc.address,
      trustedProxies: trustedProxiesOf(config.http.trustedProxies),
      packageRoots: packageRootsOf(config.compat.packageRoots),
      limits: config.limits,
      callsPerSecond: config.rateLimits.callsPerSecond,
      metrics: { listen: hostPortOf(config.metrics.listen), token: config.metrics.token },
      version: programVersion(),
      ...(config.tls.key === '' ? {} : { tls: config.tls }),
      clientCertificates: config.tls.clientCertificates,
      certificateHeader: config.tls.clientCertificateHeader,
      ...(config.publicUrl === '' ? {} : { publicUrl: config.publicUrl }),
      ...(config.grpc.publicAddress === '' ? {} : { grpcPublicAddress: config.grpc.publicAddress }),
    },
    {
      bindings: parts.flatMap((part) => part.bindings ?? []),
      routes: parts.flatMap((part) => part.routes ?? []),
      protocols: parts.flatMap((part) => part.protocols ?? []),
      drain: async () => {
        for (const part of parts) await part.drain?.();
      },
      readiness: parts.flatMap((part) => part.readiness ?? []),
      authenticate,
      once: parts.find((part) => part.once)?.once,
      shareCalls: parts.find((part) => part.shareCalls)?.shareCalls,
      onCall: (record) => {
        for (const observe of observers) observe(record);
      },
      log: core.log,
      ...(logCall ? { logCall } : {}),
      clock: core.clock,
      ids: core.ids,
    },
  );
}

const loopbackHosts = new Set(['127.0.0.1', '::1', 'localhost']);

/** Tokens, passwords and voices in the clear on a network: whoever runs it must be told. */
function warnOfPlainText({ config, log }: Core): void {
  if (config.tls.key !== '' || config.publicUrl.startsWith('https:')) return;
  const open = [config.http.address, config.grpc.address].filter(({ host }) => !loopbackHosts.has(host));
  if (open.length === 0) return;
  log.warn(
    { addresses: open.map(({ host, port }) => `${host}:${port}`) },
    'NOT ENCRYPTED: this server listens beyond this machine without TLS. Set tls.key and tls.cert, or put a proxy with TLS in front and set publicUrl to its https:// address',
  );
}

/** Without a token service nobody can prove who they are. */
const refuseEveryone: Authenticate = async () => {
  throw new AppError('UNAUTHENTICATED', 'this server has no token service');
};
