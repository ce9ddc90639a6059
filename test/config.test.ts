import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  ConfigError,
  configWith,
  describeSettings,
  envName,
  loadConfig,
  unknownSettings,
} from '../src/config.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'voxgate-config-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const faultsOf = (load: () => unknown): readonly string[] => {
  try {
    load();
  } catch (thrown) {
    if (thrown instanceof ConfigError) return thrown.faults;
    throw thrown;
  }
  return [];
};

describe('configuration', () => {
  it('has defaults that need nothing', () => {
    const config = loadConfig({ env: {}, flags: { home } });
    expect(config.http.address).toEqual({ host: '127.0.0.1', port: 8080 });
    expect(config.grpc.address).toEqual({ host: '127.0.0.1', port: 8081 });
    expect(config.home).toBe(home);
    expect(config.database).toBe('');
  });

  it('lets the environment win over the file, and flags over both', () => {
    writeFileSync(
      join(home, 'config.json'),
      JSON.stringify({ limits: { bodyBytes: 2000, listLength: 7, jsonDepth: 20 } }),
    );
    const config = loadConfig({
      env: { VOXGATE_LIMITS_LIST_LENGTH: '8', VOXGATE_LIMITS_JSON_DEPTH: '30' },
      flags: { home, 'limits.jsonDepth': '40' },
    });
    expect(config.limits).toMatchObject({ bodyBytes: 2000, listLength: 8, jsonDepth: 40 });
  });

  it('reads the file that the home of the environment holds, or one named by a flag', () => {
    writeFileSync(join(home, 'config.json'), JSON.stringify({ log: { level: 'warn' } }));
    expect(loadConfig({ env: { VOXGATE_HOME: home } }).log.level).toBe('warn');
    const other = join(home, 'other.json');
    writeFileSync(other, JSON.stringify({ log: { level: 'error' } }));
    expect(loadConfig({ env: { VOXGATE_HOME: home }, file: other }).log.level).toBe('error');
  });

  it('tells a file that may not be read from one that is not there', () => {
    const file = join(home, 'config.json');
    writeFileSync(file, '{}');
    const load = () => faultsOf(() => loadConfig({ env: { VOXGATE_CONFIG: file } }));
    expect(load()).toEqual([]);
    chmodSync(home, 0o700);
    chmodSync(file, 0);
    // Root may read everything; somebody else has to look.
    const { seteuid } = process;
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) seteuid?.call(process, 65_534);
    try {
      expect(load()).toEqual([
        `config: ${file} cannot be read by the user who runs this: the file or a folder above it denies access`,
      ]);
    } finally {
      if (isRoot) seteuid?.call(process, 0);
    }
  });

  it('reports every fault at once, each with the name of its setting', () => {
    writeFileSync(
      join(home, 'config.json'),
      JSON.stringify({ limits: { bodyBytes: 'big', nope: 1 }, colour: 'red', tls: 5 }),
    );
    const faults = faultsOf(() =>
      loadConfig({
        env: { VOXGATE_LOG_LEVEL: 'loud', VOXGATE_TLS_KEY: '/no/such/key.pem' },
        flags: { home, 'http.address': 'nowhere', database: 'mysql://x' },
      }),
    );
    for (const name of [
      'limits.bodyBytes (file)',
      'limits.nope (file)',
      'colour (file)',
      'tls (file)',
      'log.level (VOXGATE_LOG_LEVEL)',
      'http.address (flag)',
      'tls: key and cert',
      'tls.key: no such file',
      'database:',
    ]) {
      expect(
        faults.filter((fault) => fault.startsWith(name)),
        name,
      ).toHaveLength(1);
    }
    expect(faults).toHaveLength(9);
  });

  it.each([
    ['not JSON', '{'],
    ['not an object', '[]'],
  ])('reports a file that is %s', (_name, text) => {
    writeFileSync(join(home, 'config.json'), text);
    expect(faultsOf(() => loadConfig({ env: {}, flags: { home } }))[0]).toMatch(/^config: /);
  });

  it('reports a named file that is missing', () => {
    expect(faultsOf(() => loadConfig({ env: {}, flags: { home }, file: join(home, 'gone.json') }))).toEqual([
      `config: no such file: ${join(home, 'gone.json')}`,
    ]);
  });

  it('refuses numbers out of range and the same address twice', () => {
    expect(faultsOf(() => loadConfig({ env: {}, flags: { home, 'limits.listLength': '0' } }))[0]).toMatch(
      /^limits.listLength \(flag\): must be from 1/,
    );
    expect(
      faultsOf(() => loadConfig({ env: {}, flags: { home, 'grpc.address': '127.0.0.1:8080' } })),
    ).toEqual(['grpc.address: must differ from http.address']);
  });

  const earlier = { live: { audiohook: { scope: 'gk-file' } }, retention: { scopeDeletionDays: 3 } };
  const present = { live: { audiohook: { tenant: 'gk-now' } }, retention: { tenantDeletionDays: 4 } };
  const variables = {
    VOXGATE_LIVE_AUDIOHOOK_SCOPE: 'gk-env',
    VOXGATE_RETENTION_SCOPE_DELETION_DAYS: '5',
  };
  it.each<[name: string, file: object, env: Record<string, string>, tenant: string, days: number]>([
    ['in the file', earlier, {}, 'gk-file', 3],
    ['in the environment', {}, variables, 'gk-env', 5],
    ['in the environment, with the present ones in the file', present, variables, 'gk-env', 5],
    [
      'beside the present ones, which count',
      {
        live: { audiohook: { scope: 'x', tenant: 'gk-now' } },
        retention: { ...earlier.retention, ...present.retention },
      },
      {},
      'gk-now',
      4,
    ],
  ])('still reads settings under their earlier names %s', (_name, file, env, tenant, days) => {
    writeFileSync(join(home, 'config.json'), JSON.stringify(file));
    const { live, retention } = loadConfig({ env, flags: { home } });
    expect([live.audiohook.tenant, retention.tenantDeletionDays]).toEqual([tenant, days]);
    expect(unknownSettings(env)).toEqual([]);
  });

  it('names the variable with the earlier name when its value is wrong', () => {
    const env = { VOXGATE_RETENTION_SCOPE_DELETION_DAYS: 'soon' };
    expect(faultsOf(() => loadConfig({ env, flags: { home } }))).toEqual([
      'retention.tenantDeletionDays (VOXGATE_RETENTION_SCOPE_DELETION_DAYS): must be a whole number',
    ]);
  });

  it('is frozen all the way down', () => {
    const config = loadConfig({ env: {}, flags: { home } });
    expect(() => Object.assign(config.limits, { bodyBytes: 1 })).toThrow(TypeError);
    expect(() => Object.assign(config.http.address, { port: 1 })).toThrow(TypeError);
  });

  it('understands IPv6 addresses', () => {
    expect(configWith({ 'http.address': '[::1]:0' }).http.address).toEqual({ host: '::1', port: 0 });
  });

  it('refuses an override that names no setting', () => {
    expect(faultsOf(() => configWith({ 'limits.nope': 1 }))).toEqual(['limits.nope: no such setting']);
  });

  it('describes every setting with a variable of its own', () => {
    const rows = describeSettings();
    expect(new Set(rows.map((row) => row.env)).size).toBe(rows.length);
    expect(rows.every((row) => row.doc.length > 10)).toBe(true);
    expect(envName('limits.bodyBytes')).toBe('VOXGATE_LIMITS_BODY_BYTES');
  });
});

describe('variables that are no settings', () => {
  it.each([
    ['VOXGATE_HTTP_ADRESS', 'VOXGATE_HTTP_ADRESS is not a setting; VOXGATE_HTTP_ADDRESS is one'],
    [
      'VOXGATE_LIMITS_BODYBYTES',
      'VOXGATE_LIMITS_BODYBYTES is not a setting; VOXGATE_LIMITS_BODY_BYTES is one',
    ],
    ['VOXGATE_WHATEVER_THIS_IS', 'VOXGATE_WHATEVER_THIS_IS is not a setting'],
  ])('are told of with the nearest name: %s', (name, told) => {
    expect(unknownSettings({ [name]: 'x', VOXGATE_HOME: '/tmp', VOXGATE_CONFIG: 'c', PATH: '/bin' })).toEqual(
      [told],
    );
  });

  it.each([
    'VOXGATE_SERVICE_HOST',
    'VOXGATE_SERVICE_PORT_HTTP',
    'VOXGATE_PORT',
    'VOXGATE_PORT_8080_TCP',
    'VOXGATE_PORT_8080_TCP_ADDR',
    'VOXGATE_METRICS_SERVICE_HOST',
    'VOXGATE_METRICS_PORT_9090_TCP_PROTO',
    'VOXGATE_TEST_CHROMIUM',
  ])('are left alone where orchestrators and tests put them: %s', (name) => {
    expect(unknownSettings({ [name]: 'x' })).toEqual([]);
  });
});
