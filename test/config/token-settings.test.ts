// The settings of the token service and of the event log, on one server that has all of them: each test sees from outside
// what its settings change.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApplication } from '../../src/auth/applications/create-application.js';
import { registerEngagementClient } from '../../src/auth/clients/register-engagement-client.js';
import { keepSigningKeysFresh } from '../../src/auth/tokens/rotate-signing-key.js';
import { authenticateUser } from '../../src/auth/users/authenticate-user.js';
import { createUser } from '../../src/auth/users/create-user.js';
import { authSettings } from '../../src/compose/auth.js';
import { configWith, loadConfig } from '../../src/config.js';
import type { RuntimeEvent } from '../../src/events/model.js';
import { ApplicationsManager } from '../../src/gen/voxgate/management/v1/applications_pb.js';
import { DAY_MS } from '../../src/platform.js';
import { authorizationRequest, codeIn, exchange, refresh, type Tokens } from '../attacks/support.js';
import { Browser, type Page } from '../auth/browser.js';
import { basic, postForm } from '../auth/support.js';
import { PASSWORD, startManagementServer, type ManagementServer } from '../management/support.js';

const ISSUER = 'http://issuer.example';
const MINUTE_MS = 60_000;
let server: ManagementServer;
let runtime: { clientId: string; secret: string; appId: string };

beforeAll(async () => {
  server = await startManagementServer({
    'grpc.publicAddress': 'grpc.example:443',
    'tokens.issuer': `${ISSUER}/`,
    'tokens.accessTokenSeconds': 120,
    'tokens.engagementTokenSeconds': 61,
    'tokens.refreshTokenSeconds': 601,
    'tokens.algorithm': 'EdDSA',
    'tokens.keyMaxAgeDays': 5,
    'signIn.secondFactorRoles': 'administrator, auditor',
    'rateLimits.tokenRequestsPerAddressPerMinute': 7,
    'rateLimits.failedLoginsPerMinute': 4,
    'rateLimits.failedLoginsBeforeLock': 3,
    'rateLimits.loginLockMinutes': 3,
    ...Object.fromEntries(
      ['asr', 'nlu', 'tts', 'dlg', 'voiceprint'].map((name) => [`endpoints.${name}`, `${name}.example:443`]),
    ),
    'retention.eventDays': 2,
    'retention.eventsMax': 1000,
  });
  const owner = await person('olga', 'member');
  const { environments } = await createApplication(server.auth, server.system, {
    name: 'Runtime',
    ownerId: owner.userId,
    environments: [{ name: 'development', geographies: ['us'] }],
  });
  const { client, secret } = environments[0]!.clients[0]!;
  runtime = { clientId: client.clientId, secret, appId: environments[0]!.environment.appId };
});
afterAll(() => server.stop());
// What one test has used up of a limit is there again for the next.
beforeEach(() => server.clock.advance(10 * MINUTE_MS));

const person = (userName: string, role: 'member' | 'auditor') =>
  createUser(server.auth, server.system, {
    userName,
    displayName: userName,
    role,
    password: PASSWORD,
    temporary: false,
  });

const askToken = (secret = runtime.secret) =>
  postForm(
    `${server.httpUrl}/oauth2/token`,
    { grant_type: 'client_credentials', scope: 'biosec' },
    { authorization: basic(runtime.clientId, secret) },
  );

const partOf = (token: string, index: number): unknown =>
  JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString());

const consoleRequest = () =>
  authorizationRequest({ url: server.httpUrl }, 'console', `${ISSUER}/console/callback`);

async function afterPassword(userName: string, attempt = consoleRequest()): Promise<Page> {
  const browser = new Browser(server.httpUrl);
  const form = await browser.get(attempt.address);
  return browser.follow(await browser.submit(form, { user_name: userName, password: PASSWORD }));
}

async function signIn(userName: string): Promise<Tokens> {
  const attempt = consoleRequest();
  const code = codeIn(await afterPassword(userName, attempt)) ?? '';
  return exchange({ url: server.httpUrl }, attempt, code);
}

describe('a token', () => {
  it('has the lifetime, the signature and the issuer that are set', async () => {
    const { body } = await askToken();
    const token = String(body['access_token']);
    expect(body['expires_in']).toBe(120);
    expect(partOf(token, 0)).toMatchObject({ alg: 'EdDSA' });
    expect(partOf(token, 1)).toMatchObject({ iss: ISSUER, aud: ISSUER });
  });

  it('for the engagement API has a lifetime of its own', async () => {
    const { client, secret } = await registerEngagementClient(server.auth, server.system, {
      name: 'shop',
      sites: ['main'],
      siteExists: async () => true,
    });
    const { body } = await postForm(
      `${server.httpUrl}/oauth-server/oauth/token`,
      { client_id: client.clientId, grant_type: 'client_credentials' },
      { authorization: basic(client.clientId, secret) },
    );
    expect(body['expires_in']).toBe(61);
  });

  it('can be renewed for as long as is set, and then the user has to sign in again', async () => {
    const [early, late] = [await signIn('olga'), await signIn('olga')];
    server.clock.advance(590_000);
    expect(await refresh({ url: server.httpUrl }, 'console', early.refresh)).toBeDefined();
    server.clock.advance(20_000);
    expect(await refresh({ url: server.httpUrl }, 'console', late.refresh)).toBeUndefined();
  });
});

describe('config.json', () => {
  it('names the services that are set, and this server where clients reach it', async () => {
    const { token } = await server.person('admin', 'administrator');
    const { configJson } = await server
      .grpc(ApplicationsManager)
      .getClientConfig({ appId: runtime.appId }, { token });
    expect(JSON.parse(configJson)).toMatchObject([
      {
        oauth_server_url: `${ISSUER}/oauth2/token`,
        asr_endpoint: 'asr.example:443',
        nlu_endpoint: 'nlu.example:443',
        tts_endpoint: 'tts.example:443',
        dlg_endpoint: 'dlg.example:443',
        voiceprint_endpoint: 'voiceprint.example:443',
        log_endpoint: 'grpc.example:443',
      },
    ]);
  });
});

describe('roles', () => {
  it('that need a second factor are asked for one, and others are not', async () => {
    await person('adam', 'auditor');
    expect((await afterPassword('adam')).html).toContain('Set up a second factor');
    expect(codeIn(await afterPassword('olga'))).toBeDefined();
  });
});

describe('the limits', () => {
  it('to token requests of one address are those that are set', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 8; count++) statuses.push((await askToken()).status);
    expect(statuses.lastIndexOf(200)).toBe(6);
    expect(statuses.at(-1)).toBe(429);
  });

  it('to failed authentications of one address are those that are set', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 5; count++) statuses.push((await askToken(`wrong ${count}`)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 429]);
    const pages: number[] = [];
    for (let count = 0; count < 5; count++) pages.push((await afterPassword(`nobody-${count}`)).status);
    expect(pages).toEqual([401, 401, 401, 401, 429]);
  });

  it('slow sign-ins down after as many wrong passwords, and for as long, as is set', async () => {
    await person('gerd', 'member');
    const find = () => server.auth.store.direct.users.findByName('gerd');
    const guess = (address: string) =>
      authenticateUser(server.auth, { userName: 'gerd', password: 'wrong', address });
    await guess('203.0.113.1');
    await guess('203.0.113.2');
    expect(await find()).toMatchObject({ lockedUntilMs: 0 });
    const before = server.clock.now();
    await guess('203.0.113.3');
    const { lockedUntilMs } = (await find())!;
    expect(lockedUntilMs).toBeGreaterThanOrEqual(before + 3 * MINUTE_MS);
    expect(lockedUntilMs).toBeLessThanOrEqual(server.clock.now() + 3 * MINUTE_MS);
  });
});

describe('the event log', () => {
  it('keeps events for the days, and in the number, that are set', async () => {
    const { store, sink, flush } = server.events;
    const count = async (): Promise<number> =>
      (await store.read({ types: ['call'], afterSeq: 0, limit: 5000 })).length;
    const callAt = (atMs: number): RuntimeEvent => ({
      type: 'call',
      atMs,
      appId: 'app',
      clientId: 'client',
      requestId: 'r',
      gkScopeId: undefined,
      outcome: 'OK',
      attributes: {},
    });
    const now = server.clock.now();
    await store.append([callAt(now - 3 * DAY_MS), callAt(now - DAY_MS)]);
    sink.record(callAt(now));
    await flush();
    expect(await count()).toBe(2);
    await store.append(Array.from({ length: 1200 }, () => callAt(now)));
    server.clock.advance(11 * MINUTE_MS);
    sink.record(callAt(now));
    await flush();
    expect(await count()).toBeLessThanOrEqual(1000);
    expect(await count()).toBeGreaterThan(900);
  });
});

it('a signing key is replaced at the age that is set', async () => {
  const { auth, clock } = server;
  const before = auth.keys.newest()?.kid;
  clock.advance(4 * DAY_MS);
  await keepSigningKeysFresh(auth, 'later', true);
  expect(auth.keys.newest()?.kid).toBe(before);
  clock.advance(2 * DAY_MS);
  await keepSigningKeysFresh(auth, 'later', true);
  expect(auth.keys.newest()?.kid).not.toBe(before);
});

it('knows the authorities of client certificates, and where certificates come from', () => {
  const file = new URL('../fixtures/tls/clients/ca.pem', import.meta.url).pathname;
  const { available, authorities } = authSettings(configWith({ 'tls.clientAuthorities': file })).mutualTls;
  expect([available, authorities.map(({ subject }) => subject)]).toEqual([
    false,
    ['O=Example\nCN=Example client CA'],
  ]);
  expect(authSettings(configWith({ 'tls.clientCertificates': true })).mutualTls.available).toBe(true);
  const env = {
    VOXGATE_TLS_CLIENT_CERTIFICATES: 'true',
    VOXGATE_TLS_CLIENT_AUTHORITIES: '/nowhere.pem',
    VOXGATE_TLS_CLIENT_CERTIFICATE_HEADER: 'Client-Cert',
  };
  expect(() => loadConfig({ env })).toThrow(
    /tls.clientAuthorities: no such file[\s\S]*tls.clientCertificates: needs[\s\S]*tls.clientCertificateHeader: needs/,
  );
});
