// Guarding services that are not ours: the forward-auth endpoint itself, a real nginx in front of a plain upstream, and what
// Traefik and Envoy would ask.
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Gateway } from '../../src/auth/settings.js';
import { openDatabase } from '../../src/storage/database.js';
import type { Database } from '../../src/storage/database.js';
import { migrate } from '../../src/storage/migrate.js';
import { freePort } from '../support/free-port.js';
import { startGateway } from './gateways.js';
import { dpopProof } from './dpop.js';
import { basic, createTestAuth, createTestPlatform, postForm, serveOAuth } from './support.js';
import type { OAuthServer, TestAuth, TestPlatform } from './support.js';

const NGINX_PATH = [
  '/usr/sbin/nginx',
  '/usr/bin/nginx',
  '/usr/local/sbin/nginx',
  '/opt/homebrew/bin/nginx',
].find((path) => existsSync(path));
/** auth_request is a module that a small build may lack. */
const USABLE =
  NGINX_PATH !== undefined &&
  /auth_request/.test(spawnSync(NGINX_PATH, ['-V'], { encoding: 'utf8' }).stderr ?? '');

let database: Database;
let test: TestAuth;
let platform: TestPlatform;
let server: OAuthServer;

async function start(gateway: Gateway): Promise<void> {
  database = openDatabase({ kind: 'sqlite', file: ':memory:' });
  await migrate(database, { now: () => 0 });
  const issuer = `http://127.0.0.1:${await freePort()}`;
  test = await createTestAuth(database, { issuer, settings: { gateway } });
  platform = await createTestPlatform(test);
  server = await serveOAuth(test);
}

afterEach(async () => {
  await server.stop();
  await test.auth.stop();
  await database.close();
});

async function issued(scope: string, more: Record<string, string> = {}): Promise<string> {
  const form = { grant_type: 'client_credentials', scope };
  const authorization = basic(platform.client.clientId, platform.secret);
  const { body } = await postForm(`${server.url}/oauth2/token`, form, { authorization, ...more });
  return String(body['access_token']);
}

const token = async (scope: string): Promise<string> => `Bearer ${await issued(scope)}`;

/** The headers of somebody whose token is bound to a key, with a proof for this request. */
async function proven(htm: string, htu: string): Promise<Record<string, string>> {
  const bound = await issued('asr', { dpop: await dpopProof('POST', `${server.url}/oauth2/token`) });
  return { authorization: `DPoP ${bound}`, dpop: await dpopProof(htm, htu, bound) };
}

const ELSEWHERE = 'https://evil.example/asr/x';
/** All that a caller could write to pass a proof for another address off as one for this. */
const lies = {
  'x-original-method': 'POST',
  'x-original-url': ELSEWHERE,
  'x-forwarded-method': 'POST',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'evil.example',
  'x-forwarded-uri': '/asr/x',
  'x-required-scope': 'nlu',
};

describe('the forward-auth endpoint', () => {
  beforeEach(() => start('envoy'));
  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${server.url}/oauth2/forward-auth${path}`, { method, headers });

  it('names the caller when the token holds the scope, whatever the method', async () => {
    const authorization = await token('asr nlu');
    for (const method of ['GET', 'POST', 'DELETE']) {
      const answer = await ask('?scope=asr', { authorization }, method);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('x-auth-client-id')).toBe(platform.client.clientId);
      expect(answer.headers.get('x-auth-app-id')).toBe(platform.environment.appId);
      expect(answer.headers.get('x-auth-scope')).toBe('asr nlu');
    }
    expect((await ask('', { authorization, 'x-required-scope': 'nlu' })).status).toBe(200);
    expect((await ask('/v1/original/path?x=1', { authorization, 'x-required-scope': 'asr' })).status).toBe(
      200,
    );
    expect((await ask('?scope=asr%20nlu', { authorization })).status).toBe(200);
  });

  it('refuses: no token 401, bad token 401 invalid_token, too little scope 403, no scope named 400', async () => {
    const none = await ask('?scope=asr');
    expect(none.status).toBe(401);
    expect(none.headers.get('www-authenticate')).toBe('Bearer realm="voxgate"');
    const bad = await ask('?scope=asr', { authorization: 'Bearer abc' });
    expect(bad.status).toBe(401);
    expect(bad.headers.get('www-authenticate')).toContain('error="invalid_token"');
    const authorization = await token('tts');
    const little = await ask('?scope=asr', { authorization });
    expect(little.status).toBe(403);
    expect(little.headers.get('www-authenticate')).toContain('error="insufficient_scope", scope="asr"');
    expect((await ask('?scope=asr', { authorization, 'x-required-scope': 'tts' })).status).toBe(403);
    expect((await ask('?scope=tts&scope=asr', { authorization })).status).toBe(400);
    expect((await ask('', { authorization })).status).toBe(400);
    // Below the bare path the query is the caller's own.
    expect((await ask('/asr/x?scope=tts', { authorization, 'x-required-scope': 'asr' })).status).toBe(403);
    expect((await ask('/asr/x?scope=tts', { authorization })).status).toBe(400);
  });
});

describe('Traefik and Envoy, as they ask', () => {
  it.each(['traefik', 'envoy'] as const)(
    '%s lets in a proof for this address and none for another, whatever headers the caller sets',
    async (kind) => {
      await start(kind);
      const gateway = await startGateway(kind, server.url);
      try {
        const url = `${gateway.url}/asr/x`;
        const ask = async (headers: Record<string, string>): Promise<number> =>
          (await fetch(`${url}?scope=tts`, { method: 'POST', headers })).status;
        expect(await ask({ authorization: await token('asr') })).toBe(200);
        expect(await ask({ authorization: await token('tts'), ...lies })).toBe(403);
        expect(await ask(await proven('POST', url))).toBe(200);
        expect(await ask({ ...(await proven('POST', url)), ...lies })).toBe(200);
        expect(await ask({ ...(await proven('POST', ELSEWHERE)), ...lies })).toBe(401);
        expect(await ask({ ...(await proven('GET', url)), ...lies })).toBe(401);
      } finally {
        await gateway.stop();
      }
    },
  );

  it('a bound token is refused where no gateway is named, whatever headers come along', async () => {
    await start('none');
    const ask = async (headers: Record<string, string>): Promise<number> =>
      (await fetch(`${server.url}/oauth2/forward-auth?scope=asr`, { headers })).status;
    expect(await ask({ ...(await proven('POST', ELSEWHERE)), ...lies })).toBe(401);
    expect(await ask({ authorization: await token('asr'), ...lies })).toBe(200);
    const url = `${server.url}/oauth2/forward-auth`;
    const headers = { authorization: await token('nlu'), ...lies };
    expect((await fetch(url, { headers })).status).toBe(400);
  });
});

describe.skipIf(!USABLE)('nginx in front of a plain upstream', () => {
  let folder: string;
  let nginx: ChildProcess;
  let upstream: Server;
  let gate: string;
  let seen: Array<{ url: string | undefined; identity: unknown; body: string }> = [];

  beforeEach(async () => {
    await start('nginx');
    folder = mkdtempSync(join(tmpdir(), 'voxgate-nginx-'));
    seen = [];
    upstream = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const identity = ['client-id', 'app-id', 'subject', 'scope'].map(
          (name) => request.headers[`x-auth-${name}`],
        );
        seen.push({ url: request.url, identity, body });
        response.end('recognized');
      });
    });
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
    const port = await freePort();
    gate = `http://127.0.0.1:${port}`;
    // The configuration of the guide itself, with the addresses of this test.
    const guide = readFileSync(new URL('../../docs/guides/forward-auth.md', import.meta.url), 'utf8');
    const example = /```nginx\n([\s\S]*?)```/.exec(guide)?.[1] ?? '';
    const service = (path: string, scope: string): string =>
      example
        .replaceAll('/asr/', path)
        .replaceAll('/_auth/asr', `/_auth/${scope}`)
        .replaceAll('scope=asr', `scope=${scope}`)
        .replace('http://recognizer:9000', `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`)
        .replace('http://voxgate:8080', server.url)
        .replace('https://api.example.com', gate);
    const temps = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${folder}/${name};`)
      .join(' ');
    writeFileSync(
      join(folder, 'nginx.conf'),
      `daemon off; master_process off; pid ${folder}/pid; error_log stderr crit; worker_processes 1;
      events { worker_connections 64; }
      http { access_log off; ${temps} server { listen 127.0.0.1:${port}; ${service('/asr/', 'asr')} ${service('/tts/', 'tts')} } }`,
    );
    nginx = spawn(NGINX_PATH!, ['-p', folder, '-c', join(folder, 'nginx.conf')], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await vi.waitFor(() => fetch(gate), { timeout: 20_000, interval: 50 });
  });

  afterEach(async () => {
    if (nginx.exitCode === null) {
      const ended = new Promise((resolve) => nginx.once('exit', resolve));
      nginx.kill('SIGTERM');
      await ended;
    }
    await new Promise((resolve) => upstream.close(resolve));
    rmSync(folder, { recursive: true, force: true });
  });

  it('lets a request through with the right scope only, and tells the upstream who it is', async () => {
    const authorization = await token('asr');
    const spoofed = {
      authorization,
      'x-auth-client-id': 'somebody-else',
      'x-auth-app-id': 'another',
      'x-auth-subject': 'root',
      'x-auth-scope': 'everything',
    };
    const good = await fetch(`${gate}/asr/recognize?x=1`, {
      method: 'POST',
      headers: spoofed,
      body: 'audio',
    });
    expect([good.status, await good.text()]).toEqual([200, 'recognized']);
    const { clientId, appId } = platform.client;
    const identity = [clientId, appId, clientId, 'asr'];
    expect(seen).toEqual([{ url: '/asr/recognize?x=1', identity, body: 'audio' }]);

    const wrongScope = await fetch(`${gate}/tts/speak`, { headers: { authorization } });
    expect(wrongScope.status).toBe(403);
    expect(wrongScope.headers.get('www-authenticate')).toContain('insufficient_scope');
    const noToken = await fetch(`${gate}/asr/recognize`);
    expect(noToken.status).toBe(401);
    expect(noToken.headers.get('www-authenticate')).toContain('Bearer');
    expect(seen).toHaveLength(1);
  });

  it('lets in a proof for this address and none for another, whatever headers the caller sets', async () => {
    const url = `${gate}/asr/x`;
    const ask = async (headers: Record<string, string>): Promise<number> =>
      (await fetch(`${url}?scope=tts`, { method: 'POST', headers })).status;
    expect(await ask({ ...(await proven('POST', url)), ...lies })).toBe(200);
    expect(await ask({ ...(await proven('POST', ELSEWHERE)), ...lies })).toBe(401);
    expect(await ask({ ...(await proven('GET', url)), ...lies })).toBe(401);
  });
});
