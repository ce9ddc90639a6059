// Settings: defaults that just work, then the file, then the environment, then flags. Read once at start,
// checked whole so that every fault is reported together, then frozen. The only reader of process.env.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isObject, messageOf } from './errors.js';
import { checkTogether } from './config/check-together.js';
import type { HostPort, Setting } from './config/kinds.js';
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

interface ConfigSources {
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

interface SettingDescription {
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
    ({ name, nearest }) => `${name} is not a setting${nearest === undefined ? '' : `; ${nearest} is one`}`,
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

function readFile(named: string | undefined, home: string, faults: string[]): Record<string, unknown> {
  const path = named ?? join(home, 'config.json');
  try {
    const parsed = JSON.parse(readFileSync(path, 'utf8')) as unknown;
    if (isObject(parsed)) return parsed;
    faults.push(`config: ${path} must contain a JSON object`);
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      if (named !== undefined) faults.push(`config: no such file: ${named}`);
    } else if (code === 'EACCES' || code === 'EPERM')
      faults.push(
        `config: ${path} cannot be read by the user who runs this: the file or a folder above it denies access`,
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
