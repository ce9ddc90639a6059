// Mutual TLS (RFC 8705) over the real listeners: clients that prove themselves by a certificate, tokens bound to it, on REST
// and gRPC, and certificates that come through a proxy.
import { credentials } from '@grpc/grpc-js';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { certificateFits, readCertificates, thumbprintOf } from '../../src/auth/clients/certificates.js';
import { deleteClientKeys } from '../../src/auth/clients/delete-client-keys.js';
import { setClientCertificate } from '../../src/auth/clients/set-certificate.js';
import type { CertificateRule } from '../../src/auth/model.js';
import { createToolingClient } from '../../src/auth/tooling/create-tooling-client.js';
import { createAuthenticator } from '../../src/auth/tokens/authenticator.js';
import { ScopesManager } from '../../src/gen/vendor/biosec/v1/scopes/scopes_pb.js';
import { openDatabase, type Database } from '../../src/storage/database.js';
import { migrate } from '../../src/storage/migrate.js';
import { Peers } from '../../src/transport/peer.js';
import { registerOAuthRoutes } from '../../src/transport/routes/oauth/routes.js';
import { echoScopes } from '../support/echo-service.js';
import { grpcClient, startTestServer, type TestServer } from '../support/server.js';
import { freePort } from '../support/free-port.js';
import { callOf, createTestAuth, createTestPlatform, type TestAuth, type TestPlatform } from './support.js';

const path = (name: string): string => fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url));
const read = (name: string): string => readFileSync(path(name), 'utf8');
const SERVER_CA = read('cert.pem');

type Name = 'ivr' | 'other' | 'own';
const shown = (name: Name) => ({ key: read(`clients/${name}-key.pem`), cert: read(`clients/${name}.pem`) });
const certificate = (name: Name | 'ca') => new X509Certificate(read(`clients/${name}.pem`));

let database: Database;
let test: TestAuth;
let platform: TestPlatform;
let server: TestServer;

beforeAll(async () => {
  database = openDatabase({ kind: 'sqlite', file: ':memory:' });
  await migrate(database, { now: () => 0 });
  const port = await freePort();
  const issuer = `https://127.0.0.1:${port}`;
  const mutualTls = { available: true, authorities: [certificate('ca')] };
  test = await createTestAuth(database, { issuer, settings: { mutualTls } });
  platform = await createTestPlatform(test);
  server = await startTestServer({
    bare: true,
    realAuth: true,
    bindings: [echoScopes({ anyOf: ['asr'] }).binding],
    parts: [
      {
        routes: [(http) => registerOAuthRoutes(http, test.auth)],
        authenticate: createAuthenticator(test.auth),
        stop: () => test.auth.stop(),
      },
    ],
    config: {
      'http.address': `127.0.0.1:${port}`,
      publicUrl: issuer,
      'tls.key': path('key.pem'),
      'tls.cert': path('cert.pem'),
      'tls.clientCertificates': true,
    },
  });
});
afterAll(async () => {
  await server.stop();
  await database.close();
});

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Record<string, unknown>;
}

function send(
  method: string,
  target: string,
  { by, body = '', headers = {} }: { by?: Name; body?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { method, ca: SERVER_CA, agent: false, headers, ...(by ? shown(by) : {}) } as const;
    const sent = request(`${server.httpUrl}${target}`, options, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
        }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const ask = (by?: Name): Promise<Answer> =>
  send('POST', '/oauth2/token', {
    ...(by ? { by } : {}),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      scope: 'asr',
      client_id: platform.client.clientId,
    }).toString(),
  });

const register = (rule: CertificateRule) =>
  setClientCertificate(test.auth, test.system, { clientId: platform.client.clientId, rule });

const callRest = async (token: string, by?: Name): Promise<number> => {
  const headers = { authorization: `Bearer ${token}` };
  return (await send('GET', '/v1/scopes/x/gkid', { ...(by ? { by } : {}), headers })).status;
};

const callGrpc = async (token: string, by?: Name): Promise<string> => {
  const { key, cert } = by ? shown(by) : { key: undefined, cert: undefined };
  const channel = credentials.createSsl(
    Buffer.from(SERVER_CA),
    key === undefined ? null : Buffer.from(key),
    cert === undefined ? null : Buffer.from(cert),
  );
  const client = grpcClient(ScopesManager, server.grpcAddress, channel);
  try {
    return (await client.getGkScopeId({ scopeId: 'x' }, { token })).gkScopeId?.value ?? '';
  } catch (thrown) {
    return `code ${(thrown as { code: number }).code}`;
  } finally {
    client.close();
  }
};

describe('a client with a certificate', () => {
  it.each<[string, CertificateRule, Name[], Name[]]>([
    ['itself', { thumbprints: [thumbprintOf(certificate('own'))] }, ['own'], ['ivr', 'other']],
    ['its subject', { subjectDn: 'CN=ivr-gateway, O=Example' }, ['ivr'], ['own', 'other']],
    ['its DNS name', { sanDns: 'ivr.example.com' }, ['ivr'], ['own', 'other']],
    ['its URI', { sanUri: 'spiffe://example.com/ivr' }, ['ivr'], ['own', 'other']],
  ])('is known by %s, and by nothing less', async (_name, rule, good, bad) => {
    await register(rule);
    for (const by of good) expect((await ask(by)).status).toBe(200);
    for (const by of bad) expect((await ask(by)).status).toBe(401);
    expect((await ask()).status).toBe(401);
  });

  it('gets tokens that nobody else can use, over REST and gRPC', async () => {
    await register({ sanDns: 'ivr.example.com' });
    const token = String((await ask('ivr')).body['access_token']);
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as object;
    expect(claims).toMatchObject({ cnf: { 'x5t#S256': thumbprintOf(certificate('ivr')) } });
    expect([await callRest(token, 'ivr'), await callRest(token, 'other'), await callRest(token)]).toEqual([
      200, 401, 401,
    ]);
    expect([await callGrpc(token, 'ivr'), await callGrpc(token, 'other'), await callGrpc(token)]).toEqual([
      'gk-x',
      'code 16',
      'code 16',
    ]);
    expect(test.events.at(-1)).toMatchObject({
      type: 'bearer.refused',
      reason: 'certificate_required',
      address: '127.0.0.1',
    });
    const headers = { authorization: `Bearer ${token}` };
    const gate = await send('GET', '/oauth2/forward-auth?scope=asr', { headers });
    expect([
      gate.status,
      (await send('GET', '/oauth2/forward-auth?scope=asr', { by: 'ivr', headers })).status,
    ]).toEqual([401, 200]);
  });

  it('has no secret any more, and none of its old tokens; without the certificate it needs a new secret', async () => {
    await register({ sanDns: 'ivr.example.com' });
    const token = String((await ask('ivr')).body['access_token']);
    const clientId = platform.client.clientId;
    expect(await test.auth.store.direct.clients.secrets(clientId)).toEqual([]);
    await deleteClientKeys(test.auth, test.system, { clientId });
    expect([(await ask('ivr')).status, await callRest(token, 'ivr')]).toEqual([401, 401]);
  });

  it.each<[string, CertificateRule]>([
    ['nothing', {}],
    ['two things at once', { sanDns: 'a', sanUri: 'b' }],
    ['no certificate', { thumbprints: [] }],
    ['an empty name', { subjectDn: '' }],
  ])('cannot register %s', async (_name, rule) => {
    await expect(register(rule)).rejects.toMatchObject({ fields: [{ field: 'certificate' }] });
  });

  it('is one of an application, whose tokens are bound to it', async () => {
    const { client } = await createToolingClient(test.auth, callOf(platform.owner), {
      name: 'nightly',
      type: 'service-account',
    });
    const input = { clientId: client.clientId, rule: { sanDns: 'ivr.example.com' } };
    await expect(setClientCertificate(test.auth, test.system, input)).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
  });

  it('is offered in the metadata, and every answer of the listener asks for TLS', async () => {
    const { body } = await send('GET', '/.well-known/openid-configuration');
    expect(body).toMatchObject({
      tls_client_certificate_bound_access_tokens: true,
      token_endpoint_auth_methods_supported: expect.arrayContaining([
        'tls_client_auth',
        'self_signed_tls_client_auth',
      ]),
    });
    const answers = await Promise.all(
      ['/healthz', '/v1/scopes', '/oauth2/token', '/nowhere', '/v1/nowhere'].map((at) => send('POST', at)),
    );
    for (const { headers } of answers) expect(headers['strict-transport-security']).toBe('max-age=31536000');
  });
});

it('an expired certificate, or one of a stranger, proves no name', () => {
  const rule = { sanDns: 'ivr.example.com' };
  const cas = [certificate('ca')];
  const now = Date.now();
  expect(certificateFits(rule, certificate('ivr'), cas, now)).toBe(true);
  expect(certificateFits(rule, certificate('ivr'), cas, now + 200 * 365 * 86_400_000)).toBe(false);
  expect(certificateFits(rule, certificate('ivr'), cas, 0)).toBe(false);
  expect(certificateFits(rule, certificate('own'), cas, now)).toBe(false);
  expect(certificateFits(rule, certificate('ivr'), [], now)).toBe(false);
  expect(certificateFits({ subjectDn: 'CN=Example client CA,O=Example' }, certificate('ca'), cas, now)).toBe(
    false,
  );
  expect(() =>
    readCertificates('file', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'),
  ).toThrow('file: is not a certificate');
});

describe('behind a proxy', () => {
  const pem = encodeURIComponent(read('clients/ivr.pem'));
  const field = `:${certificate('ivr').raw.toString('base64')}:`;
  const peers = (trustedProxies: number | string[] | false) =>
    new Peers({ trustedProxies, clientCertificates: false, certificateHeader: 'client-cert' });
  const from = (remoteAddress: string) => ({ remoteAddress });

  it.each([pem, field])('a certificate counts from a trusted one only', (text) => {
    const headers = { 'client-cert': text };
    const seen = (at: string, by: Peers) => by.certificateOf(from(at), headers)?.subject;
    expect(seen('10.0.0.1', peers(['10.0.0.0/8']))).toContain('CN=ivr-gateway');
    expect(seen('10.0.0.1', peers(1))).toContain('CN=ivr-gateway');
    expect(seen('192.0.2.1', peers(['10.0.0.0/8']))).toBeUndefined();
    expect(seen('10.0.0.1', peers(false))).toBeUndefined();
    expect(peers(1).certificateOf(from('10.0.0.1'), { 'client-cert': 'junk' })).toBeUndefined();
  });

  it.each<[string, number | string[] | false, string]>([
    ['203.0.113.9', false, '10.0.0.1'],
    ['203.0.113.9', ['10.0.0.0/8'], '203.0.113.9'],
    ['6.6.6.6, 203.0.113.9', ['10.0.0.0/8'], '203.0.113.9'],
    ['203.0.113.9, 10.0.0.7', ['10.0.0.0/8'], '203.0.113.9'],
    ['6.6.6.6, 203.0.113.9', 1, '203.0.113.9'],
    ['203.0.113.9, 172.16.0.1', 2, '203.0.113.9'],
    ['junk', ['10.0.0.0/8'], '10.0.0.1'],
    ['192.0.2.1:4711', ['10.0.0.0/8'], '192.0.2.1'],
    ['203.0.113.9, 10.0.0.7:80', ['10.0.0.0/8'], '203.0.113.9'],
    ['[2001:db8::1]:99', ['10.0.0.0/8'], '2001:db8::1'],
    ['[2001:db8::1]', 1, '2001:db8::1'],
    ['192.0.2.1:port', 1, '10.0.0.1'],
    ['[192.0.2.1', 1, '10.0.0.1'],
    ['192.0.2:80', 1, '10.0.0.1'],
  ])('X-Forwarded-For %s with trust %j is %s', (forwarded, trusted, expected) => {
    const headers = { 'x-forwarded-for': forwarded };
    expect(peers(trusted).addressOf(from('10.0.0.1'), headers)).toBe(expected);
  });
});
