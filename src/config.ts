// Settings: defaults that just work, then the file, then the environment, then flags. Read once at start,
// checked whole so that every fault is reported together, then frozen. The only reader of process.env.
import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { isObject, messageOf } from './errors.js';
import { parseAddress, type HostPort, type Setting } from './config/kinds.js';
import { settings, type Section, type Values } from './config/settings.js';
import { unknownVariables } from './config/unknown-variables.js';

export type Config = Values<typeof settings>;

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
  const config = readSection(settings, '', file, { env, flags, faults }) as Config;
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
  const config = readSection(settings, '', {}, { env: {}, flags, faults }) as Config;
  for (const name of Object.keys(overrides))
    if (!settingNames().includes(name)) faults.push(`${name}: no such setting`);
  if (faults.length > 0) throw new ConfigError(faults);
  return deepFreeze({ ...config, home: resolve(config.home) });
}

export interface SettingDescription {
  name: string;
  env: string;
  type: string;
  fallback: string;
  doc: string;
}

/** Every setting in words, for the help page and the reference. */
export function describeSettings(): SettingDescription[] {
  const rows: SettingDescription[] = [];
  walk(settings, '', (name, setting) => {
    const fallback = isHostPort(setting.fallback)
      ? `${setting.fallback.host}:${setting.fallback.port}`
      : isObject(setting.fallback)
        ? ''
        : String(setting.fallback);
    rows.push({ name, env: envName(name), type: setting.type, fallback, doc: setting.doc });
  });
  return rows;
}

/** What looks like a setting in the environment and is none, in words; for the log and for the doctor. */
export function unknownSettings(env: ConfigSources['env'] = process.env): string[] {
  const known = ['VOXGATE_CONFIG', ...settingNames().map(envName), ...earlierNames().map(envName)];
  return unknownVariables(env, known).map(
    ({ name, nearest }) => `${name} is no setting${nearest === undefined ? '' : `; ${nearest} is one`}`,
  );
}

function settingNames(): string[] {
  return describeSettings().map((row) => row.name);
}

function earlierNames(): string[] {
  const names: string[] = [];
  walk(settings, '', (name, { earlierName }) => {
    if (earlierName !== undefined) names.push(name.replace(/[^.]+$/, earlierName));
  });
  return names;
}

/** `limits.bodyBytes` -> `VOXGATE_LIMITS_BODY_BYTES`. */
export function envName(name: string): string {
  return `VOXGATE_${name
    .replaceAll('.', '_')
    .replace(/[A-Z]/g, (letter) => `_${letter}`)
    .toUpperCase()}`;
}

/** Where values come from besides the file, and where their faults go. */
interface Overrides {
  env: Readonly<Record<string, string | undefined>>;
  flags: Readonly<Record<string, string | undefined>>;
  faults: string[];
}

function readSection(
  section: Section,
  prefix: string,
  file: Record<string, unknown>,
  overrides: Overrides,
): Record<string, unknown> {
  const { faults } = overrides;
  const values: Record<string, unknown> = {};
  for (const [key, entry] of Object.entries(section)) {
    const name = prefix === '' ? key : `${prefix}.${key}`;
    if (!isSetting(entry)) {
      const inner = file[key];
      values[key] = readSection(entry, name, isObject(inner) ? inner : {}, overrides);
      continue;
    }
    const given = givenValue(key, entry, prefix, file, overrides);
    try {
      values[key] = given === undefined ? entry.fallback : entry.read(given.raw);
    } catch (thrown) {
      values[key] = entry.fallback;
      faults.push(`${name} (${given?.source}): ${messageOf(thrown)}`);
    }
  }
  return values;
}

/** From the first place that has the setting, under its present name or an earlier one. */
function givenValue(
  key: string,
  { earlierName }: Setting<unknown>,
  prefix: string,
  file: Record<string, unknown>,
  { env, flags }: Overrides,
): { raw: unknown; source: string } | undefined {
  const keys = [key, ...(earlierName === undefined ? [] : [earlierName])];
  const names = keys.map((each) => (prefix === '' ? each : `${prefix}.${each}`));
  const places = [
    ...names.map((name) => ({ raw: flags[name], source: 'flag' })),
    ...names.map(envName).map((name) => ({ raw: env[name], source: name })),
    ...keys.map((each) => ({ raw: file[each], source: 'file' })),
  ];
  return places.find(({ raw }) => raw !== undefined);
}

/** Plain http only to this machine: a token goes with it. */
const siemUrlPattern =
  /^(?:(?:https|syslog\+tls|syslog\+tcp):\/\/[^\s/?#@]+|http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?)(?:[/?]\S*)?$/;

function checkTogether(config: Config, faults: string[]): void {
  if ((config.tls.key === '') !== (config.tls.cert === ''))
    faults.push('tls: key and cert must be given together');
  for (const name of ['key', 'cert', 'clientAuthorities'] as const) {
    const path = config.tls[name];
    if (path !== '' && !existsSync(path)) faults.push(`tls.${name}: no such file: ${path}`);
  }
  if (config.database !== '' && !/^(postgres|postgresql|sqlite|file):/.test(config.database)) {
    faults.push('database: must be a postgres:// URL or empty');
  }
  if (config.publicUrl !== '' && !/^https?:\/\/[^\s/]+/.test(config.publicUrl))
    faults.push('publicUrl: must start with http:// or https://');
  else if (config.publicUrl !== '' && !/^https?:\/\/[^\s/?#@]+\/?$/.test(config.publicUrl))
    faults.push(
      'publicUrl: must be a host and an optional port; a path, a query or credentials are not supported',
    );
  checkMedia(config.media, faults);
  checkBudget(config.limits, faults);
  if (config.metrics.listen !== '' && !hostPortOf(config.metrics.listen))
    faults.push('metrics.listen: must be HOST:PORT');
  if (config.live.audiosocket !== '' && !hostPortOf(config.live.audiosocket))
    faults.push('live.audiosocket: must be HOST:PORT');
  if (config.siem.url !== '' && !siemUrlPattern.test(config.siem.url))
    faults.push('siem.url: must start with https://, syslog+tls:// or syslog+tcp://, without credentials');
  if (config.siem.authorities !== '' && !existsSync(config.siem.authorities))
    faults.push(`siem.authorities: no such file: ${config.siem.authorities}`);
  for (const network of listed(config.webhooks.privateNetworks))
    if (!isNetwork(network))
      faults.push(`webhooks.privateNetworks: ${network} is neither an address nor a network`);
  checkNodes(config, faults);
  checkSignIn(config, faults);
  checkMutualTls(config, faults);
  checkPackageRoots(config.compat.packageRoots, faults);
  const { http, grpc } = config;
  const proxies = trustedProxiesOf(http.trustedProxies);
  for (const proxy of Array.isArray(proxies) ? proxies : [])
    if (!isNetwork(proxy)) faults.push(`http.trustedProxies: ${proxy} is neither an address nor a network`);
  if (grpc.publicAddress !== '' && !/^[^\s/:]+:\d{1,5}$|^\[[0-9a-fA-F:]+\]:\d{1,5}$/.test(grpc.publicAddress))
    faults.push('grpc.publicAddress: must be HOST:PORT');
  if (
    http.address.port !== 0 &&
    http.address.port === grpc.address.port &&
    http.address.host === grpc.address.host
  ) {
    faults.push('grpc.address: must differ from http.address');
  }
}

function checkNodes({ nodes, database }: Config, faults: string[]): void {
  if (nodes.listen !== '' && !hostPortOf(nodes.listen)) faults.push('nodes.listen: must be HOST:PORT');
  if (nodes.address !== '' && !nodeAddressOf(nodes.address))
    faults.push('nodes.address: must be HOST:PORT or an IP address');
  if (nodes.listen === '') return;
  if (!/^postgres/.test(database))
    faults.push('nodes.listen: needs a PostgreSQL database, which nodes share');
}

/** The names that every S3 store takes. */
const mediaStorePattern = /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[A-Za-z0-9._/-]*)?$/;

function checkMedia({ store, s3 }: Config['media'], faults: string[]): void {
  if (store !== '' && !mediaStorePattern.test(store))
    faults.push('media.store: must be s3://BUCKET or s3://BUCKET/PREFIX');
  if (s3.endpoint !== '' && !/^https?:\/\/[^\s/?#@]+\/?$/.test(s3.endpoint))
    faults.push('media.s3.endpoint: must be http:// or https:// with a host and an optional port');
  if ((s3.accessKeyId === '') !== (s3.secretAccessKey === ''))
    faults.push('media.s3: accessKeyId and secretAccessKey must be given together');
}

const groupRulePattern =
  /^[^,]+=(?:administrator|auditor|member|[^:,\s]+:(?:owner|developer|operator|fraud-analyst|auditor))$/;

const roles = new Set(['administrator', 'auditor', 'member']);

function checkSignIn(
  { signIn: { localAccounts, secondFactorRoles, provider } }: Config,
  faults: string[],
): void {
  for (const role of listed(secondFactorRoles))
    if (!roles.has(role))
      faults.push(`signIn.secondFactorRoles: ${role} must be administrator, auditor or member`);
  const { issuer, clientId, groups, scopes } = provider;
  if (issuer === '') {
    if (!localAccounts)
      faults.push('signIn.localAccounts: must be true while there is no signIn.provider.issuer');
    return;
  }
  if (!/^https:\/\/[^\s?#@]+$|^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?(\/\S*)?$/.test(issuer))
    faults.push('signIn.provider.issuer: must start with https://');
  if (clientId === '') faults.push('signIn.provider.clientId: is needed with an issuer');
  if (!scopes.split(' ').includes('openid')) faults.push('signIn.provider.scopes: must contain openid');
  for (const rule of groups.split(',').map((each) => each.trim()))
    if (rule !== '' && !groupRulePattern.test(rule))
      faults.push(`signIn.provider.groups: ${rule} must be GROUP=ROLE or GROUP=GK_SCOPE_ID:ROLE`);
}

function checkMutualTls({ tls, http }: Config, faults: string[]): void {
  if (tls.clientCertificates && tls.key === '')
    faults.push('tls.clientCertificates: needs tls.key and tls.cert');
  if (tls.clientCertificateHeader !== '' && http.trustedProxies === '')
    faults.push('tls.clientCertificateHeader: needs http.trustedProxies');
  if (tls.clientCertificateHeader !== '' && !/^[A-Za-z0-9-]+$/.test(tls.clientCertificateHeader))
    faults.push('tls.clientCertificateHeader: must be the name of a header');
}

/** As the HTTP server takes them: a number of hops, a list, or none at all. */
export function trustedProxiesOf(text: string): number | string[] | false {
  if (/^\d{1,2}$/.test(text.trim())) return Number(text);
  const list = listed(text);
  return list.length === 0 ? false : list;
}

export function packageRootsOf(text: string): string[] {
  return [...new Set(listed(text))];
}

/** What stands between the commas. */
export function listed(text: string): string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

/** Names of packages that are there already, and what no package is called. */
const reservedRoots = new Set(['vendor', 'voxgate', 'google', 'grpc', 'v1']);
const rootPattern = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/;

function checkPackageRoots(text: string, faults: string[]): void {
  for (const root of packageRootsOf(text)) {
    if (!rootPattern.test(root))
      faults.push(`compat.packageRoots: "${root}" is not the name of a package, such as acme or acme.voice`);
    else if (reservedRoots.has(root.split('.')[0] ?? ''))
      faults.push(`compat.packageRoots: ${root} is taken`);
  }
}

function isNetwork(text: string): boolean {
  const [address = '', bits] = text.split('/');
  const family = isIP(address);
  return (
    family !== 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)))
  );
}

/** Undefined for what is no HOST:PORT. */
export function hostPortOf(text: string): HostPort | undefined {
  try {
    return parseAddress(text);
  } catch {
    return undefined;
  }
}

/** As above, or an address alone, with port 0: where Kubernetes tells a pod its address, it may be of IPv6. */
export function nodeAddressOf(text: string): HostPort | undefined {
  return isIP(text) ? { host: text, port: 0 } : hostPortOf(text);
}

/** A message that may be sent but never fits is a trap for whoever sends it. */
function checkBudget(limits: Config['limits'], faults: string[]): void {
  const largest = Math.max(limits.messageBytes, limits.bodyBytes);
  for (const name of ['bytesInFlight', 'bytesInFlightPerClient', 'bytesInFlightPerConnection'] as const) {
    if (limits[name] < largest)
      faults.push(`limits.${name}: must hold the largest request, ${largest} bytes, at least once`);
  }
}

function readFile(named: string | undefined, home: string, faults: string[]): Record<string, unknown> {
  const path = named ?? join(home, 'config.json');
  try {
    const parsed = JSON.parse(readFileSync(path, 'utf8')) as unknown;
    if (isObject(parsed)) return parsed;
    faults.push(`config: ${path} must hold a JSON object`);
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      if (named !== undefined) faults.push(`config: no such file: ${named}`);
    } else if (code === 'EACCES' || code === 'EPERM')
      faults.push(
        `config: ${path} may not be read by the user that runs this: the file or a folder above it is closed to them`,
      );
    else faults.push(`config: cannot read ${path}: ${messageOf(thrown)}`);
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
    if (entry === undefined && isEarlierName(section, key)) continue;
    if (entry === undefined) faults.push(`${name} (file): no such setting`);
    else if (!isSetting(entry)) {
      if (isObject(value)) reportUnknown(value, entry, name, faults);
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

function isEarlierName(section: Section, key: string): boolean {
  return Object.values(section).some((entry) => isSetting(entry) && entry.earlierName === key);
}

function isSetting(entry: Setting<unknown> | Section): entry is Setting<unknown> {
  return typeof (entry as Setting<unknown>).read === 'function';
}

function isHostPort(value: unknown): value is HostPort {
  return isObject(value) && 'port' in value;
}

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value))
    if (typeof inner === 'object' && inner !== null) deepFreeze(inner);
  return Object.freeze(value);
}
