// The runtime token endpoint over HTTP: what it answers, and what it refuses and how.
import { request } from 'node:http';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClient } from '../../src/auth/clients/create-client.js';
import { lockClient } from '../../src/auth/clients/lock-client.js';
import { regenerateSecret } from '../../src/auth/clients/regenerate-secret.js';
import { createSecretHasher } from '../../src/auth/secrets.js';
import { openDatabase } from '../../src/storage/database.js';
import type { Database } from '../../src/storage/database.js';
import { migrate } from '../../src/storage/migrate.js';
import { freePort } from '../support/free-port.js';
import { basic, callOf, createTestAuth, createTestPlatform, postForm, serveOAuth } from './support.js';
import type { OAuthServer, TestAuth, TestPlatform } from './support.js';

let database: Database;
let test: TestAuth;
let platform: TestPlatform;
let server: OAuthServer;
let hashes = 0;
const grant = { grant_type: 'client_credentials', scope: 'asr nlu' };

beforeEach(async () => {
  database = openDatabase({ kind: 'sqlite', file: ':memory:' });
  await migrate(database, { now: () => 0 });
  const issuer = `http://127.0.0.1:${await freePort()}`;
  const hasher = createSecretHasher(new Uint8Array(32).fill(3));
  const counting = { hash: (id: string, secret: string) => (hashes++, hasher.hash(id, secret)) };
  test = await createTestAuth(database, { issuer, needs: { secrets: counting } });
  platform = await createTestPlatform(test);
  server = await serveOAuth(test);
});

afterEach(async () => {
  await server.stop();
  await test.auth.stop();
  await database.close();
});

const ask = (form: Record<string, string> | string, headers: Record<string, string> = {}) =>
  postForm(`${server.url}/oauth2/token`, form, headers);
const credentials = () => ({ authorization: basic(platform.client.clientId, platform.secret) });

describe('a good request', () => {
  it('may name the whole address in its first line', async () => {
    const { hostname, port } = new URL(server.url);
    const headers = { ...credentials(), 'content-type': 'application/x-www-form-urlencoded' };
    const path = `${server.url}/oauth2/token`;
    const status = await new Promise((resolve, reject) => {
      const sent = request({ hostname, port, path, method: 'POST', headers }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode));
      });
      sent.on('error', reject).end(new URLSearchParams(grant).toString());
    });
    expect(status).toBe(200);
  });

  it('answers exactly four members, lower-case bearer, 900 seconds, not to be stored', async () => {
    const answer = await ask(grant, credentials());
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).sort()).toEqual(['access_token', 'expires_in', 'scope', 'token_type']);
    expect(answer.body).toMatchObject({ expires_in: 900, scope: 'asr nlu', token_type: 'bearer' });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('pragma')).toBe('no-cache');
    expect(answer.headers.get('content-type')).toContain('application/json');
  });

  it('issues a JWT by RFC 9068 with the application and its tenants', async () => {
    const { body } = await ask(grant, credentials());
    const token = String(body['access_token']);
    expect(decodeProtectedHeader(token)).toMatchObject({
      typ: 'at+jwt',
      alg: 'ES256',
      kid: expect.any(String),
    });
    const claims = decodeJwt(token);
    expect(claims).toMatchObject({
      iss: server.url,
      sub: platform.client.clientId,
      aud: server.url,
      client_id: platform.client.clientId,
      app_id: platform.environment.appId,
      tenants: ['tenant-a'],
      scope: 'asr nlu',
    });
    expect(claims.exp! - claims.iat!).toBe(900);
  });

  it('accepts the client ID raw, escaped as curl -u sends it, and in the body', async () => {
    const { clientId } = platform.client;
    expect(clientId).toMatch(/^appID:[^:]+:geo:us:clientName:default$/);
    const escaped = clientId.replaceAll(':', '%3A');
    for (const headers of [credentials(), { authorization: basic(escaped, platform.secret) }]) {
      expect((await ask(grant, headers)).status).toBe(200);
    }
    expect((await ask({ ...grant, client_id: clientId, client_secret: platform.secret })).status).toBe(200);
    expect((await ask({ ...grant, client_id: clientId }, credentials())).status).toBe(200);
  });

  it('ignores parameters it does not know and a charset in the content type', async () => {
    const headers = { ...credentials(), 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
    expect((await ask({ ...grant, color: 'blue' }, headers)).status).toBe(200);
  });

  it('may come in pieces of unknown length, with a query that nobody reads, and keeps its ID', async () => {
    const pieces = new TextEncoder().encode(new URLSearchParams(grant).toString());
    const body = new ReadableStream({
      start(controller) {
        for (const piece of [pieces.subarray(0, 7), pieces.subarray(7)]) controller.enqueue(piece);
        controller.close();
      },
    });
    const answer = await fetch(`${server.url}/oauth2/token?scope=tts`, {
      method: 'POST',
      headers: {
        ...credentials(),
        'content-type': 'application/x-www-form-urlencoded',
        'x-request-id': 'mine-1',
      },
      body,
      duplex: 'half',
    } as RequestInit);
    expect(await answer.json()).toMatchObject({ scope: 'asr nlu' });
    expect(answer.headers.get('x-request-id')).toBe('mine-1');
  });
});

describe('a bad request gets the error of RFC 6749', () => {
  const refused = async (
    form: Record<string, string> | string,
    headers: Record<string, string>,
    status: number,
    error: string,
  ) => {
    const answer = await ask(form, headers);
    expect({ status: answer.status, error: answer.body['error'] }).toEqual({ status, error });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    return answer;
  };

  it('for missing, unknown and repeated parameters', async () => {
    await refused({ scope: 'asr' }, credentials(), 400, 'invalid_request');
    await refused({ grant_type: 'client_credentials' }, credentials(), 400, 'invalid_request');
    await refused({ ...grant, grant_type: 'password' }, credentials(), 400, 'unsupported_grant_type');
    await refused('grant_type=client_credentials&scope=asr&scope=nlu', credentials(), 400, 'invalid_request');
    await refused('grant_type=client_credentials&scope=asr&x=1&x=2', credentials(), 400, 'invalid_request');
    await refused({ ...grant, grant_type: 'authorization_code' }, credentials(), 400, 'unauthorized_client');
  });

  it('for scopes that do not exist or were not given to this client', async () => {
    await refused({ ...grant, scope: 'asr everything' }, credentials(), 400, 'invalid_scope');
    await refused({ ...grant, scope: 'platform-api' }, credentials(), 400, 'invalid_scope');
    const call = callOf(platform.owner);
    const { client, secret } = await createClient(test.auth, call, {
      appId: platform.environment.appId,
      geography: 'us',
      name: 'only-tts',
      scopes: ['tts'],
    });
    const headers = { authorization: basic(client.clientId, secret!) };
    await refused({ ...grant, scope: 'tts asr' }, headers, 400, 'invalid_scope');
    expect((await ask({ ...grant, scope: 'tts' }, headers)).status).toBe(200);
  });

  it('for a wrong content type, another method and two ways to authenticate', async () => {
    const json = { ...credentials(), 'content-type': 'application/json' };
    await refused(JSON.stringify(grant), json, 400, 'invalid_request');
    const { clientId } = platform.client;
    await refused(
      { ...grant, client_id: clientId, client_secret: platform.secret },
      credentials(),
      400,
      'invalid_request',
    );
    await refused({ ...grant, client_id: 'someone-else' }, credentials(), 400, 'invalid_request');
    const got = await fetch(`${server.url}/oauth2/token?grant_type=client_credentials`, {
      headers: credentials(),
    });
    expect(got.status).toBe(405);
    expect(got.headers.get('allow')).toBe('POST');
    expect(await got.json()).toMatchObject({ error: 'invalid_request' });
  });

  it('for no, unreadable and wrong credentials, with a challenge', async () => {
    for (const headers of [{}, { authorization: 'Basic ???' }, { authorization: 'Bearer abc' }] as Record<
      string,
      string
    >[]) {
      const answer = await refused(grant, headers, 401, 'invalid_client');
      expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /);
    }
    const wrong = { authorization: basic(platform.client.clientId, 'wrong') };
    await refused(grant, wrong, 401, 'invalid_client');
    // What else is wrong is told only to a client that has authenticated.
    await refused({ grant_type: 'password' }, wrong, 401, 'invalid_client');
  });

  it('for no body at all, and for one that is too large, after which the connection ends', async () => {
    await refused('', credentials(), 400, 'invalid_request');
    const flood = await refused(
      { ...grant, color: 'x'.repeat(33_000) },
      credentials(),
      413,
      'invalid_request',
    );
    expect(flood.headers.get('connection')).toBe('close');
  });

  it('while the server goes: to come again, and not on this connection', async () => {
    await server.stop();
    let go: () => void = () => {};
    const held = new Promise<void>((resolve) => (go = resolve));
    server = await serveOAuth(test, { drain: () => held });
    const stopped = server.stop();
    for (const path of ['token', 'introspect']) {
      const answer = await postForm(`${server.url}/oauth2/${path}`, grant, credentials());
      expect({ status: answer.status, body: answer.body }, path).toEqual({
        status: 503,
        body: { error: 'temporarily_unavailable', error_description: 'try again' },
      });
      expect(answer.headers.get('retry-after')).toBe('1');
      expect(answer.headers.get('connection')).toBe('close');
    }
    go();
    await stopped;
  });
});

describe('an unknown client and a wrong secret cannot be told apart', () => {
  it('by the answer or by the work done', async () => {
    const attempt = async (clientId: string) => {
      hashes = 0;
      const { status, body, headers } = await ask(grant, { authorization: basic(clientId, 'wrong') });
      return { status, body, challenge: headers.get('www-authenticate'), hashes };
    };
    const wrongSecret = await attempt(platform.client.clientId);
    const unknown = await attempt('appID:nobody:geo:us:clientName:default');
    expect(unknown).toEqual(wrongSecret);
    expect(wrongSecret).toMatchObject({ status: 401, hashes: 1 });
    await lockClient(test.auth, callOf(platform.owner), { clientId: platform.client.clientId });
    hashes = 0;
    const locked = await ask(grant, credentials());
    expect(locked.body).toEqual(wrongSecret.body);
    expect(hashes).toBe(1);
  });
});

describe('secrets', () => {
  it('hold 256 bits and no colon', () => {
    expect(Buffer.from(platform.secret, 'base64url').byteLength).toBe(32);
    expect(platform.secret).not.toContain(':');
  });

  it('are replaced at once, or with an overlap that ends', async () => {
    const { clientId } = platform.client;
    const call = callOf(platform.owner);
    const second = await regenerateSecret(test.auth, call, { clientId, overlapMs: 60_000 });
    const status = async (secret: string) =>
      (await ask(grant, { authorization: basic(clientId, secret) })).status;
    expect([await status(platform.secret), await status(second.secret)]).toEqual([200, 200]);
    test.clock.advance(60_001);
    expect([await status(platform.secret), await status(second.secret)]).toEqual([401, 200]);
    const third = await regenerateSecret(test.auth, call, { clientId });
    expect([await status(second.secret), await status(third.secret)]).toEqual([401, 200]);
  });
});

describe('rate limits', () => {
  it('answer 429 with Retry-After, per client, and let the client go on later', async () => {
    await server.stop();
    await test.auth.stop();
    const issuer = `http://127.0.0.1:${await freePort()}`;
    const base = test.auth.settings.rateLimits;
    const rateLimits = { ...base, tokenPerClient: { perMinute: 60, burst: 2 } };
    const clock = test.clock;
    const secrets = test.auth.secrets;
    test = await createTestAuth(database, { issuer, clock, settings: { rateLimits }, needs: { secrets } });
    server = await serveOAuth(test);
    const statuses = [];
    let retryAfter: string | null = null;
    for (let i = 0; i < 4; i++) {
      const answer = await ask(grant, credentials());
      statuses.push(answer.status);
      retryAfter = answer.headers.get('retry-after');
    }
    expect(statuses[0]).toBe(200);
    expect(statuses[3]).toBe(429);
    expect(Number(retryAfter)).toBeGreaterThanOrEqual(1);
    clock.advance(5000);
    expect((await ask(grant, credentials())).status).toBe(200);
  });

  it('slow down an address that keeps guessing', async () => {
    const statuses = new Set<number>();
    for (let i = 0; i < 70; i++) {
      statuses.add(
        (await ask(grant, { authorization: basic(platform.client.clientId, `guess-${i}`) })).status,
      );
    }
    expect([...statuses].sort()).toEqual([401, 429]);
    // A neighbor behind the same address with the right secret is served all the same.
    expect((await ask(grant, credentials())).status).toBe(200);
  });
});

describe('events', () => {
  it('tell of tokens issued and refused, without a secret', async () => {
    await ask(grant, credentials());
    await ask({ ...grant, scope: 'nope' }, credentials());
    expect(test.events.map(({ type, appId, error }) => ({ type, appId, error }))).toEqual([
      { type: 'token.issued', appId: platform.environment.appId, error: undefined },
      { type: 'token.refused', appId: platform.environment.appId, error: 'invalid_scope' },
    ]);
    expect(JSON.stringify(test.events)).not.toContain(platform.secret);
  });
});
