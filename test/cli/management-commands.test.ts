// The management commands, run in this process on a home of their own: what they make works, and what they refuse.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json as readJson } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { parseException, parseWeekly } from '../../src/cli/engagement/opening-hours.js';
import { loadConfig } from '../../src/config.js';
import { openStorage } from '../../src/compose/storage.js';
import { systemClock, systemIds } from '../../src/platform.js';
import { createTenant } from '../../src/tenants/create-tenant.js';
import { tenantsStore } from '../../src/storage/tenants/tenants-store.js';
import { basic, postForm } from '../auth/support.js';
import { startManagementServer } from '../management/support.js';
import { voxgate } from './run-voxgate.js';
import { temporaryFolder, testCall } from '../support/storage.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any
async function json(home: string, ...args: string[]): Promise<any> {
  const { out, code } = await voxgate(home, ...args, '--json');
  expect(out.trim().split('\n')).toHaveLength(1);
  return { ...(JSON.parse(out) as object), code };
}

async function homeWithApplication() {
  const home = temporaryFolder();
  await json(home, 'user', 'create', 'olga', '--admin');
  const app = await json(home, 'app', 'create', 'Telephone banking', '--geography', 'us');
  return {
    home,
    app,
    clientId: app.clients[0].client_id as string,
    secret: app.clients[0].client_secret as string,
  };
}

/** There is no command for scopes but bootstrap, which makes more than is wanted here. */
async function addScope(home: string, scopeId: string): Promise<string> {
  const storage = await openStorage(loadConfig({ env: {}, flags: { home } }), systemClock);
  const store = tenantsStore({ ...storage, contentDeleters: [], onContentDeleted: () => {} });
  const deps = { store, clock: systemClock, ids: systemIds, deletionDelayMs: 0 };
  const { gkScopeId } = await createTenant(deps, testCall(), {
    scopeId,
    profile: 'SMALL',
    expectedPersonsNumber: 1,
  });
  await storage.close();
  return gkScopeId;
}

describe('voxgate app and client', () => {
  it('make credentials that a server accepts, and that stop when locked', async () => {
    const { home, app, clientId, secret } = await homeWithApplication();
    const server = await startManagementServer({ home });
    try {
      const token = (using: string) =>
        postForm(
          `${server.httpUrl}/oauth2/token`,
          { grant_type: 'client_credentials', scope: 'tts' },
          { authorization: basic(clientId, using) },
        );
      expect((await token(secret)).status).toBe(200);
      const made = await json(home, 'client', 'regenerate', clientId, '--overlap', '3600');
      await expect.poll(async () => (await token(made.client_secret)).status, { interval: 250 }).toBe(200);
      expect((await token(secret)).status).toBe(200);
      // What they ask for is in the requests log; this is refused, because users are not for programs.
      const { access_token } = (await token(secret)).body;
      await server.rest('GET', '/v1/management/users', { token: String(access_token) });
      await server.events.flush();
      const requests = async (...more: string[]) =>
        (await json(home, 'client', 'requests', app.app_id, ...more)).requests as { method: string }[];
      const refused = await requests('--failed', '--client', clientId);
      // Beside what was asked with the new secret before the server had heard of it.
      expect(refused.filter(({ method }) => method !== 'RequestToken')).toEqual([
        expect.objectContaining({ client_id: clientId, method: 'ListUsers', outcome: 'REFUSED_403' }),
      ]);
      expect(await requests('--method', 'Verify')).toEqual([]);
      expect((await voxgate(home, 'client', 'requests', app.app_id)).out).toContain('ListUsers');
      expect((await json(home, 'client', 'lock', clientId, '--reason', 'test')).locked).toBe(true);
      await expect.poll(async () => (await token(secret)).status, { interval: 250 }).toBe(401);
    } finally {
      await server.stop();
    }
    expect(app.app_id).toBe(/^appID:([^:]+):/.exec(clientId)?.[1]);
  });

  it('print config.json with the secret left to fill in, and the URN blocks with --json', async () => {
    const { home, app, clientId } = await homeWithApplication();
    const { out } = await voxgate(home, 'client', 'config', app.app_id);
    expect(JSON.parse(out)).toMatchObject([
      { client_id: clientId, client_secret: '', oauth_server_url: expect.stringContaining('/oauth2/token') },
    ]);
    expect(await json(home, 'client', 'config', app.app_id, '--language', 'deu-DEU')).toMatchObject({
      asr_params: { language: 'deu-DEU' },
    });
  });

  it('create, narrow and delete clients; the last one stays', async () => {
    const { home, app, clientId } = await homeWithApplication();
    const made = await json(home, 'client', 'create', app.app_id, 'kiosk', '--scopes', 'tts,asr');
    expect(made).toMatchObject({ scopes: ['tts', 'asr'], client_secret: expect.any(String) });
    expect((await json(home, 'client', 'scopes', made.client_id, 'tts')).scopes).toEqual(['tts']);
    expect((await json(home, 'client', 'list', app.app_id)).clients).toHaveLength(2);
    expect((await json(home, 'client', 'show', made.client_id)).secrets).toHaveLength(1);
    expect(await json(home, 'client', 'delete', made.client_id)).toMatchObject({ deleted: true });
    expect(await json(home, 'client', 'delete', clientId)).toMatchObject({
      code: 1,
      error: expect.stringContaining('last client'),
    });
  });

  it('look after environments, tenants and members', async () => {
    const { home, app } = await homeWithApplication();
    const applicationId = app.application_id as string;
    const production = await json(
      home,
      'app',
      'add-environment',
      applicationId,
      'production',
      '--geography',
      'us',
      '--geography',
      'eu',
    );
    expect(production.clients).toHaveLength(2);
    expect(await json(home, 'app', 'grant', production.app_id, 'nowhere')).toMatchObject({
      code: 1,
      error: 'no such tenant: nowhere',
    });
    const gkScopeId = await addScope(home, 'my-bank');
    expect((await json(home, 'app', 'grant', production.app_id, 'my-bank')).tenants).toEqual([gkScopeId]);
    expect((await json(home, 'app', 'withdraw', production.app_id, gkScopeId)).tenants).toEqual([]);
    await json(home, 'user', 'create', 'mark');
    expect((await json(home, 'app', 'set-member', applicationId, 'mark', 'developer')).members).toHaveLength(
      2,
    );
    expect(await json(home, 'app', 'remove-member', applicationId, 'olga')).toMatchObject({
      code: 1,
      error: expect.stringContaining('last owner'),
    });
    expect((await json(home, 'app', 'remove-member', applicationId, 'mark')).members).toHaveLength(1);
    expect((await json(home, 'app', 'rename', applicationId, 'New name')).name).toBe('New name');
    expect((await voxgate(home, 'app', 'list')).out).toContain('New name');
    expect(await json(home, 'client', 'config', production.app_id)).toMatchObject({
      code: 1,
      error: expect.stringContaining('--geography: us, eu'),
    });
    expect(await json(home, 'app', 'delete-environment', production.app_id)).toMatchObject({ deleted: true });
    expect(await json(home, 'app', 'delete', applicationId)).toMatchObject({ deleted: true });
    expect((await voxgate(home, 'app', 'show', applicationId)).err).toContain('no such application');
  });
});

describe('voxgate user', () => {
  it('creates, locks, promotes and deletes, and takes a password from a file', async () => {
    const home = temporaryFolder();
    const first = await json(home, 'user', 'create', 'Olga', '--admin', '--display-name', 'Olga O.');
    expect(first).toMatchObject({
      user_name: 'olga',
      role: 'administrator',
      display_name: 'Olga O.',
      password: expect.stringMatching(/^\S{20,}$/),
    });
    const file = join(home, 'password');
    writeFileSync(file, 'a long enough pass phrase\n');
    const second = await json(home, 'user', 'create', 'mark', '--password-file', file);
    expect(second).not.toHaveProperty('password');
    expect(second.must_change_password).toBe(true);
    expect(JSON.stringify(second)).not.toContain('pass phrase');
    expect((await json(home, 'user', 'role', 'mark', 'administrator')).role).toBe('administrator');
    expect((await json(home, 'user', 'lock', 'mark')).locked).toBe(true);
    expect((await json(home, 'user', 'unlock', 'mark')).locked).toBe(false);
    expect(await json(home, 'user', 'password', 'mark')).toHaveProperty('password');
    const kept = ['--password-file', file, '--keep-password'];
    expect(await json(home, 'user', 'create', 'nele', ...kept)).toMatchObject({
      must_change_password: false,
    });
    const waiting = await json(home, 'user', 'create', 'ove', '--without-password');
    expect(waiting).toMatchObject({ has_password: false });
    expect(waiting).not.toHaveProperty('password');
    expect(await json(home, 'user', 'reset-factors', 'nele')).toMatchObject({ reset: true });
    expect((await voxgate(home, 'user', 'list')).out.trim().split('\n')).toHaveLength(4);
    expect(await json(home, 'user', 'delete', 'mark')).toMatchObject({ deleted: true });
    expect(await json(home, 'user', 'delete', 'olga')).toMatchObject({
      code: 1,
      error: expect.stringContaining('last administrator'),
    });
    expect(await json(home, 'user', 'create', 'olga')).toMatchObject({ code: 1 });
  });
});

describe('voxgate engagement and agents', () => {
  it('register a client whose tokens ask about the model set here', async () => {
    const home = temporaryFolder();
    await voxgate(home, 'agents', 'set-site', 'main', '--time-zone', 'Europe/Berlin');
    await voxgate(home, 'agents', 'set-unit', 'main', '19', '--name', 'Cards');
    await voxgate(home, 'agents', 'set-group', 'main', 'cards', '--unit', '19', '--queue-capacity', '3');
    await voxgate(
      home,
      'agents',
      'set',
      'main',
      'ada',
      '--group',
      'cards',
      '--state',
      'available',
      '--attributes',
      'language,de',
    );
    const made = await json(home, 'engagement', 'register', 'Shop', '--site', 'main');
    expect(made).toMatchObject({
      sites: ['main'],
      scopes: ['agentAvailability', 'engagement'],
      locked: false,
    });

    const server = await startManagementServer({ home });
    try {
      const form = { client_id: made.client_id as string, grant_type: 'client_credentials' };
      const answer = await postForm(`${server.httpUrl}/oauth-server/oauth/token`, form, {
        authorization: basic(made.client_id, made.client_secret),
      });
      const ask = () =>
        server.rest(
          'POST',
          '/engagementAPI/v2/customer/agentAvailability?siteID=main&businessUnitID=19&output=JSON',
          { token: String(answer.body['access_token']) },
        );
      expect((await ask()).body).toEqual({ isAvailable: true, isInHOP: true, status: 'online' });
      expect((await json(home, 'engagement', 'lock', made.client_id, '--reason', 'leaked')).locked).toBe(
        true,
      );
      await expect.poll(async () => (await ask()).status, { interval: 250 }).toBe(401);
    } finally {
      await server.stop();
    }
    expect((await json(home, 'engagement', 'unlock', made.client_id)).locked).toBe(false);
    const again = await json(
      home,
      'engagement',
      'register',
      'Shop',
      '--site',
      'main',
      '--scope',
      'agentAvailability',
    );
    expect(again.client_id).not.toBe(made.client_id);
    expect((await json(home, 'engagement', 'list')).clients).toHaveLength(2);
    expect(await json(home, 'engagement', 'register', 'No site')).toMatchObject({
      code: 1,
      error: expect.stringContaining('sites'),
    });
    const storage = await openStorage(loadConfig({ env: {}, flags: { home } }), systemClock);
    const records = await storage.audit.read({ chain: 'system', afterSeq: 0, limit: 100 });
    await storage.close();
    expect(JSON.stringify(records)).not.toContain(made.client_secret);
    expect(records.map((record) => record.operation)).toEqual(
      expect.arrayContaining(['engagement.site.put', 'client.lock', 'client.unlock']),
    );
  });

  it('answer the question for another moment, and list and delete what was set', async () => {
    const home = temporaryFolder();
    const tenantId = await addScope(home, 'bank');
    const setSite = ['agents', 'set-site', 'main', '--time-zone', 'America/New_York', '--tenant'];
    expect(await json(home, ...setSite, 'nobody')).toMatchObject({
      code: 1,
      error: expect.stringContaining('site.gk_scope_id'),
    });
    expect(await json(home, ...setSite, tenantId)).toMatchObject({ tenant_id: tenantId });
    await voxgate(home, 'agents', 'set-unit', 'main', '19');
    await voxgate(home, 'agents', 'set-group', 'main', 'cards', '--unit', '19');
    await voxgate(home, 'agents', 'set', 'main', 'ada', '--group', 'cards', '--slots', '2');
    await voxgate(home, 'agents', 'state', 'main', 'ada', 'available', '--used', '1');
    const hours = await json(
      home,
      'agents',
      'set-hours',
      'main',
      'week',
      '--open',
      'mon-fri=09:00-17:00',
      '--exception',
      '2024-01-09=closed',
    );
    expect(hours).toMatchObject({
      time_zone: 'America/New_York',
      exceptions: [{ date: '2024-01-09', closed: true }],
    });
    expect(hours.spans).toHaveLength(5);
    const at = (time: string) => json(home, 'agents', 'available', 'main', '19', '--at', time);
    expect(await at('2024-01-08T15:00:00Z')).toMatchObject({
      is_available: true,
      is_in_hop: true,
      status: 'online',
      free_slots: 1,
    });
    expect(await at('2024-01-09T15:00:00Z')).toMatchObject({ is_available: false, is_in_hop: false });
    expect(await json(home, 'agents', 'available', 'main', '20')).toMatchObject({
      code: 1,
      error: expect.stringContaining('business unit'),
    });
    expect((await json(home, 'agents', 'list', 'main')).agents).toMatchObject([
      { agent_id: 'ada', slots_used: 1 },
    ]);
    expect((await json(home, 'agents', 'hours', 'main')).hours).toHaveLength(1);
    expect((await json(home, 'agents', 'groups', 'main')).agent_groups).toHaveLength(1);
    expect((await json(home, 'agents', 'units', 'main')).business_units).toHaveLength(1);
    for (const args of [
      ['delete-hours', 'main', 'week'],
      ['delete', 'main', 'ada'],
      ['delete-group', 'main', 'cards'],
      ['delete-unit', 'main', '19'],
      ['delete-site', 'main'],
    ]) {
      expect(await json(home, 'agents', ...args)).toMatchObject({ code: 0, deleted: true });
    }
    expect((await voxgate(home, 'agents', 'sites')).out.trim()).toBe('no sites');
  });
});

describe('opening hours as text', () => {
  it('are read with ranges over the week end, nights and midnight', () => {
    expect(parseWeekly('sat-mon=22:00-02:00').map((span) => span.weekday)).toEqual([6, 7, 1]);
    expect(parseWeekly('Fri=08:30-00:00')).toEqual([{ weekday: 5, startMinute: 510, endMinute: 1440 }]);
    expect(parseException('2024-12-24=09:00-12:00')).toEqual({
      date: '2024-12-24',
      closed: false,
      startMinute: 540,
      endMinute: 720,
    });
    for (const wrong of ['mo=09:00-17:00', 'mon=9-17', 'mon=09:00-17:60', ''])
      expect(() => parseWeekly(wrong)).toThrow('--open must look like');
    for (const wrong of ['2024-12-24', '2024-12-24=maybe'])
      expect(() => parseException(wrong)).toThrow('--exception must look like');
  });
});

describe('voxgate webhook', () => {
  it('adds, shows, changes and removes receivers, and says what was sent', async () => {
    const home = temporaryFolder();
    const tenant = await addScope(home, 'callers');
    const webhook = (...args: string[]) => voxgate(home, 'webhook', ...args, '--tenant', tenant);
    expect((await webhook('list')).out).toBe('no webhooks\n');
    const made = await webhook('create', 'https://hooks.example.com/in', '--type', 'voxgate.v1.Verify');
    expect(made.out).toMatch(/^Webhook {2}\S+\nSecret {3}whsec_\S+\n/);
    const [, id = ''] = /^Webhook {2}(\S+)/.exec(made.out) ?? [];
    const line = (types: string, state: string) =>
      `${id}  https://hooks.example.com/in  ${types}  ${state}  0 waiting  0 given up\n`;
    expect((await webhook('list')).out).toBe(line('voxgate.v1.Verify', 'on'));
    expect((await webhook('show', id)).out).toBe(line('voxgate.v1.Verify', 'on'));
    expect((await webhook('update', id, '--all-types', '--disable')).out).toBe(line('all', 'off'));
    expect((await webhook('update', id, '--description', 'case tool')).out).toBe(line('all', 'off'));
    const enabled = await json(home, 'webhook', 'update', id, '--enable', '--tenant', tenant);
    expect(enabled).toMatchObject({ code: 0, webhook_id: id, is_enabled: true, description: 'case tool' });
    expect(JSON.stringify(enabled)).not.toContain('whsec_');

    const rotated = (await webhook('rotate', id)).out;
    expect(rotated).toMatch(/^Secret {2}whsec_\S+\n/);
    expect(rotated).toMatch(/Until .*, events are also signed with the old secret/);
    expect(rotated).not.toContain(/whsec_\S+/.exec(made.out)?.[0]);
    expect((await webhook('rotate', id, '--overlap', '0')).out).toContain('The old secret no longer signs.');

    expect((await webhook('dead-letters', id)).out).toBe('no dead letters\n');
    expect((await webhook('replay', id, '--dead-letters')).out).toBe('0 events will be sent again\n');
    expect(await json(home, 'webhook', 'replay', id, '--tenant', tenant)).toMatchObject({
      events: expect.any(Number) as number,
    });
    expect((await webhook('delete', id)).out).toBe('deleted\n');
    expect((await webhook('list')).out).toBe('no webhooks\n');
  });

  it('tries a receiver, and says what waits for one that is off', async () => {
    const home = temporaryFolder();
    const settings = { webhooks: { privateNetworks: '127.0.0.1', plainHttp: true } };
    writeFileSync(join(home, 'config.json'), JSON.stringify(settings));
    const tenant = await addScope(home, 'callers');
    const webhook = (...args: string[]) => voxgate(home, 'webhook', ...args, '--tenant', tenant);
    const answers = [200, 503];
    const events: { type: string; id: string }[] = [];
    const receiver = createServer((request, response) => {
      void readJson(request).then((event) => {
        events.push(event as (typeof events)[number]);
        response.writeHead(answers[events.length - 1] ?? 500).end();
      });
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/in`;
    const { webhook_id: id } = await json(home, 'webhook', 'create', url, '--tenant', tenant);
    const pinged = await json(home, 'webhook', 'ping', id, '--tenant', tenant);
    expect(pinged).toMatchObject({ code: 0, delivered: true, http_status: 200, event_id: events[0]?.id });
    expect(await webhook('ping', id)).toMatchObject({
      code: 1,
      err: 'voxgate: not delivered: the receiver answered 503\n',
    });
    receiver.closeAllConnections();
    receiver.close();
    await webhook('update', id, '--disable');
    const waiting = await json(home, 'webhook', 'replay', id, '--tenant', tenant);
    expect(waiting).toMatchObject({ code: 0, webhook_is_off: true });
    expect((await webhook('replay', id)).out).toMatch(
      new RegExp(
        `^\\d+ events? will be sent again when the webhook is switched on \\(.*${id} --enable\\)\n$`,
      ),
    );
  });

  it('says what is wrong', async () => {
    const home = temporaryFolder();
    const tenant = await addScope(home, 'callers');
    const webhook = (...args: string[]) => voxgate(home, 'webhook', ...args, '--tenant', tenant);
    expect((await voxgate(home, 'webhook', 'list')).err).toContain('--tenant');
    expect((await webhook('show', 'unknown')).err).toBe('voxgate: no such webhook\n');
    expect((await webhook('create', 'http://hooks.example.com')).err).toContain('https');
    for (const inside of ['10.0.0.1', 'localhost'])
      expect((await webhook('create', `https://${inside}/in`)).err).toContain(
        'must not be inside a private network',
      );
    const { webhook_id: webhookId } = await json(
      home,
      'webhook',
      'create',
      'https://hooks.example.com',
      '--tenant',
      tenant,
    );
    expect((await webhook('replay', webhookId, '--since', 'yesterday')).err).toContain(
      '--since must be a time such as',
    );
  });
});
