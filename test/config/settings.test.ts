// Every setting does something: each has a test that proves it (proofs.ts), and those that are proved nowhere else are
// proved here.
import { cpSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openEngine } from '../../src/compose/biometrics.js';
import { createLog } from '../../src/compose/log.js';
import { configWith, describeSettings } from '../../src/config.js';
import { ScopesManager } from '../../src/gen/vendor/biosec/v1/scopes/scopes_pb.js';
import { silentLog, systemClock, systemIds } from '../../src/platform.js';
import { openDatabase, type Database } from '../../src/storage/database.js';
import { pingDatabase } from '../../src/storage/settings.js';
import { ByteBudget } from '../../src/transport/limits/byte-budget.js';
import { Platform } from '../biometrics/support.js';
import { writeTinyModels } from '../inference/tiny-models.js';
import { echoScopes } from '../support/echo-service.js';
import { startTestServer, testCaller } from '../support/server.js';
import { proofs } from './proofs.js';

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

  it('names the address at which clients reach the server, and knows its own for gRPC', async () => {
    const echo = echoScopes();
    const asked: string[] = [];
    const server = await startTestServer({
      bare: true,
      bindings: [echo.binding],
      config: { publicUrl: 'https://voice.example', 'grpc.publicAddress': 'grpc.example:443' },
      overrides: { authenticate: async ({ url }) => (asked.push(url), testCaller) },
    });
    const { body } = await server.rest('GET', '/openapi.json');
    expect(body).toMatchObject({ servers: [{ url: 'https://voice.example' }] });
    // What a proof of possession must have been made for.
    await server.grpc(ScopesManager).createScope({ scopeId: 'x' });
    expect(asked).toEqual([`http://grpc.example:443/${ScopesManager.typeName}/CreateScope`]);
    await server.stop();
  });

  it('refuses media beyond the limit, whatever the config set allows', async () => {
    const platform = await Platform.start({
      config: { 'limits.mediaBytes': 4096, 'retention.tenantDeletionDays': 0 },
    });
    const context = await platform.open();
    const put = async (size: number): Promise<number> => {
      const { body } = await platform.post('/v1/audios/upload-url', { context, container: 'CONTAINER_WAV' });
      return (await fetch(body.mediaUploadUrl as string, { method: 'PUT', body: new Uint8Array(size) }))
        .status;
    };
    expect([await put(4096), await put(4097)]).toEqual([201, 413]);
    await endOfTenant(platform);
    await platform.server.stop();
  });

  /** The days that a tenant waits for its end: none. */
  async function endOfTenant({ server, gkScopeId }: Platform): Promise<void> {
    const path = `/v1/scopes/${gkScopeId}`;
    await server.rest('PUT', `${path}/state`, { body: { scopeState: 'SCOPE_STATE_ACTIVE' } });
    expect((await server.rest('GET', path)).body.details).toMatchObject({ scopeState: 'SCOPE_STATE_ACTIVE' });
    await server.rest('PUT', `${path}/attributes/deleted`, { body: {} });
    expect((await server.rest('GET', path)).status).toBe(404);
  }

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

describe('the voice engine', () => {
  const open = (settings: Record<string, unknown>) =>
    openEngine({ config: configWith(settings), clock: systemClock, ids: systemIds, log: silentLog });

  it('has the workers that are set, and lets them go when they are idle for so long', async () => {
    const engine = await open({ 'engine.workers': 3, 'engine.idleSeconds': 1 });
    expect(engine.stats().workers).toBe(3);
    // Any job will do: it has to start a worker.
    await engine.toWav(new Uint8Array(100), { channel: 0 });
    expect(engine.stats().processed).toBe(1);
    await expect.poll(() => engine.stats().loaded).toBe(0);
    await engine.close();
  });

  it('looks for its models where they are said to be', async () => {
    await expect(open({ 'engine.modelsDir': '/nowhere' })).rejects.toThrow(/model/);
  });

  it('stays with the speaker model that is named', async () => {
    const { modelsDir } = writeTinyModels({ detectors: false });
    const newer = join(modelsDir, 'speaker-tiny-2');
    cpSync(join(modelsDir, 'speaker-tiny-1'), newer, { recursive: true });
    const manifest = join(newer, 'manifest.json');
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"revision": "1"', '"revision": "2"'));
    const revisionWith = async (settings: Record<string, unknown>): Promise<string> => {
      const engine = await open({ 'engine.modelsDir': modelsDir, ...settings });
      await engine.close();
      return engine.model.revision;
    };
    expect(await revisionWith({})).toBe('tiny-2');
    expect(await revisionWith({ 'engine.speakerModel': 'speaker-tiny-1' })).toBe('tiny-1');
    const absent = open({ 'engine.modelsDir': modelsDir, 'engine.speakerModel': 'speaker-none-r1' });
    await expect(absent).rejects.toThrow(/no model .*speaker-none-r1/);
    rmSync(modelsDir, { recursive: true });
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
