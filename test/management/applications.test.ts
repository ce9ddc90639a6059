// ApplicationsManager from outside, by gRPC and by REST, with real tokens: what owners, members, administrators and
// strangers may do, and that secrets show once and nowhere else.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ApplicationRole,
  ApplicationsManager,
  UrnKind,
} from '../../src/gen/voxgate/management/v1/applications_pb.js';
import { StatusCode } from '../../src/gen/vendor/rpc/status_pb.js';
import { basic, postForm } from '../auth/support.js';
import { addTenant, faultyFields, startManagementServer, type ManagementServer } from './support.js';
import type { GrpcClient } from '../support/server.js';

let server: ManagementServer;
let grpc: GrpcClient<typeof ApplicationsManager>;
let admin: { token: string; user: { userId: string } };
let olga: { token: string; user: { userId: string } };
let mark: { token: string; user: { userId: string } };
let stranger: { token: string };

beforeAll(async () => {
  server = await startManagementServer({ 'applications.perOwner': 100 });
  grpc = server.grpc(ApplicationsManager);
  admin = await server.person('admin', 'administrator');
  olga = await server.person('olga', 'member');
  mark = await server.person('mark', 'member');
  stranger = await server.person('stranger', 'member');
  // Named by an administrator, Olga may create more.
  await grpc.createApplication(
    {
      name: 'First',
      ownerUserId: olga.user.userId,
      environments: [{ name: 'development', geographies: ['us'] }],
    },
    { token: admin.token },
  );
});
afterAll(() => server.stop());

/** Olga's application with one environment in one geography; Mark is a member. */
async function newApplication(name = 'Telephone banking') {
  const created = await grpc.createApplication(
    { name, environments: [{ name: 'development', geographies: ['us'] }] },
    { token: olga.token },
  );
  const { application } = created;
  const applicationId = application!.applicationId;
  const body = { role: 'APPLICATION_ROLE_MEMBER' };
  await server.rest('PUT', `/v1/management/applications/${applicationId}/members/${mark.user.userId}`, {
    token: olga.token,
    body,
  });
  const [first] = created.clients;
  return {
    created,
    applicationId,
    appId: application!.environments[0]!.appId,
    clientId: first!.client!.clientId,
    secret: first!.clientSecret,
  };
}

function clientPath(clientId: string, rest = ''): string {
  return `/v1/management/clients/${encodeURIComponent(clientId)}${rest}`;
}

describe('an application', () => {
  it('comes with a default client whose secret gets a token', async () => {
    const { created, clientId, secret } = await newApplication();
    expect(created.status?.statusCode).toBe(StatusCode.OK);
    expect(created.application).toMatchObject({
      name: 'Telephone banking',
      callerRole: ApplicationRole.OWNER,
    });
    expect(clientId).toMatch(/^appID:[^:]+:geo:us:clientName:default$/);
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    await expect(server.runtimeToken(clientId, secret, 'tts dlg')).resolves.toEqual(expect.any(String));
  });

  it('shows the secret nowhere else', async () => {
    const { applicationId, appId, clientId, secret } = await newApplication();
    for (const path of [
      `/v1/management/applications/${applicationId}`,
      `/v1/management/environments/${appId}/clients`,
      clientPath(clientId),
    ]) {
      const answer = await server.rest('GET', path, { token: olga.token });
      expect(answer.status).toBe(200);
      expect(JSON.stringify(answer.body)).not.toContain(secret);
    }
    const records = await server.storage.audit.read({ chain: 'system', afterSeq: 0, limit: 1000 });
    expect(JSON.stringify(records)).not.toContain(secret);
    expect(records.map((record) => record.operation)).toEqual(
      expect.arrayContaining(['application.create', 'client.create']),
    );
  });

  it('is seen by its people and by administrators, by nobody else', async () => {
    const { applicationId } = await newApplication('Hidden');
    for (const { token } of [olga, mark, admin]) {
      const answer = await server.rest('GET', `/v1/management/applications/${applicationId}`, { token });
      expect(answer.status).toBe(200);
      expect(answer.body.application.name).toBe('Hidden');
    }
    const refused = await server.rest('GET', `/v1/management/applications/${applicationId}`, {
      token: stranger.token,
    });
    expect(refused.status).toBe(404);
    const list = await grpc.listApplications({ query: 'hidd' }, { token: stranger.token });
    expect(list.applications).toEqual([]);
  });

  it('is renamed and deleted by its owner, not by a member', async () => {
    const { applicationId, clientId, secret } = await newApplication();
    const token = await server.runtimeToken(clientId, secret, 'log');
    const rename = { body: { name: 'Renamed', fieldMask: 'name' } };
    const refused = await server.rest('PATCH', `/v1/management/applications/${applicationId}`, {
      token: mark.token,
      ...rename,
    });
    expect(refused.status).toBe(403);
    const renamed = await server.rest('PATCH', `/v1/management/applications/${applicationId}`, {
      token: olga.token,
      ...rename,
    });
    expect(renamed.body.application.name).toBe('Renamed');
    const deleted = await grpc.deleteApplication({ applicationId }, { token: olga.token });
    expect(deleted.status?.statusCode).toBe(StatusCode.OK);
    expect((await server.rest('GET', '/v1/logs/events', { token })).status).toBe(401);
  });

  it('lists in pages', async () => {
    for (const name of ['Page A', 'Page B', 'Page C'])
      await grpc.createApplication({ name }, { token: olga.token });
    const first = await grpc.listApplications({ query: 'page ', pageSize: 2 }, { token: olga.token });
    const second = await grpc.listApplications(
      { query: 'page ', pageSize: 2, pageToken: first.nextPageToken },
      { token: olga.token },
    );
    expect([...first.applications, ...second.applications].map((each) => each.name)).toEqual([
      'Page A',
      'Page B',
      'Page C',
    ]);
    expect(second.nextPageToken).toBe('');
  });

  it('names the wrong field of a request', async () => {
    const answer = await grpc.createApplication(
      { name: 'X', environments: [{ name: 'Not Good!', geographies: ['us'] }] },
      { token: olga.token },
    );
    expect(answer.status?.statusCode).toBe(StatusCode.INVALID_REQUEST);
    expect(faultyFields(answer.status)).toEqual(['environments[0].name']);
    const missing = await server.rest('POST', '/v1/management/applications', { token: olga.token, body: {} });
    expect(missing.status).toBe(400);
  });

  it('is out of reach without the scope platform-api', async () => {
    const { clientId, secret } = await newApplication();
    const token = await server.runtimeToken(clientId, secret, 'log');
    expect((await server.rest('GET', '/v1/management/applications', { token })).status).toBe(403);
    expect((await server.rest('GET', '/v1/management/applications', { token: null })).status).toBe(401);
  });
});

describe('secrets', () => {
  it('are made by owners only; an administrator is refused until they are an owner', async () => {
    const { applicationId, clientId } = await newApplication();
    for (const { token } of [mark, admin]) {
      const refused = await server.rest('POST', clientPath(clientId, '/secret'), { token, body: {} });
      expect(refused.status).toBe(403);
    }
    await grpc.setApplicationMember(
      { applicationId, userId: admin.user.userId, role: ApplicationRole.OWNER },
      { token: admin.token },
    );
    const made = await server.rest('POST', clientPath(clientId, '/secret'), { token: admin.token, body: {} });
    expect(made.status).toBe(200);
    await expect(server.runtimeToken(clientId, made.body.clientSecret, 'tts')).resolves.toEqual(
      expect.any(String),
    );
  });

  it('overlap when asked to, and end at once otherwise', async () => {
    const { clientId, secret } = await newApplication();
    const rolled = await grpc.regenerateClientSecret({ clientId, overlapSeconds: 60 }, { token: olga.token });
    expect(rolled.client?.previousSecretExpiresTimestamp).toBeDefined();
    await server.runtimeToken(clientId, secret, 'tts');
    await server.runtimeToken(clientId, rolled.clientSecret, 'tts');
    const ended = await grpc.regenerateClientSecret({ clientId }, { token: olga.token });
    for (const old of [secret, rolled.clientSecret])
      await expect(server.runtimeToken(clientId, old, 'tts')).rejects.toThrow('invalid_client');
    await server.runtimeToken(clientId, ended.clientSecret, 'tts');
    const wrong = await grpc.regenerateClientSecret({ clientId, overlapSeconds: -1 }, { token: olga.token });
    expect(wrong.status?.statusCode).toBe(StatusCode.INVALID_REQUEST);
  });
});

describe('clients', () => {
  it('are created, narrowed, locked, unlocked and deleted; the last one stays', async () => {
    const { appId, clientId } = await newApplication();
    const path = `/v1/management/environments/${appId}/clients`;
    const made = await server.rest('POST', path, {
      token: olga.token,
      body: { name: 'kiosk', allowedScopes: ['tts'] },
    });
    expect(made.status).toBe(200);
    const kiosk = made.body.client.clientId as string;
    const secret = made.body.clientSecret as string;
    expect(kiosk).toBe(`appID:${appId}:geo:us:clientName:kiosk`);
    await expect(server.runtimeToken(kiosk, secret, 'asr')).rejects.toThrow('invalid_scope');
    const token = await server.runtimeToken(kiosk, secret, 'tts');
    expect(token).toBeTruthy();

    const locked = await server.rest('PUT', clientPath(kiosk, '/lock'), {
      token: olga.token,
      body: { reason: 'lost laptop' },
    });
    expect(locked.body.client.locked).toBe(true);
    await expect(server.runtimeToken(kiosk, secret, 'tts')).rejects.toThrow('invalid_client');
    const unlocked = await server.rest('DELETE', clientPath(kiosk, '/lock'), { token: olga.token });
    expect(unlocked.body.client.locked ?? false).toBe(false);
    await server.runtimeToken(kiosk, secret, 'tts');

    const widened = await grpc.updateClient(
      { clientId: kiosk, allowedScopes: ['tts', 'asr'], fieldMask: { paths: ['allowed_scopes'] } },
      { token: olga.token },
    );
    expect(widened.client?.allowedScopes).toEqual(['tts', 'asr']);
    await server.runtimeToken(kiosk, secret, 'asr');
    const strange = await grpc.updateClient(
      { clientId: kiosk, allowedScopes: ['platform-api'], fieldMask: { paths: ['allowed_scopes'] } },
      { token: olga.token },
    );
    expect(strange.status?.statusCode).toBe(StatusCode.INVALID_REQUEST);

    expect((await grpc.deleteClient({ clientId: kiosk }, { token: olga.token })).status?.statusCode).toBe(
      StatusCode.OK,
    );
    const last = await server.rest('DELETE', clientPath(clientId), { token: olga.token });
    expect(last.status).toBe(403);
    expect(JSON.stringify(last.body)).toContain('LAST_CLIENT');
    const left = await grpc.listClients({ appId }, { token: mark.token });
    expect(left.clients.map((client) => client.clientId)).toEqual([clientId]);
    const records = await server.storage.audit.read({ chain: 'system', afterSeq: 0, limit: 1000 });
    expect(
      records.find((record) => record.operation === 'client.lock' && record.subjectIds.includes(kiosk))
        ?.detail['reason'],
    ).toBe('lost laptop');
  });

  it('tell when their newest token was issued', async () => {
    const { clientId, secret } = await newApplication();
    expect(
      (await grpc.getClient({ clientId }, { token: olga.token })).client?.lastUsedTimestamp,
    ).toBeUndefined();
    await server.runtimeToken(clientId, secret, 'tts');
    await server.events.flush();
    expect(
      (await grpc.getClient({ clientId }, { token: olga.token })).client?.lastUsedTimestamp,
    ).toBeDefined();
  });

  it('take keys instead of a secret, and need a new secret after', async () => {
    const { clientId, secret } = await newApplication();
    const { createPublicKey, generateKeyPairSync } = await import('node:crypto');
    const { publicKey } = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      publicKeyEncoding: { format: 'pem', type: 'spki' },
      privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
    });
    const jwksJson = JSON.stringify({ keys: [createPublicKey(publicKey).export({ format: 'jwk' })] });
    const keyed = await grpc.setClientKeys({ clientId, jwksJson }, { token: olga.token });
    expect(keyed.client).toMatchObject({ hasKeys: true, hasSecret: false });
    await expect(server.runtimeToken(clientId, secret, 'tts')).rejects.toThrow('invalid_client');
    expect(
      (await grpc.setClientKeys({ clientId, jwksJson: '{"keys": 5}' }, { token: olga.token })).status
        ?.statusCode,
    ).toBe(StatusCode.INVALID_REQUEST);
    const bare = await server.rest('DELETE', clientPath(clientId, '/keys'), { token: olga.token });
    expect(bare.status).toBe(200);
    const { clientSecret } = await grpc.regenerateClientSecret({ clientId }, { token: olga.token });
    await server.runtimeToken(clientId, clientSecret, 'tts');
    const body = { certificatesPem: readFileSync('test/fixtures/tls/clients/own.pem', 'utf8') };
    const shown = await server.rest('PUT', clientPath(clientId, '/certificate'), { token: olga.token, body });
    expect(shown.body.client).toMatchObject({ hasCertificate: true });
    await expect(server.runtimeToken(clientId, clientSecret, 'tts')).rejects.toThrow('invalid_client');
    const junk = await grpc.setClientCertificate(
      { clientId, sanDns: 'a', sanUri: 'b' },
      { token: olga.token },
    );
    expect(faultyFields(junk.status)).toEqual(['certificates_pem']);
  });
});

describe('environments', () => {
  it('are added with one client per geography, changed, and deleted but for the last', async () => {
    const { applicationId, appId } = await newApplication();
    const made = await server.rest('POST', `/v1/management/applications/${applicationId}/environments`, {
      token: olga.token,
      body: { environment: { name: 'production', geographies: ['us', 'eu'] } },
    });
    expect(made.status).toBe(200);
    expect(made.body.clients).toHaveLength(2);
    const production = made.body.environment.appId as string;
    const changed = await grpc.updateEnvironment(
      { appId: production, contextTag: 'bank-1', name: 'ignored', fieldMask: { paths: ['context_tag'] } },
      { token: olga.token },
    );
    expect(changed.environment).toMatchObject({ name: 'production', contextTag: 'bank-1', clientCount: 2 });
    const listed = await grpc.listEnvironments({ applicationId }, { token: mark.token });
    expect(listed.environments.map((each) => each.name).sort()).toEqual(['development', 'production']);
    // Two geographies: the request has to say which.
    const config = await grpc.getClientConfig({ appId: production }, { token: mark.token });
    expect(config.status?.statusCode).toBe(StatusCode.INVALID_REQUEST);
    const european = await grpc.getClientConfig(
      { appId: production, geography: 'eu', language: 'deu-DEU' },
      { token: mark.token },
    );
    const [entry] = JSON.parse(european.configJson) as Record<string, string>[];
    expect(entry).toMatchObject({
      client_id: `appID:${production}:geo:eu:clientName:default`,
      client_secret: '',
    });
    expect(JSON.parse(european.asrParams)).toMatchObject({
      urn: 'urn:vendor-platform:tag:model/bank-1/platform.asr?=language=deu-DEU',
    });
    expect(
      (await grpc.deleteEnvironment({ appId: production }, { token: olga.token })).status?.statusCode,
    ).toBe(StatusCode.OK);
    expect(
      (await server.rest('DELETE', `/v1/management/environments/${appId}`, { token: olga.token })).status,
    ).toBe(403);
  });

  it('are granted tenants by administrators only, and lose them for tokens that are out', async () => {
    const { applicationId, appId } = await newApplication();
    const path = `/v1/management/environments/${appId}/tenants/tenant-a`;
    const unknown = await server.rest('PUT', path, { token: admin.token, body: {} });
    expect(unknown.status).toBe(404);
    expect(unknown.body.status.fieldViolations[0].field).toMatch(/gk_scope_id$/);
    await addTenant(server.storage, 'tenant-a');
    expect((await server.rest('PUT', path, { token: olga.token, body: {} })).status).toBe(403);
    const granted = await server.rest('PUT', path, { token: admin.token, body: {} });
    expect(granted.body.environment.gkScopeIds).toEqual(['tenant-a']);
    const seen = await grpc.getApplication({ applicationId }, { token: olga.token });
    expect(seen.application?.gkScopeIds).toEqual(['tenant-a']);
    const withdrawn = await grpc.revokeTenant({ appId, gkScopeId: 'tenant-a' }, { token: admin.token });
    expect(withdrawn.environment?.gkScopeIds).toEqual([]);
  });

  it('keep an owner in their application', async () => {
    const { applicationId } = await newApplication();
    const path = `/v1/management/applications/${applicationId}/members/${olga.user.userId}`;
    expect((await server.rest('DELETE', path, { token: olga.token })).status).toBe(403);
    const gone = await server.rest(
      'DELETE',
      `/v1/management/applications/${applicationId}/members/${mark.user.userId}`,
      { token: olga.token },
    );
    expect(gone.status).toBe(200);
    expect((await grpc.getApplication({ applicationId }, { token: mark.token })).status?.statusCode).toBe(
      StatusCode.NOT_FOUND,
    );
  });
});

describe('URNs', () => {
  it('are built and taken apart, by both transports', async () => {
    const built = await grpc.buildUrn(
      {
        parts: {
          kind: UrnKind.WORDSET,
          contextTag: 'ctx',
          wordsetName: 'places',
          language: 'eng-USA',
          service: 'nlu',
        },
      },
      { token: stranger.token },
    );
    expect(built.urn).toBe('urn:vendor-platform:tag:wordset:lang/ctx/places/eng-USA/nlu');
    const parsed = await server.rest('POST', '/v1/management/urns/parse', {
      token: stranger.token,
      body: { urn: built.urn },
    });
    expect(parsed.body).toMatchObject({
      valid: true,
      parts: { kind: 'URN_KIND_WORDSET', contextTag: 'ctx', wordsetName: 'places' },
    });
    const bad = await grpc.parseUrn(
      { urn: 'urn:vendor-platform:tag:model/x/platform.asr?=language=english' },
      { token: stranger.token },
    );
    expect(bad).toMatchObject({ valid: false, error: expect.stringContaining('eng-USA') });
    const wrong = await grpc.buildUrn(
      { parts: { kind: UrnKind.ASR_MODEL, contextTag: 'a/b', language: 'eng-USA' } },
      { token: stranger.token },
    );
    expect(wrong.status?.statusCode).toBe(StatusCode.INVALID_REQUEST);
  });

  it('are not built from parts that they do not have', async () => {
    const dialog = { kind: UrnKind.DIALOG, contextTag: 'ctx', language: 'eng-USA' };
    const asr = { kind: UrnKind.ASR_MODEL, contextTag: 'ctx', language: 'eng-USA', wordsetName: 'places' };
    for (const [parts, field] of [
      [dialog, 'parts.language'],
      [asr, 'parts.wordset_name'],
    ] as const) {
      const { urn, status } = await grpc.buildUrn({ parts }, { token: stranger.token });
      expect(urn).toBe('');
      expect(status?.statusCode).toBe(StatusCode.INVALID_REQUEST);
      expect(JSON.stringify(status)).toContain(field);
    }
  });
});

it('serves the token endpoint beside it', async () => {
  const { clientId, secret } = await newApplication();
  const answer = await postForm(
    `${server.httpUrl}/oauth2/token`,
    { grant_type: 'client_credentials', scope: 'tts' },
    { authorization: basic(clientId, secret) },
  );
  expect(Object.keys(answer.body).sort()).toEqual(['access_token', 'expires_in', 'scope', 'token_type']);
});
