// Settings: defaults that just work, then the file, then the environment, then flags. Read once at start,
// checked whole so that every fault is reported together, then frozen. The only reader of process.env.
import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';

/** One setting: how its text or JSON value is read, and what it means. A thrown string is the fault. */
interface Setting<T> {
  fallback: T;
  read(raw: unknown): T;
  doc: string;
  /** Never printed. */
  secret?: boolean;
}

type Section = { readonly [name: string]: Setting<unknown> | Section };
type Values<S> = {
  readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : S[K] extends Section ? Values<S[K]> : never;
};

const KIB = 1024;
const MIB = 1024 * KIB;

const settings = {
  home: text('./var', 'directory that holds all state'),
  database: text('', 'postgres://... URL; empty: SQLite file in the home directory'),
  publicUrl: text('', 'address that clients use to reach the HTTP port; empty: the bound address'),
  http: {
    address: address('127.0.0.1:8080', 'HOST:PORT of the HTTP listener'),
    trustProxy: flag(false, 'believe X-Forwarded-* headers: only behind a proxy that sets them'),
  },
  grpc: {
    address: address('127.0.0.1:8081', 'HOST:PORT of the gRPC listener'),
  },
  tls: {
    key: text('', 'PEM file with the private key; used by both listeners'),
    cert: text('', 'PEM file with the certificate chain'),
  },
  limits: {
    bodyBytes: integer(4 * MIB, 1 * KIB, 256 * MIB, 'largest JSON body of an operation'),
    headerBytes: integer(16 * KIB, 4 * KIB, 256 * KIB, 'largest header block of a request'),
    messageBytes: integer(16 * MIB, 1 * KIB, 256 * MIB, 'largest gRPC message'),
    mediaBytes: integer(50 * MIB, 1 * KIB, 1024 * MIB, 'largest media upload'),
    concurrentCalls: integer(256, 1, 100_000, 'calls served at once; more are answered BUSY'),
    callTimeoutMs: integer(60_000, 100, 3_600_000, 'longest time one call may take'),
    listLength: integer(10_000, 1, 1_000_000, 'longest list in a request'),
    jsonDepth: integer(64, 8, 1000, 'deepest nesting of a JSON body'),
    shutdownMs: integer(10_000, 0, 600_000, 'time that calls in flight get to finish at shutdown'),
  },
  log: {
    level: choice(
      ['debug', 'info', 'warn', 'error', 'silent'] as const,
      'info',
      'least severe line that is written',
    ),
    pretty: flag(false, 'indent log lines for people instead of one JSON object per line'),
  },
  tokens: {
    accessTokenSeconds: integer(900, 60, 86_400, 'lifetime of an access token of the runtime services'),
    engagementTokenSeconds: integer(3600, 60, 86_400, 'lifetime of an access token of the engagement API'),
    refreshTokenSeconds: integer(
      30 * 86_400,
      600,
      366 * 86_400,
      'time after which a user must sign in again',
    ),
    keyMaxAgeDays: integer(90, 0, 3650, 'age at which a signing key is replaced; 0: never by itself'),
    algorithm: choice(['ES256', 'EdDSA'] as const, 'ES256', 'signature algorithm of new signing keys'),
    issuer: text('', 'issuer named in tokens; empty: the public URL'),
  },
  rateLimits: {
    tokenRequestsPerMinute: integer(600, 1, 1_000_000, 'token requests per client and minute'),
    tokenRequestsPerAddressPerMinute: integer(600, 1, 1_000_000, 'token requests per address and minute'),
    callsPerSecond: integer(0, 0, 1_000_000, 'operations per client and second; 0: no limit'),
    failedLoginsPerMinute: integer(20, 1, 100_000, 'failed authentications per address and minute'),
    failedLoginsBeforeLock: integer(10, 3, 1000, 'wrong passwords in a row that lock an account for a while'),
    loginLockMinutes: integer(15, 1, 10_080, 'how long such a lock lasts'),
  },
  endpoints: {
    asr: text('', 'host:port of the recognition service, for config.json; empty: this server'),
    nlu: text('', 'host:port of the interpretation service'),
    tts: text('', 'host:port of the synthesis service'),
    dlg: text('', 'host:port of the dialog service'),
  },
  engine: {
    workers: integer(0, 0, 256, 'inference worker threads; 0: one per core, at most 4'),
    queueLength: integer(64, 1, 10_000, 'audio jobs that may wait for a worker'),
    idleSeconds: integer(
      0,
      0,
      86_400,
      'seconds without audio after which an inference worker ends; 0: never',
    ),
    modelsDir: text('', 'directory of voice models; empty: the one shipped with the program'),
  },
  sealing: {
    masterKey: secret(
      '',
      'base64 master key (32 bytes) for encryption at rest; empty: a key file in the home directory',
    ),
  },
  retention: {
    mediaDays: integer(90, 1, 36_500, 'days that uploaded media is kept'),
    sessionDays: integer(365, 8, 36_500, 'days that sessions and engagements are kept after their last use'),
    auditDays: integer(730, 1, 36_500, 'days that audit records are kept'),
    eventDays: integer(30, 1, 3650, 'days that runtime events are kept'),
    eventsMax: integer(1_000_000, 1000, 1_000_000_000, 'most runtime events that are kept'),
    scopeDeletionDays: integer(30, 0, 3650, 'days until a scope marked for deletion is removed'),
  },
} satisfies Section;

export type Config = Values<typeof settings>;

export interface HostPort {
  host: string;
  port: number;
}

/** Every fault of the configuration at once; each line starts with the name of the setting. */
export class ConfigError extends Error {
  readonly faults: readonly string[];
  override readonly name = 'ConfigError';
  constructor(faults: readonly string[]) {
    super(`configuration: ${faults.length} fault(s)\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

export interface ConfigSources {
  /** Dotted setting names, as given by command-line flags; undefined entries are absent flags. */
  flags?: Readonly<Record<string, string | undefined>>;
  env?: Readonly<Record<string, string | undefined>>;
  /** A configuration file that must exist; otherwise `<home>/config.json` is read when it is there. */
  file?: string | undefined;
}

export function loadConfig(sources: ConfigSources = {}): Config {
  const env = sources.env ?? process.env;
  const flags = sources.flags ?? {};
  const faults: string[] = [];
  const home = flags['home'] ?? env['VOXGATE_HOME'] ?? settings.home.fallback;
  const file = readFile(sources.file ?? env['VOXGATE_CONFIG'], home, faults);
  reportUnknown(file, settings, '', faults);
  const config = readSection(settings, '', file, env, flags, faults) as Config;
  checkTogether(config, faults);
  if (faults.length > 0) throw new ConfigError(faults);
  return deepFreeze({ ...config, home: resolve(config.home) });
}

/** The defaults with some values replaced: for tests and tools that embed the server. */
export function configWith(overrides: Readonly<Record<string, unknown>>): Config {
  const faults: string[] = [];
  const flags = Object.fromEntries(
    Object.entries(overrides).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
  const config = readSection(settings, '', {}, {}, flags, faults) as Config;
  for (const name of Object.keys(overrides))
    if (!settingNames().includes(name)) faults.push(`${name}: no such setting`);
  if (faults.length > 0) throw new ConfigError(faults);
  return deepFreeze({ ...config, home: resolve(config.home) });
}

/** Name, environment variable, default and meaning of every setting, for the help page. */
export function describeSettings(): { name: string; env: string; fallback: string; doc: string }[] {
  const rows: { name: string; env: string; fallback: string; doc: string }[] = [];
  walk(settings, '', (name, setting) => {
    const fallback = isHostPort(setting.fallback)
      ? `${setting.fallback.host}:${setting.fallback.port}`
      : String(setting.fallback);
    rows.push({ name, env: envName(name), fallback, doc: setting.doc });
  });
  return rows;
}

function settingNames(): string[] {
  return describeSettings().map((row) => row.name);
}

/** `limits.bodyBytes` -> `VOXGATE_LIMITS_BODY_BYTES`. */
export function envName(name: string): string {
  return `VOXGATE_${name
    .replaceAll('.', '_')
    .replace(/[A-Z]/g, (letter) => `_${letter}`)
    .toUpperCase()}`;
}

function readSection(
  section: Section,
  prefix: string,
  file: Record<string, unknown>,
  env: Readonly<Record<string, string | undefined>>,
  flags: Readonly<Record<string, string | undefined>>,
  faults: string[],
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [key, entry] of Object.entries(section)) {
    const name = prefix === '' ? key : `${prefix}.${key}`;
    if (!isSetting(entry)) {
      const inner = file[key];
      values[key] = readSection(entry, name, isRecord(inner) ? inner : {}, env, flags, faults);
      continue;
    }
    const raw = flags[name] ?? env[envName(name)] ?? file[key];
    try {
      values[key] = raw === undefined ? entry.fallback : entry.read(raw);
    } catch (thrown) {
      values[key] = entry.fallback;
      const source =
        flags[name] !== undefined ? 'flag' : env[envName(name)] !== undefined ? envName(name) : 'file';
      faults.push(`${name} (${source}): ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    }
  }
  return values;
}

function checkTogether(config: Config, faults: string[]): void {
  if ((config.tls.key === '') !== (config.tls.cert === ''))
    faults.push('tls: key and cert must be given together');
  for (const [name, path] of Object.entries(config.tls)) {
    if (path !== '' && !existsSync(path)) faults.push(`tls.${name}: no such file: ${path}`);
  }
  if (config.database !== '' && !/^(postgres|postgresql|sqlite|file):/.test(config.database)) {
    faults.push('database: must be a postgres:// URL or empty');
  }
  if (config.publicUrl !== '' && !/^https?:\/\/[^\s/]+/.test(config.publicUrl))
    faults.push('publicUrl: must start with http:// or https://');
  const { http, grpc } = config;
  if (
    http.address.port !== 0 &&
    http.address.port === grpc.address.port &&
    http.address.host === grpc.address.host
  ) {
    faults.push('grpc.address: must differ from http.address');
  }
}

function readFile(named: string | undefined, home: string, faults: string[]): Record<string, unknown> {
  const path = named ?? join(home, 'config.json');
  if (!existsSync(path)) {
    if (named !== undefined) faults.push(`config: no such file: ${named}`);
    return {};
  }
  try {
    const parsed = JSON.parse(readFileSync(path, 'utf8')) as unknown;
    if (isRecord(parsed)) return parsed;
    faults.push(`config: ${path} must hold a JSON object`);
  } catch (thrown) {
    faults.push(`config: cannot read ${path}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
  return {};
}

function reportUnknown(
  file: Record<string, unknown>,
  section: Section,
  prefix: string,
  faults: string[],
): void {
  for (const [key, value] of Object.entries(file)) {
    const name = prefix === '' ? key : `${prefix}.${key}`;
    const entry = Object.hasOwn(section, key) ? section[key] : undefined;
    if (entry === undefined) faults.push(`${name} (file): no such setting`);
    else if (!isSetting(entry)) {
      if (isRecord(value)) reportUnknown(value, entry, name, faults);
      else faults.push(`${name} (file): must be an object`);
    }
  }
}

function walk(
  section: Section,
  prefix: string,
  visit: (name: string, setting: Setting<unknown>) => void,
): void {
  for (const [key, entry] of Object.entries(section)) {
    const name = prefix === '' ? key : `${prefix}.${key}`;
    if (isSetting(entry)) visit(name, entry);
    else walk(entry, name, visit);
  }
}

function isSetting(entry: Setting<unknown> | Section): entry is Setting<unknown> {
  return typeof (entry as Setting<unknown>).read === 'function';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isHostPort(value: unknown): value is HostPort {
  return isRecord(value) && 'port' in value;
}

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value))
    if (typeof inner === 'object' && inner !== null) deepFreeze(inner);
  return Object.freeze(value);
}

function text(fallback: string, doc: string): Setting<string> {
  return {
    fallback,
    doc,
    read: (raw) => {
      if (typeof raw !== 'string') throw new Error('must be text');
      return raw;
    },
  };
}

function secret(fallback: string, doc: string): Setting<string> {
  return { ...text(fallback, doc), secret: true };
}

function integer(fallback: number, least: number, most: number, doc: string): Setting<number> {
  return {
    fallback,
    doc,
    read: (raw) => {
      const value = typeof raw === 'string' && /^-?\d+$/.test(raw) ? Number(raw) : raw;
      if (typeof value !== 'number' || !Number.isInteger(value)) throw new Error('must be a whole number');
      if (value < least || value > most) throw new Error(`must be from ${least} to ${most}`);
      return value;
    },
  };
}

function flag(fallback: boolean, doc: string): Setting<boolean> {
  return {
    fallback,
    doc,
    read: (raw) => {
      if (raw === true || raw === 'true' || raw === '1') return true;
      if (raw === false || raw === 'false' || raw === '0') return false;
      throw new Error('must be true or false');
    },
  };
}

function choice<const T extends string>(
  options: readonly T[],
  fallback: NoInfer<T>,
  doc: string,
): Setting<T> {
  return {
    fallback,
    doc: `${doc} (${options.join(', ')})`,
    read: (raw) => {
      const found = options.find((option) => option === raw);
      if (found === undefined) throw new Error(`must be one of ${options.join(', ')}`);
      return found;
    },
  };
}

function address(fallback: string, doc: string): Setting<HostPort> {
  return { fallback: parseAddress(fallback), doc, read: parseAddress };
}

function parseAddress(raw: unknown): HostPort {
  const match = typeof raw === 'string' ? /^(?:\[([0-9a-fA-F:]+)\]|([^:[\]\s]+)):(\d{1,5})$/.exec(raw) : null;
  const port = Number(match?.[3]);
  if (!match || port > 65_535) throw new Error('must be HOST:PORT');
  return { host: (match[1] ?? match[2]) as string, port };
}

/** Paths in the home directory, wherever it is. */
export function inHome(config: Config, ...parts: string[]): string {
  const path = join(...parts);
  return isAbsolute(path) ? path : join(config.home, path);
}
