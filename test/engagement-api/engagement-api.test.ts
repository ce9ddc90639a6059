// The engagement API from outside: tokens, the availability question, and every refusal the contract names.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApplication } from '../../src/auth/applications/create-application.js';
import { registerEngagementClient } from '../../src/auth/clients/register-engagement-client.js';
import { StatusCode } from '../../src/gen/vendor/rpc/status_pb.js';
import {
  AgentState,
  AvailabilityStatus,
  EngagementManager,
  Weekday,
} from '../../src/gen/voxgate/management/v1/engagement_pb.js';
import { basic, postForm } from '../auth/support.js';
import {
  addTenant,
  faultyFields,
  startManagementServer,
  type ManagementServer,
} from '../management/support.js';
import type { GrpcClient } from '../support/server.js';

let server: ManagementServer;
let grpc: GrpcClient<typeof EngagementManager>;
let admin: { token: string; user: { userId: string } };
let member: { token: string };

const TOKEN_PATH = '/oauth-server/oauth/token';
const QUESTION_PATH = '/engagementAPI/v2/customer/agentAvailability';
const formHeaders = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };

beforeAll(async () => {
  server = await startManagementServer();
  grpc = server.grpc(EngagementManager);
  admin = await server.person('admin', 'administrator');
  member = await server.person('member', 'member');
  const token = { token: admin.token };
  for (const siteId of ['main', 'second'])
    await grpc.upsertSite({ site: { siteId, name: siteId, timeZone: 'UTC' } }, token);
  await grpc.upsertBusinessUnit(
    { businessUnit: { siteId: 'main', businessUnitId: '19', name: 'Cards' } },
    token,
  );
  for (const agentGroupId of ['cards', 'night']) {
    await grpc.upsertAgentGroup(
      {
        agentGroup: {
          siteId: 'main',
          agentGroupId,
          businessUnitId: '19',
          queueCapacity: agentGroupId === 'cards' ? 2 : 0,
        },
      },
      token,
    );
  }
  await grpc.upsertAgent(
    {
      agent: {
        siteId: 'main',
        agentId: 'ada',
        agentGroupIds: ['cards'],
        state: AgentState.AVAILABLE,
        slots: 1,
        attributes: { language: 'de' },
      },
    },
    token,
  );
});
afterAll(() => server.stop());

async function register(over: { sites?: string[]; scopes?: string[] } = {}) {
  const { client, secret } = await registerEngagementClient(server.auth, server.system, {
    name: 'shop',
    sites: ['main'],
    siteExists: async () => true,
    ...over,
  });
  return { clientId: client.clientId, secret };
}

const askToken = (
  clientId: string,
  secret: string,
  form: Record<string, string> = { client_id: clientId, grant_type: 'client_credentials' },
) => postForm(server.httpUrl + TOKEN_PATH, form, { ...formHeaders, authorization: basic(clientId, secret) });

async function tokenOf(over: { sites?: string[]; scopes?: string[] } = {}): Promise<string> {
  const { clientId, secret } = await register(over);
  return String((await askToken(clientId, secret)).body['access_token']);
}

const question = { siteID: 'main', businessUnitID: '19', output: 'JSON' };

const ask = (token: string | null, query: Record<string, string> = question, method = 'POST') =>
  server.rest(method, `${QUESTION_PATH}?${new URLSearchParams(query).toString()}`, { token });

describe('the token endpoint', () => {
  it('answers exactly the members of the contract', async () => {
    const { clientId, secret } = await register({ sites: ['main', 'second'] });
    const answer = await askToken(clientId, secret);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).sort()).toEqual([
      'access_token',
      'expires_in',
      'jti',
      'scope',
      'sites',
      'token_type',
    ]);
    expect(answer.body).toMatchObject({
      token_type: 'bearer',
      expires_in: 3600,
      scope: 'agentAvailability engagement',
      sites: ['main', 'second'],
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('refuses a wrong secret, an unknown client, another grant, a runtime client and GET', async () => {
    const { clientId, secret } = await register();
    expect(await askToken(clientId, `${secret}x`)).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
    expect(await askToken('nobody', secret)).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
    expect(await askToken(clientId, secret, { client_id: clientId, grant_type: 'password' })).toMatchObject({
      status: 400,
      body: { error: 'unsupported_grant_type' },
    });
    expect(
      await askToken(clientId, secret, { client_id: 'other', grant_type: 'client_credentials' }),
    ).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    const { environments } = await createApplication(server.auth, server.system, {
      name: 'Runtime',
      ownerId: admin.user.userId,
      environments: [{ name: 'development', geographies: ['us'] }],
    });
    const runtime = environments[0]!.clients[0]!;
    expect((await askToken(runtime.client.clientId, runtime.secret)).status).toBe(401);
    expect((await fetch(server.httpUrl + TOKEN_PATH)).status).toBe(405);
    // And an engagement client gets nothing at the runtime endpoint.
    const elsewhere = await postForm(
      `${server.httpUrl}/oauth2/token`,
      { grant_type: 'client_credentials', scope: 'tts' },
      { authorization: basic(clientId, secret) },
    );
    expect(elsewhere.status).toBe(401);
  });

  it('keeps to the rate limits', async () => {
    const limited = await startManagementServer({ 'rateLimits.tokenRequestsPerMinute': 2 });
    try {
      const { client, secret } = await registerEngagementClient(limited.auth, limited.system, {
        name: 'busy',
        sites: ['main'],
        siteExists: async () => true,
      });
      const once = () =>
        postForm(
          limited.httpUrl + TOKEN_PATH,
          { client_id: client.clientId, grant_type: 'client_credentials' },
          { authorization: basic(client.clientId, secret) },
        );
      expect([(await once()).status, (await once()).status]).toEqual([200, 200]);
      const refused = await once();
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    } finally {
      await limited.stop();
    }
  });
});

describe('the availability question', () => {
  it('is answered by POST and by GET alike', async () => {
    const token = await tokenOf();
    for (const method of ['POST', 'GET']) {
      const answer = await ask(token, question, method);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ isAvailable: true, isInHOP: true, status: 'online' });
    }
    const form = await fetch(server.httpUrl + QUESTION_PATH, {
      method: 'POST',
      headers: { ...formHeaders, authorization: `Bearer ${token}` },
      body: new URLSearchParams(question).toString(),
    });
    expect(form.status).toBe(200);
  });

  it('follows the model: groups, attributes, queue and agents', async () => {
    const token = await tokenOf();
    const state = (over: { state: AgentState; slotsUsed?: number }) =>
      grpc.setAgentState({ siteId: 'main', agentId: 'ada', ...over }, { token: admin.token });
    expect((await ask(token, { ...question, agentGroupID: 'night' })).body).toEqual({
      isAvailable: false,
      isInHOP: true,
      status: 'offline',
    });
    expect((await ask(token, { ...question, agentAttributes: 'language,de' })).body.isAvailable).toBe(true);
    expect((await ask(token, { ...question, agentAttributes: 'language,fr' })).body).toMatchObject({
      isAvailable: false,
      status: 'offline',
    });
    await state({ state: AgentState.BUSY });
    expect((await ask(token, { ...question, queueThreshold: '0' })).body).toEqual({
      isAvailable: true,
      isInHOP: true,
      status: 'busy',
    });
    await grpc.upsertAgentGroup(
      {
        agentGroup: {
          siteId: 'main',
          agentGroupId: 'cards',
          businessUnitId: '19',
          queueCapacity: 2,
          queueLength: 1,
        },
      },
      { token: admin.token },
    );
    expect((await ask(token, { ...question, queueThreshold: '0' })).body.isAvailable).toBe(false);
    expect((await ask(token)).body.isAvailable).toBe(true);
    await state({ state: AgentState.OFFLINE });
    expect((await ask(token)).body).toEqual({ isAvailable: false, isInHOP: true, status: 'offline' });
    await state({ state: AgentState.AVAILABLE, slotsUsed: 0 });
    // No more calls than places for them, here and where the agent is described.
    const over = await state({ state: AgentState.AVAILABLE, slotsUsed: 2 });
    expect(faultyFields(over.status)).toEqual(['slots_used']);
    const described = await grpc.upsertAgent(
      { agent: { siteId: 'main', agentId: 'ada', name: 'Ada', slots: 1, slotsUsed: 2 } },
      { token: admin.token },
    );
    expect(faultyFields(described.status)).toEqual(['agent.slots_used']);
  });

  it('is outside the hours of operation when they say so', async () => {
    const token = await tokenOf();
    const hours = { siteId: 'main', hoursId: 'none', timeZone: 'Europe/Berlin' };
    await grpc.upsertHoursOfOperation({ hours }, { token: admin.token });
    expect((await ask(token)).body).toEqual({ isAvailable: false, isInHOP: false, status: 'online' });
    await server.rest('DELETE', '/v1/management/engagement/sites/main/hours/none', { token: admin.token });
    expect((await ask(token)).body.isInHOP).toBe(true);
  });

  it.each([
    ['businessUnitID', { siteID: 'main' }],
    ['siteID', { businessUnitID: '19' }],
    ['businessUnitID', { ...question, businessUnitID: 'nineteen' }],
    ['businessUnitID', { ...question, businessUnitID: '20' }],
    ['output', { ...question, output: 'XML' }],
    ['queueThreshold', { ...question, queueThreshold: '-1' }],
    ['agentAttributes', { ...question, agentAttributes: 'language' }],
    ['agentGroupID', { ...question, agentGroupID: 'unknown' }],
  ])('names a bad %s with 400', async (parameter, query) => {
    const answer = await ask(await tokenOf(), query as Record<string, string>);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      status_code: 400,
      error_message: expect.stringContaining(parameter),
    });
  });

  it('refuses a parameter given twice', async () => {
    const answer = await server.rest('GET', `${QUESTION_PATH}?siteID=main&siteID=second&businessUnitID=19`, {
      token: await tokenOf(),
    });
    expect(answer).toMatchObject({ status: 400, body: { error_message: expect.stringContaining('siteID') } });
  });

  it('tells an expired token from others that are not good', async () => {
    const token = await tokenOf();
    const missing = await ask(null);
    expect(missing).toMatchObject({
      status: 401,
      body: { status_code: 401, error_message: 'Access Token Missing' },
    });
    expect(missing.headers.get('www-authenticate')).toBe('Bearer');
    expect(await ask('nonsense')).toMatchObject({
      status: 401,
      body: { error_message: 'Access Token Invalid' },
    });
    expect((await ask(token)).status).toBe(200);
    server.clock.advance(3601_000);
    const expired = await ask(token);
    expect(expired).toMatchObject({
      status: 401,
      body: { status_code: 401, error_message: 'Access Token Expired' },
    });
    expect(expired.headers.get('www-authenticate')).toContain('invalid_token');
    server.clock.advance(-3601_000);
  });

  it('tells a missing scope from a foreign site', async () => {
    const scope = await ask(await tokenOf({ scopes: ['engagement'] }));
    expect(scope).toMatchObject({
      status: 403,
      body: { status_code: 403, error_message: expect.stringContaining('scope agentAvailability') },
    });
    expect(scope.headers.get('www-authenticate')).toContain('insufficient_scope');
    const site = await ask(await tokenOf(), { ...question, siteID: 'second' });
    expect(site).toMatchObject({
      status: 403,
      body: { error_message: 'the access token is not valid for site second' },
    });
    // Whether a site exists is not told to those who may not see it.
    expect((await ask(await tokenOf(), { ...question, siteID: 'unknown' })).status).toBe(403);
  });

  it('takes no runtime token, and its own tokens open nothing else', async () => {
    const { environments } = await createApplication(server.auth, server.system, {
      name: 'Runtime',
      ownerId: admin.user.userId,
      environments: [{ name: 'development', geographies: ['us'] }],
    });
    const { client, secret } = environments[0]!.clients[0]!;
    expect((await ask(await server.runtimeToken(client.clientId, secret, 'log'))).status).toBe(401);
    expect((await ask(admin.token)).status).toBe(401);
    const token = await tokenOf();
    expect((await server.rest('GET', '/v1/logs/events', { token })).status).toBe(401);
    expect((await server.rest('GET', '/v1/management/engagement/sites', { token })).status).toBe(401);
  });
});

describe('registration', () => {
  it('is for administrators, shows the secret once, and cannot be had over the engagement API', async () => {
    const body = { name: 'shop', sites: ['main'] };
    expect(
      (await server.rest('POST', '/v1/management/engagement/clients', { token: member.token, body })).status,
    ).toBe(403);
    const made = await server.rest('POST', '/v1/management/engagement/clients', { token: admin.token, body });
    expect(made.status).toBe(200);
    const { clientSecret, client } = made.body;
    expect((await askToken(client.clientId, clientSecret)).status).toBe(200);
    await server.events.flush();
    const read = await grpc.getEngagementClient({ clientId: client.clientId }, { token: admin.token });
    expect(read.client).toMatchObject({
      name: 'shop',
      sites: ['main'],
      locked: false,
      lastUsedTimestamp: expect.anything(),
    });
    const listed = await server.rest('GET', '/v1/management/engagement/clients', { token: admin.token });
    expect(JSON.stringify(listed.body)).not.toContain(clientSecret);
    const noSite = await grpc.registerEngagementClient({ name: 'x' }, { token: admin.token });
    expect(faultyFields(noSite.status)).toEqual(['sites']);
  });

  it('is locked at once, secret and tokens; unlocking brings neither back, but gives it a new secret', async () => {
    const { clientId, secret } = await register();
    const token = String((await askToken(clientId, secret)).body['access_token']);
    expect((await ask(token)).status).toBe(200);
    const locked = await server.rest('PUT', `/v1/management/engagement/clients/${clientId}/lock`, {
      token: admin.token,
      body: { reason: 'leaked' },
    });
    expect(locked.body.client.locked).toBe(true);
    expect(await ask(token)).toMatchObject({ status: 401, body: { error_message: 'Access Token Revoked' } });
    expect((await askToken(clientId, secret)).status).toBe(401);
    server.clock.advance(2000);
    const refused = await grpc.regenerateEngagementClientSecret({ clientId }, { token: admin.token });
    expect(refused.status?.statusCode).toBe(StatusCode.PERMISSION_DENIED);
    const unlocked = await grpc.unlockEngagementClient({ clientId }, { token: admin.token });
    expect(unlocked.client?.locked).toBe(false);
    expect((await ask(token)).status).toBe(401);
    expect((await askToken(clientId, secret)).status).toBe(401);
    expect((await askToken(clientId, unlocked.clientSecret)).status).toBe(200);
    const again = await server.rest('DELETE', `/v1/management/engagement/clients/${clientId}/lock`, {
      token: admin.token,
    });
    expect(again.body.clientSecret ?? '').toBe('');
  });

  it('gets a new secret, other sites and actions, and is deleted, over either transport', async () => {
    const { clientId, secret } = await register();
    const path = `/v1/management/engagement/clients/${clientId}`;
    const { token } = admin;
    const renewed = await server.rest('POST', `${path}/secret`, { token, body: { overlapSeconds: 60 } });
    expect((await askToken(clientId, secret)).status).toBe(200);
    const access = String((await askToken(clientId, renewed.body.clientSecret)).body['access_token']);
    expect((await ask(access)).status).toBe(200);
    const last = await grpc.regenerateEngagementClientSecret({ clientId }, { token });
    expect((await askToken(clientId, renewed.body.clientSecret)).status).toBe(401);

    await grpc.upsertSite({ site: { siteId: 'other', name: 'Other' } }, { token });
    const change = (body: object) => server.rest('PATCH', path, { token, body });
    const moved = await change({ sites: ['other'], fieldMask: 'sites' });
    expect(moved.body.client).toMatchObject({
      sites: ['other'],
      scopes: expect.arrayContaining(['engagement']),
    });
    // The site that it lost is gone for tokens that it has already.
    expect((await ask(access)).status).toBe(401);
    const nowhere = await change({ sites: ['nowhere'], fieldMask: 'sites' });
    expect(JSON.stringify(nowhere.body)).toContain('sites[0]');
    const none = await grpc.updateEngagementClient({ clientId, fieldMask: { paths: ['sites'] } }, { token });
    expect(faultyFields(none.status)).toEqual(['sites']);
    const stale = await grpc.updateEngagementClient(
      { clientId, sites: ['main'], expected: { sites: ['main'] }, fieldMask: { paths: ['sites'] } },
      { token },
    );
    expect(stale.status?.diagnosticDetails.map(({ code }) => code)).toEqual(['CHANGED_MEANWHILE']);
    const narrowed = await grpc.updateEngagementClient(
      { clientId, scopes: ['agentAvailability'], fieldMask: { paths: ['scopes'] } },
      { token },
    );
    expect(narrowed.client?.scopes).toEqual(['agentAvailability']);

    await grpc.deleteSite({ siteId: 'other' }, { token });
    expect((await server.rest('DELETE', path, { token })).status).toBe(200);
    expect((await askToken(clientId, last.clientSecret)).status).toBe(401);
    expect((await server.rest('GET', path, { token })).status).toBe(404);
    const gone = await grpc.deleteEngagementClient({ clientId }, { token });
    expect(gone.status?.statusCode).toBe(StatusCode.NOT_FOUND);
  });
});

describe('the manager of the model', () => {
  it('previews the answer for another moment', async () => {
    const hours = {
      siteId: 'main',
      hoursId: 'week',
      timeZone: 'America/New_York',
      spans: [{ weekday: Weekday.MONDAY, startMinute: 540, endMinute: 1020 }],
    };
    const stored = await server.rest('PUT', '/v1/management/engagement/sites/main/hours/week', {
      token: admin.token,
      body: {
        hours: { ...hours, spans: [{ weekday: 'WEEKDAY_MONDAY', startMinute: 540, endMinute: 1020 }] },
      },
    });
    expect(stored.status).toBe(200);
    const at = (text: string) =>
      server.rest(
        'GET',
        `/v1/management/engagement/availability?site_id=main&business_unit_id=19&at=${text}`,
        { token: admin.token },
      );
    expect((await at('2024-01-08T15:00:00Z')).body).toMatchObject({
      isInHop: true,
      isAvailable: true,
      availability: 'AVAILABILITY_STATUS_ONLINE',
      agentsActive: 1,
      freeSlots: 1,
    });
    expect((await at('2024-01-08T13:00:00Z')).body.isInHop ?? false).toBe(false);
    await grpc.deleteHoursOfOperation({ siteId: 'main', hoursId: 'week' }, { token: admin.token });
    const preview = await grpc.previewAvailability(
      { siteId: 'main', businessUnitId: '19' },
      { token: admin.token },
    );
    expect(preview).toMatchObject({ isInHop: true, availability: AvailabilityStatus.ONLINE });
    const unknown = await grpc.previewAvailability(
      { siteId: 'main', businessUnitId: '999' },
      { token: admin.token },
    );
    expect(faultyFields(unknown.status)).toEqual(['business_unit_id']);
  });

  it('shows auditors all of it, and lets them change nothing', async () => {
    const { token } = await server.person('auditor', 'auditor');
    const { clientId } = await register();
    const client = `/v1/management/engagement/clients/${clientId}`;
    const status = async (method: 'GET' | 'PUT', path: string, by: string) =>
      (await server.rest(method, path, { token: by })).status;
    const preview = '/v1/management/engagement/availability?site_id=main&business_unit_id=19';
    expect([await status('GET', client, token), await status('GET', preview, token)]).toEqual([200, 200]);
    expect(await status('PUT', `${client}/lock`, token)).toBe(403);
    expect(await status('GET', client, member.token)).toBe(403);
    expect(await status('GET', preview, member.token)).toBe(403);
  });

  it('gives a site to a tenant that is there, and names the field where it is not', async () => {
    await addTenant(server.storage, 'bank');
    const path = '/v1/management/engagement/sites/branch';
    const give = (gkScopeId: string, token = admin.token) =>
      server.rest('PUT', path, { token, body: { site: { name: 'Branch', timeZone: 'UTC', gkScopeId } } });
    expect(await give('bank')).toMatchObject({ status: 200, body: { site: { gkScopeId: 'bank' } } });
    const refused = await give('nobody');
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain('site.gk_scope_id');
    // Who may not set sites does not learn which tenants there are.
    expect((await give('nobody', member.token)).status).toBe(403);
    expect((await server.rest('DELETE', path, { token: admin.token })).status).toBe(200);
  });

  it('keeps what two people change of one site, and names who was first where it is the same', async () => {
    const other = await server.person('grace', 'administrator');
    const path = '/v1/management/engagement/sites/shared';
    const put = (token: string, site: object, expected?: object) =>
      server.rest('PUT', path, { token, body: { site, ...(expected && { expected }) } });
    const read = { siteId: 'shared', name: 'Berlin', timeZone: 'UTC' };
    await put(admin.token, read);
    expect((await put(other.token, { ...read, name: 'Berlin A' }, read)).status).toBe(200);
    // Who has read it before changes only what they meant to.
    const { body } = await put(admin.token, { ...read, timeZone: 'Europe/Berlin' }, read);
    expect(body.site).toEqual({ siteId: 'shared', name: 'Berlin A', timeZone: 'Europe/Berlin' });
    const stale = await grpc.upsertSite({ site: { ...read, name: 'Bonn' }, expected: read }, admin);
    expect(stale.status?.fieldViolations[0]?.field).toMatch(/site\.name$/);
    expect(stale.status?.diagnosticDetails[0]).toMatchObject({ code: 'CHANGED_MEANWHILE' });
    expect(stale.status?.diagnosticDetails[0]?.extras['by']).toBe('GRACE');
    expect((await server.rest('DELETE', path, { token: admin.token })).status).toBe(200);
    const gone = await put(admin.token, { ...read, name: 'Bonn' }, read);
    expect(gone.status).toBe(404);
    const first = (await grpc.listAgents({ siteId: 'main' }, admin)).agents.find(
      ({ agentId }) => agentId === 'ada',
    );
    if (!first) throw new Error('no ada');
    const token = { token: admin.token };
    await grpc.setAgentState({ siteId: 'main', agentId: 'ada', state: AgentState.BUSY }, token);
    const named = await grpc.upsertAgent({ agent: { ...first, name: 'Ada' }, expected: first }, token);
    // What she does came from elsewhere meanwhile.
    expect([named.agent?.name, named.agent?.state]).toEqual(['Ada', AgentState.BUSY]);
    await grpc.upsertAgent({ agent: first }, token);
  });

  it('lists and deletes; a business unit with groups stays', async () => {
    const token = { token: admin.token };
    expect((await grpc.listSites({}, token)).sites.map((site) => site.siteId)).toEqual(['main', 'second']);
    expect(
      (await grpc.listAgents({ siteId: 'main', agentGroupId: 'cards' }, token)).agents.map(
        (agent) => agent.agentId,
      ),
    ).toEqual(['ada']);
    expect((await grpc.listAgentGroups({ siteId: 'main' }, token)).agentGroups).toHaveLength(2);
    expect(
      (await server.rest('GET', '/v1/management/engagement/sites/nowhere/agents', { token: admin.token }))
        .status,
    ).toBe(404);
    const kept = await grpc.deleteBusinessUnit({ siteId: 'main', businessUnitId: '19' }, token);
    expect(kept.status?.statusCode).toBe(StatusCode.PERMISSION_DENIED);
    await grpc.upsertBusinessUnit({ businessUnit: { siteId: 'second', businessUnitId: '5' } }, token);
    expect(
      (await grpc.deleteBusinessUnit({ siteId: 'second', businessUnitId: '5' }, token)).status?.statusCode,
    ).toBe(StatusCode.OK);
    expect((await grpc.listBusinessUnits({ siteId: 'second' }, token)).businessUnits).toEqual([]);
    await grpc.upsertAgent({ agent: { siteId: 'second', agentId: 'bob' } }, token);
    expect((await grpc.deleteAgent({ siteId: 'second', agentId: 'bob' }, token)).status?.statusCode).toBe(
      StatusCode.OK,
    );
    expect(
      (
        await server.rest('DELETE', '/v1/management/engagement/sites/second/agents/bob', {
          token: admin.token,
        })
      ).status,
    ).toBe(404);
    expect(
      (await server.rest('GET', '/v1/management/engagement/sites', { token: member.token })).status,
    ).toBe(403);
  });
});
