// What commands and config.json say about addresses is true of the server that runs.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { credentials } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp, type App } from '../../src/app.js';
import { servedAt } from '../../src/compose/addresses.js';
import { configWith, loadConfig, ConfigError } from '../../src/config.js';
import { ScopesManager } from '../../src/gen/vendor/biosec/v1/scopes/scopes_pb.js';
import { silentLog } from '../../src/platform.js';
import { sharedEngine } from '../support/engine.js';
import { cheapPasswords } from '../support/passwords.js';
import { grpcClient } from '../support/server.js';
import { voxgate } from './run-voxgate.js';

describe('a running server', () => {
  let home: string;
  let app: App;
  let bound: { httpUrl: string; grpcAddress: string };
  let made: { application: { app_id: string } };
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'voxgate-addresses-'));
    made = JSON.parse((await voxgate(home, 'bootstrap', '--json')).out);
    const config = configWith({
      home,
      'http.address': '127.0.0.1:0',
      'grpc.address': '127.0.0.1:0',
      'endpoints.asr': 'local=asr.example:443,eu=asr.eu.example:443',
    });
    app = createApp(config, { log: silentLog, engine: await sharedEngine(), passwords: cheapPasswords });
    bound = await app.start();
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  it('is where commands say it is', async () => {
    const { urls } = JSON.parse((await voxgate(home, 'bootstrap', '--json')).out);
    expect(urls).toEqual({
      http: bound.httpUrl,
      grpc: bound.grpcAddress,
      token: `${bound.httpUrl}/oauth2/token`,
    });
    expect((await fetch(`${urls.http}/healthz`)).status).toBe(200);
    // Asked for any free port, not for the one it takes by itself.
    expect(urls.http).not.toContain(':8080');
  });

  it('speaks gRPC where config.json says so', async () => {
    const blocks = JSON.parse(
      (await voxgate(home, 'client', 'config', made.application.app_id, '--json')).out,
    );
    const [entry] = blocks.config;
    expect(entry).toMatchObject({ voiceprint_endpoint: bound.grpcAddress, voiceprint_url: bound.httpUrl });
    const client = grpcClient(ScopesManager, entry.voiceprint_endpoint, credentials.createInsecure());
    // Turned away by the service itself, so it is there.
    await expect(client.listScopes({}, { token: null })).rejects.toMatchObject({ code: 16 });
    client.close();
    expect(bound.grpcAddress).not.toContain(':8081');
  });

  it('names the port it was given in metadata and tokens', async () => {
    const metadata = (await (
      await fetch(`${bound.httpUrl}/.well-known/oauth-authorization-server`)
    ).json()) as { issuer: string; token_endpoint: string };
    expect([metadata.issuer, metadata.token_endpoint]).toEqual([
      bound.httpUrl,
      `${bound.httpUrl}/oauth2/token`,
    ]);
  });

  it('takes its addresses along when it stops', async () => {
    await app.stop();
    const { urls } = JSON.parse((await voxgate(home, 'bootstrap', '--json')).out);
    expect(urls.http).toBe('http://127.0.0.1:8080');
  });
});

describe('the addresses of a server', () => {
  const bound = { httpUrl: 'http://127.0.0.1:4000', grpcAddress: '0.0.0.0:4001' };
  it.each([
    [
      { 'http.address': '127.0.0.1:0', 'grpc.address': '127.0.0.1:0' },
      'http://127.0.0.1:4000',
      '127.0.0.1:4001',
    ],
    [
      { publicUrl: 'https://v.example', 'grpc.address': '0.0.0.0:4001' },
      'https://v.example',
      'v.example:4001',
    ],
    [
      { publicUrl: 'https://v.example/', 'grpc.publicAddress': 'grpc.example:443' },
      'https://v.example',
      'grpc.example:443',
    ],
    [
      { 'http.address': '0.0.0.0:4000', 'grpc.address': '0.0.0.0:4001' },
      'http://localhost:4000',
      'localhost:4001',
    ],
    [{ 'http.address': '[::1]:4000', 'grpc.address': '[::1]:4001' }, 'http://[::1]:4000', '[::1]:4001'],
  ])('%o', (settings, httpUrl, grpcAddress) => {
    expect(servedAt(configWith(settings), bound)).toEqual({ httpUrl, grpcAddress });
  });
});

it.each([
  ['asr.example:443', { '*': 'asr.example:443' }],
  ['us=a.example:1, eu=[::1]:2', { us: 'a.example:1', eu: '[::1]:2' }],
  ['http://asr.example', undefined],
  ['asr.example', undefined],
  ['us=a:1,us=b:1', undefined],
  ['=a:1', undefined],
])('an endpoint may be %s or not', (text, expected) => {
  const load = () =>
    loadConfig({ env: {}, flags: { 'endpoints.asr': text, home: '/nowhere' } }).endpoints.asr;
  if (expected) expect(load()).toEqual(expected);
  else expect(load).toThrow(ConfigError);
});
