// Every setting does something: each has a test that proves it (proofs.ts), and those that are proved nowhere else are
// proved here.
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keepSigningKeysFresh } from '../../src/auth/tokens/rotate-signing-key.js';
import { authSettings } from '../../src/compose/auth.js';
import { createLog } from '../../src/compose/log.js';
import { configWith, describeSettings } from '../../src/config.js';
import { openDatabase, type Database } from '../../src/storage/database.js';
import { pingDatabase } from '../../src/storage/settings.js';
import { ByteBudget } from '../../src/transport/limits/byte-budget.js';
import { startTarget, type Target } from '../attacks/support.js';
import { postForm } from '../auth/support.js';
import { Platform } from '../biometrics/support.js';
import { echoScopes } from '../support/echo-service.js';
import { startTestServer } from '../support/server.js';
import { proofs } from './proofs.js';

const basic = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
const ROOT = join(import.meta.dirname, '..', '..');

describe('the settings', () => {
  it.each(describeSettings().map(({ name }) => name))('%s has a test that proves it', (name) => {
    const [file, test] = proofs[name] ?? ['', ''];
    expect(file, `${name} has no line in test/config/proofs.ts`).not.toBe('');
    expect(existsSync(join(ROOT, file)), file).toBe(true);
    expect(readFileSync(join(ROOT, file), 'utf8')).toContain(test);
  });

  it('that have a proof exist', () => {
    const names = describeSettings().map(({ name }) => name);
    expect(Object.keys(proofs).filter((name) => !names.includes(name))).toEqual([]);
  });
});

describe('the token service', () => {
  let target: Target;
  beforeAll(async () => {
    const config = configWith({
      'tokens.accessTokenSeconds': 120,
      'tokens.algorithm': 'EdDSA',
      'tokens.keyMaxAgeDays': 5,
    });
    const { accessTokenSeconds, signingAlgorithm, keyMaxAgeMs } = authSettings(config);
    target = await startTarget({ accessTokenSeconds, signingAlgorithm, keyMaxAgeMs });
  });
  afterAll(() => target.stop());

  it('gives tokens the lifetime and the signature that are set', async () => {
    const { client, secret } = target.platform;
    const { body } = await postForm(
      `${target.url}/oauth2/token`,
      { grant_type: 'client_credentials', scope: 'biosec' },
      { authorization: basic(client.clientId, secret) },
    );
    expect(body['expires_in']).toBe(120);
    const [header = ''] = String(body['access_token']).split('.');
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toMatchObject({ alg: 'EdDSA' });
  });

  it('replaces a signing key at the age that is set', async () => {
    const { auth, clock } = target;
    const before = auth.keys.newest()?.kid;
    clock.advance(4 * 86_400_000);
    await keepSigningKeysFresh(auth, 'later', true);
    expect(auth.keys.newest()?.kid).toBe(before);
    clock.advance(2 * 86_400_000);
    await keepSigningKeysFresh(auth, 'later', true);
    expect(auth.keys.newest()?.kid).not.toBe(before);
  });

  it.each<[string, string | number, object]>([
    ['tokens.engagementTokenSeconds', 61, { engagementTokenSeconds: 61 }],
    ['tokens.refreshTokenSeconds', 601, { refreshTokenSeconds: 601 }],
    [
      'tokens.issuer',
      'https://me.example/',
      { issuer: 'https://me.example', audience: 'https://me.example' },
    ],
    [
      'signIn.secondFactorRoles',
      'administrator, auditor',
      { secondFactorRoles: ['administrator', 'auditor'] },
    ],
    ['rateLimits.failedLoginsBeforeLock', 4, { loginFailuresMax: 4 }],
    ['rateLimits.loginLockMinutes', 3, { loginLockMs: 180_000 }],
    [
      'rateLimits.tokenRequestsPerAddressPerMinute',
      7,
      { rateLimits: { tokenPerAddress: { perMinute: 7, burst: 7 } } },
    ],
    [
      'rateLimits.failedLoginsPerMinute',
      8,
      { rateLimits: { loginPerAddress: { perMinute: 8 }, tokenFailuresPerAddress: { perMinute: 8 } } },
    ],
    ...['asr', 'nlu', 'tts', 'dlg', 'voiceprint'].map((name): [string, string, object] => [
      `endpoints.${name}`,
      'h.example:443',
      { endpoints: { [name]: { '*': 'h.example:443' } } },
    ]),
  ])('hands every setting of the token service over: %s', (name, value, expected) => {
    expect(authSettings(configWith({ [name]: value }))).toMatchObject(expected);
  });
});

describe('the server', () => {
  it('refuses JSON that nests deeper than it may', async () => {
    const server = await startTestServer({
      bare: true,
      bindings: [echoScopes().binding],
      config: { 'limits.jsonDepth': 8, publicUrl: 'https://voice.example' },
    });
    const nested = (depth: number): string => `{"x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
    const send = async (depth: number): Promise<number> =>
      (await server.rest('POST', '/v1/scopes', { rawBody: nested(depth) })).status;
    expect([await send(8), await send(9)]).toEqual([200, 400]);
    await server.stop();
  });

  it('names the address at which clients reach the server', async () => {
    const server = await startTestServer({ bare: true, config: { publicUrl: 'https://voice.example' } });
    const { body } = await server.rest('GET', '/openapi.json');
    expect(body).toMatchObject({ servers: [{ url: 'https://voice.example' }] });
    await server.stop();
  });

  it('refuses media beyond the limit, whatever the config set allows', async () => {
    const platform = await Platform.start({ config: { 'limits.mediaBytes': 4096 } });
    const context = await platform.open();
    const put = async (size: number): Promise<number> => {
      const { body } = await platform.post('/v1/audios/upload-url', { context, container: 'CONTAINER_WAV' });
      return (await fetch(body.mediaUploadUrl as string, { method: 'PUT', body: new Uint8Array(size) }))
        .status;
    };
    expect([await put(4096), await put(4097)]).toEqual([201, 413]);
    await platform.server.stop();
  });

  it('holds no more bytes than it may', () => {
    const { limits } = configWith({ 'limits.bytesInFlight': 2 ** 21 });
    const hold = new ByteBudget(limits).open({ bytes: 0 });
    hold.take(2 ** 21);
    expect(() => hold.take(1)).toThrow('in all');
  });
});

describe('a PostgreSQL that does not answer', () => {
  it('is given up after the time that is set', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const sockets: Socket[] = [];
    silent.on('connection', (socket) => sockets.push(socket.on('error', () => {})));
    const open = (connectTimeoutMs: number): Database => {
      const { postgres } = configWith({ 'postgres.connectTimeoutMs': connectTimeoutMs });
      return openDatabase({ kind: 'postgres', url: `postgres://x:x@127.0.0.1:${port}/x`, ...postgres });
    };
    const patient = open(60_000);
    const waiting = pingDatabase(patient).then(
      () => 'answered',
      () => 'given up',
    );
    await expect(pingDatabase(open(100))).rejects.toThrow();
    expect(await Promise.race([waiting, Promise.resolve('still waiting')])).toBe('still waiting');
    for (const socket of sockets) socket.destroy();
    silent.close();
    await waiting;
  });
});

describe('the log', () => {
  const linesOf = async (overrides: Record<string, unknown>): Promise<string[]> => {
    const folder = mkdtempSync(join(tmpdir(), 'voxgate-log-'));
    const file = join(folder, 'log');
    const { log, flush } = createLog(configWith(overrides).log, openSync(file, 'w'));
    log.info({ n: 1 }, 'small');
    log.error({ n: 2 }, 'large');
    await flush();
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    rmSync(folder, { recursive: true });
    return lines;
  };

  it('writes lines from the level on', async () => {
    expect(await linesOf({ 'log.level': 'info' })).toHaveLength(2);
    expect(await linesOf({ 'log.level': 'error' })).toHaveLength(1);
  });

  it('writes lines for people', async () => {
    const [line = ''] = await linesOf({ 'log.pretty': true });
    expect(line).toContain('small');
    expect(() => JSON.parse(line) as unknown).toThrow();
  });
});
