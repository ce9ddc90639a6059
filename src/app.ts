// Composition root: the only file that knows everything. Each capability is a part, made by one small
// compose function below; parts are made in order, stopped in reverse order.
import type { FastifyInstance } from 'fastify';
import type { Config } from './config.js';
import { AppError } from './errors.js';
import { createLog } from './log.js';
import { systemClock, systemIds, type Clock, type Ids, type Log } from './platform.js';
import type { ReadinessCheck } from './transport/routes/operations.js';
import { createTransportServer, type Addresses, type TransportServer } from './transport/server.js';
import type { Authenticate, ServiceBinding } from './transport/service.js';
import { programVersion } from './version.js';

export interface App {
  start(): Promise<Addresses>;
  stop(): Promise<void>;
}

/** What tests and embedding programs may replace or add. */
export interface AppOverrides {
  clock?: Clock;
  ids?: Ids;
  log?: Log;
  authenticate?: Authenticate;
  parts?: readonly Part[];
}

/** What one capability contributes to the server. */
export interface Part {
  bindings?: readonly ServiceBinding[];
  routes?: readonly ((http: FastifyInstance) => void)[];
  readiness?: readonly ReadinessCheck[];
  authenticate?: Authenticate;
  stop?: () => Promise<void>;
}

/** What every part is given. */
interface Core {
  config: Config;
  clock: Clock;
  ids: Ids;
  log: Log;
}

export function createApp(config: Config, overrides: AppOverrides = {}): App {
  const processLog = overrides.log ? undefined : createLog(config.log);
  const core: Core = {
    config,
    clock: overrides.clock ?? systemClock,
    ids: overrides.ids ?? systemIds,
    log: overrides.log ?? (processLog?.log as Log),
  };
  const parts: Part[] = [];
  let server: TransportServer | undefined;

  const stop = async (): Promise<void> => {
    await server?.stop();
    for (const part of parts.splice(0).reverse()) await part.stop?.();
    core.log.info({}, 'stopped');
    processLog?.flush();
  };

  return {
    async start() {
      try {
        await composeParts(core, parts, overrides);
        server = composeTransport(core, parts, overrides);
        const addresses = await server.start();
        core.log.info({ ...addresses, version: programVersion() }, 'serving');
        return addresses;
      } catch (thrown) {
        await stop();
        throw thrown;
      }
    },
    stop,
  };
}

/** Adds the parts in order; a part that cannot be made stops the start. */
async function composeParts(core: Core, parts: Part[], overrides: AppOverrides): Promise<void> {
  void core;
  parts.push(...(overrides.parts ?? []));
}

function composeTransport(core: Core, parts: readonly Part[], overrides: AppOverrides): TransportServer {
  const { config } = core;
  const authenticate = overrides.authenticate ?? parts.find((part) => part.authenticate)?.authenticate ?? refuseEveryone;
  return createTransportServer(
    {
      http: config.http.address,
      grpc: config.grpc.address,
      trustProxy: config.http.trustProxy,
      limits: config.limits,
      version: programVersion(),
      ...(config.tls.key === '' ? {} : { tls: config.tls }),
      ...(config.publicUrl === '' ? {} : { publicUrl: config.publicUrl }),
    },
    {
      bindings: parts.flatMap((part) => part.bindings ?? []),
      routes: parts.flatMap((part) => part.routes ?? []),
      readiness: parts.flatMap((part) => part.readiness ?? []),
      authenticate,
      log: core.log,
      clock: core.clock,
      ids: core.ids,
    },
  );
}

/** Without a token service nobody can prove who they are. */
const refuseEveryone: Authenticate = async () => {
  throw new AppError('UNAUTHENTICATED', 'this server has no token service');
};
