// Where clients find this server. A running server notes it in the database, so that commands print addresses that work,
// whatever flags the server was started with.
import type { Config } from '../config.js';
import type { Database } from '../storage/database.js';
import { deleteSetting, readSetting, writeSetting } from '../storage/settings.js';

export interface PublicAddresses {
  /** Without a slash at the end. */
  httpUrl: string;
  /** host:port */
  grpcAddress: string;
}

const SETTING_NAME = 'served-at';
const everywhere = new Set(['0.0.0.0', '::']);

/** As configured, or else the address it listens on. */
export function publicUrlOf(config: Config): string {
  if (config.publicUrl !== '') return config.publicUrl.replace(/\/+$/, '');
  const { host, port } = config.http.address;
  return `${config.tls.key === '' ? 'http' : 'https'}://${nameOf(host)}:${port}`;
}

/** Whom tokens are from. */
export function issuerOf(config: Config, publicUrl = publicUrlOf(config)): string {
  return (config.tokens.issuer === '' ? publicUrl : config.tokens.issuer).replace(/\/+$/, '');
}

/** As configured; where it is not, a listener that is bound everywhere has the name of the public URL. */
export function publicGrpcAddressOf(config: Config): string {
  if (config.grpc.publicAddress !== '') return config.grpc.publicAddress;
  const { host, port } = config.grpc.address;
  const name = everywhere.has(host) ? new URL(publicUrlOf(config)).hostname : nameOf(host);
  return `${name}:${port}`;
}

function nameOf(host: string): string {
  if (everywhere.has(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

/** The addresses of a server that listens: a port 0 has become a real one. */
export function servedAt(config: Config, bound: PublicAddresses): PublicAddresses {
  const port = (text: string): string => /:(\d+)$/.exec(text)?.[1] ?? '';
  return {
    httpUrl: publicUrlOf(config).replace(/:0$/, `:${port(bound.httpUrl)}`),
    grpcAddress: publicGrpcAddressOf(config).replace(/:0$/, `:${port(bound.grpcAddress)}`),
  };
}

/** Notes them; what comes back takes the note away again, unless another node has written its own. */
export async function noteAddresses(
  database: Database,
  addresses: PublicAddresses,
): Promise<() => Promise<void>> {
  const note = JSON.stringify(addresses);
  await writeSetting(database, SETTING_NAME, note);
  return async () => {
    await deleteSetting(database, SETTING_NAME, note);
  };
}

/** Those of the running server, or else those that the configuration gives. */
export async function knownAddresses(database: Database, config: Config): Promise<PublicAddresses> {
  const noted = await readSetting(database, SETTING_NAME);
  const running = noted === undefined ? undefined : (JSON.parse(noted) as PublicAddresses);
  return {
    httpUrl: config.publicUrl === '' && running !== undefined ? running.httpUrl : publicUrlOf(config),
    grpcAddress:
      config.grpc.publicAddress === '' && running !== undefined
        ? running.grpcAddress
        : publicGrpcAddressOf(config),
  };
}
