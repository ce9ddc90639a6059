// Signing in with the company's identity provider, against a real one (oidc-provider) on another port: code flow with PKCE,
// users made on their first visit, roles by group at every sign-in, and what must not work.
import { createPrivateKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseGroupRules, rolesOfGroups } from '../../src/auth/group-roles.js';
import { signInWithProvider } from '../../src/auth/provider/sign-in-with-provider.js';
import { createToolingClient } from '../../src/auth/tooling/create-tooling-client.js';
import { createUser } from '../../src/auth/users/create-user.js';
import { updateUser } from '../../src/auth/users/update-user.js';
import { authSettings } from '../../src/compose/auth.js';
import { ConfigError, configWith, loadConfig } from '../../src/config.js';
import {
  callerOf,
  codeIn,
  consoleRequest,
  exchange,
  refresh,
  startTarget,
  type Target,
  type Tokens,
} from '../attacks/support.js';
import { Browser, type Page } from './browser.js';
import { freePort } from '../support/free-port.js';
import { PASSWORD, callOf, postForm } from './support.js';

interface Account {
  login?: string;
  name?: string;
  teams?: string[];
}
const accounts = new Map<string, Account>();
/** The provider's own, so that a test can speak for it. */
const providerKeys = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
let idp: { url: string; redirectUris: string[]; stop(): void };
let target: Target;

async function startProvider(callback: string): Promise<typeof idp> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const redirectUris = [callback];
  // The package has no type declarations; the name in a variable keeps the compiler from looking for them.
  const peerPackage: string = 'oidc-provider';
  const { default: makeProvider } = (await import(peerPackage)) as {
    default: new (
      issuer: string,
      options: object,
    ) => { callback(): (request: IncomingMessage, response: ServerResponse) => void };
  };
  const provider = new makeProvider(url, {
    clients: [
      {
        client_id: 'voxgate',
        client_secret: 'secret-of-the-provider',
        redirect_uris: redirectUris,
        response_types: ['code'],
        grant_types: ['authorization_code'],
        backchannel_logout_uri: callback.replace('callback', 'backchannel-logout'),
        backchannel_logout_session_required: true,
      },
    ],
    claims: { openid: ['sub'], staff: ['login', 'name', 'teams'] },
    conformIdTokenClaims: false,
    features: { backchannelLogout: { enabled: true } },
    findAccount: (_context: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({ sub, ...accounts.get(sub) }),
    }),
    cookies: { keys: ['test'] },
    jwks: {
      keys: [
        { ...createPrivateKey(providerKeys.privateKey).export({ format: 'jwk' }), kid: 'p1', use: 'sig' },
      ],
    },
  });
  const server = createServer((request, response) => provider.callback()(request, response));
  await new Promise<void>((resolve) => server.listen(Number(new URL(url).port), '127.0.0.1', resolve));
  return { url, redirectUris, stop: () => void server.close() };
}

beforeAll(async () => {
  const port = await freePort();
  idp = await startProvider(`http://127.0.0.1:${port}/oauth2/login/callback`);
  const { provider, localAccounts } = authSettings(
    configWith({
      'signIn.localAccounts': false,
      'signIn.provider.issuer': idp.url,
      'signIn.provider.clientId': 'voxgate',
      'signIn.provider.clientSecret': 'secret-of-the-provider',
      'signIn.provider.name': 'Example & Co',
      'signIn.provider.scopes': 'openid staff',
      'signIn.provider.userNameClaim': 'login',
      'signIn.provider.groupsClaim': 'teams',
      'signIn.provider.refreshTokenSeconds': 600,
      'signIn.provider.groups': 'admins=administrator,fraud=tenant-a:fraud-analyst,staff=member',
    }),
  );
  target = await startTarget({ provider, localAccounts }, { port });
});
afterAll(async () => {
  await target.stop();
  idp.stop();
});
beforeEach(() => {
  accounts.clear();
  target.clock.advance(60_000);
});

/** From our sign-in page to the provider, signing in there, and back to us with its answer. */
async function throughProvider(sub: string, browser = new Browser(target.url)): Promise<Page> {
  const attempt = consoleRequest(target);
  const page = await browser.get(attempt.address);
  const href = /<a class="button" href="([^"]+)">Sign in with Example &#38; Co</.exec(page.html)?.[1] ?? '';
  const out = await browser.get(target.url + href.replaceAll('&#38;', '&'));
  return browser.get(await answerOfProvider(out.location ?? '', sub));
}

async function answerOfProvider(location: string, sub: string): Promise<string> {
  const there = new Browser(idp.url);
  let page = await there.follow(await there.get(location));
  page = await there.follow(await there.submit(page, { login: sub, password: 'x' }));
  if (page.location === undefined) page = await there.follow(await there.submit(page, {}));
  return page.location ?? '';
}

async function signIn(sub: string) {
  const browser = new Browser(target.url);
  await throughProvider(sub, browser);
  const attempt = consoleRequest(target);
  const code = codeIn(await browser.get(attempt.address));
  if (code === undefined) return undefined;
  return callerOf(target, (await exchange(target, attempt, code)).access);
}

const find = (userName: string) => target.auth.store.direct.users.findByName(userName);

describe('somebody from the company', () => {
  it('becomes a user on the first visit, with the roles of their groups, and loses them with the group', async () => {
    accounts.set('u1', { login: 'Dora@Example.com', name: 'Dora', teams: ['fraud', 'staff'] });
    const first = await signIn('u1');
    const dora = await find('dora@example.com');
    expect(dora).toMatchObject({ displayName: 'Dora', role: 'member', passwordHash: undefined });
    expect(first).toMatchObject({ userId: dora?.userId, tenants: ['tenant-a'] });
    accounts.set('u1', { login: 'dora.new@example.com', teams: ['admins'] });
    expect(await signIn('u1')).toMatchObject({ userId: dora?.userId, tenants: 'all' });
    accounts.set('u1', { login: 'dora@example.com', teams: ['staff'] });
    expect(await signIn('u1')).toMatchObject({ userId: dora?.userId, tenants: [] });
    expect(target.events.at(-2)).toMatchObject({ type: 'sign-in.succeeded', method: 'provider' });
  });

  it.each([
    ['in no group that counts', { login: 'eve', teams: ['visitors'] }, 'no_group'],
    ['without any groups', { login: 'eve' }, 'no_group'],
    ['without a usable name', { login: 'not a name', teams: ['staff'] }, 'unusable_name'],
    ['with the name of a local account', { login: 'olga', teams: ['staff'] }, 'name_taken'],
  ])('%s is refused', async (_name, account: Account, reason) => {
    accounts.set('u2', account);
    const page = await throughProvider('u2');
    expect(page.status).toBe(403);
    expect(page.html).toContain('Not signed in');
    expect(target.events.at(-1)).toMatchObject({ type: 'sign-in.failed', reason, method: 'provider' });
    expect(await find('eve')).toBeUndefined();
  });

  it('gets an account that was prepared for them; one that is disabled stays so', async () => {
    const made = await createUser(target.auth, target.system, {
      userName: 'finn',
      displayName: 'Finn',
      role: 'member',
    });
    accounts.set('u3', { login: 'finn', teams: ['staff'] });
    expect(await signIn('u3')).toMatchObject({ userId: made.userId });
    // Another person with the same name does not take it over.
    accounts.set('u4', { login: 'finn', teams: ['staff'] });
    expect((await throughProvider('u4')).status).toBe(403);
    await updateUser(target.auth, target.system, { userId: made.userId, locked: true });
    expect((await throughProvider('u3')).status).toBe(403);
  });
});

it('somebody new is turned away where users are not made on their first visit', async () => {
  const { provider } = authSettings(
    configWith({
      'signIn.provider.issuer': idp.url,
      'signIn.provider.clientId': 'voxgate',
      'signIn.provider.createUsers': false,
    }),
  );
  const deps = { ...target.auth, settings: { ...target.auth.settings, provider } };
  const identity = {
    issuer: idp.url,
    subject: 'u6',
    userName: 'ines',
    displayName: 'Ines',
    groups: new Set(['staff']),
  };
  const visit = { address: '127.0.0.1', clientId: 'console' };
  expect(await signInWithProvider(deps, identity, visit)).toEqual({ ok: false, reason: 'unknown-user' });
  expect(await find('ines')).toBeUndefined();
});

describe('somebody who leaves', () => {
  const notice = (change: object = {}, key = providerKeys.privateKey): Promise<string> => {
    const now = Math.floor(target.clock.now() / 1000);
    return new SignJWT({
      sub: 'u7',
      jti: randomUUID(),
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      exp: now + 120,
      ...change,
    })
      .setProtectedHeader({ alg: 'RS256', kid: 'p1', typ: 'logout+jwt' })
      .setIssuer(idp.url)
      .setAudience('voxgate')
      .setIssuedAt(now)
      .sign(createPrivateKey(key));
  };
  const tell = async (token: string): Promise<number> =>
    (await postForm(`${target.url}/oauth2/login/backchannel-logout`, { logout_token: token })).status;

  async function tokensOf(sub: string, teams = ['staff']): Promise<Tokens> {
    accounts.set(sub, { login: `${sub}@example.com`, teams });
    const browser = new Browser(target.url);
    await throughProvider(sub, browser);
    const attempt = consoleRequest(target);
    return exchange(target, attempt, codeIn(await browser.get(attempt.address)) ?? '');
  }

  it('is out at once when the provider says so, once, and only the provider can say it', async () => {
    const tokens = await tokensOf('u7');
    const stranger = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    }).privateKey;
    for (const junk of [
      'junk',
      await notice({}, stranger),
      await notice({ nonce: 'n' }),
      await notice({ events: {} }),
      await notice({ events: undefined }),
      await notice({ sub: undefined }),
      await notice({ exp: undefined }),
    ])
      expect(await tell(junk)).toBe(400);
    expect(await callerOf(target, tokens.access)).toBeDefined();
    const token = await notice();
    expect(await tell(token)).toBe(200);
    expect(await callerOf(target, tokens.access)).toBeUndefined();
    expect(await refresh(target, 'console', tokens.refresh)).toBeUndefined();
    expect(await tell(token)).toBe(400);
    expect(await tell(await notice({ sub: 'nobody-here' }))).toBe(200);
  });

  it('is out in one browser where the provider names its session', async () => {
    const first = new Browser(target.url);
    const second = new Browser(target.url);
    const signedIn = async (browser: Browser): Promise<boolean> =>
      codeIn(await browser.get(consoleRequest(target).address)) !== undefined;
    accounts.set('u10', { login: 'u10@example.com', teams: ['staff'] });
    await throughProvider('u10', first);
    const { userId = '' } = (await find('u10@example.com')) ?? {};
    const sidOf = async (): Promise<string> => {
      target.clock.advance(1000);
      const [newest] = await target.auth.store.direct.grants.listSessions(userId);
      return newest?.providerSession?.replace(`${idp.url} `, '') ?? '';
    };
    const sid = await sidOf();
    await throughProvider('u10', second);
    const other = await sidOf();
    expect(new Set(['', sid, other]).size).toBe(3);
    const attempt = consoleRequest(target);
    const tokens = await exchange(target, attempt, codeIn(await first.get(attempt.address)) ?? '');
    expect(await tell(await notice({ sub: undefined, sid: 'unknown' }))).toBe(200);
    expect(await tell(await notice({ sid }))).toBe(200);
    expect(await signedIn(first)).toBe(true);
    expect(await tell(await notice({ sub: undefined, sid }))).toBe(200);
    expect([await signedIn(first), await signedIn(second)]).toEqual([false, true]);
    expect(await callerOf(target, tokens.access)).toBeUndefined();
    expect(await refresh(target, 'console', tokens.refresh)).toBeUndefined();
    expect(await tell(await notice({ sub: 'u10', sid: other }))).toBe(200);
    expect(await signedIn(second)).toBe(false);
  });

  it('is out at once when no group lets them in any more: role, sessions, tokens, grants and credentials', async () => {
    const tokens = await tokensOf('u9', ['admins']);
    const caller = await callerOf(target, tokens.access);
    expect(caller).toMatchObject({ tenants: 'all' });
    const tool = await createToolingClient(
      target.auth,
      callOf({ ...target.member, userId: caller?.userId ?? '' }),
      {
        name: 'left behind',
        type: 'service-account',
      },
    );
    const credentials = () =>
      postForm(`${target.url}/oauth2/token`, {
        grant_type: 'client_credentials',
        scope: 'platform-api',
        client_id: tool.client.clientId,
        client_secret: tool.secret ?? '',
      });
    expect((await credentials()).status).toBe(200);
    const stillOpen = new Browser(target.url);
    await throughProvider('u9', stillOpen);
    accounts.set('u9', { login: 'u9@example.com', teams: [] });
    expect((await throughProvider('u9')).status).toBe(403);
    expect(await find('u9@example.com')).toMatchObject({ role: 'member', tenantRoles: [] });
    expect(await callerOf(target, tokens.access)).toBeUndefined();
    expect(await refresh(target, 'console', tokens.refresh)).toBeUndefined();
    expect(codeIn(await stillOpen.get(consoleRequest(target).address))).toBeUndefined();
    expect((await credentials()).status).toBe(401);
    const ended = { type: 'access.ended', userId: caller?.userId, reason: 'no_group' };
    expect(target.events).toContainEqual(expect.objectContaining(ended));
    accounts.set('u9', { login: 'u9@example.com', teams: ['staff'] });
    expect(await signIn('u9')).toMatchObject({ userId: caller?.userId, tenants: [] });
  });

  it('comes back to the provider when the time of their tokens is over, however often they are refreshed', async () => {
    const tokens = await tokensOf('u8');
    target.clock.advance(400_000);
    const next = await refresh(target, 'console', tokens.refresh);
    expect(next).toBeDefined();
    target.clock.advance(201_000);
    expect(await refresh(target, 'console', next?.refresh ?? '')).toBeUndefined();
  });
});

it('an address that keeps coming is told to wait', async () => {
  const query = new URL(consoleRequest(target).address).search;
  const statuses: number[] = [];
  for (let i = 0; i < 25; i++)
    statuses.push((await new Browser(target.url).get(`${target.url}/oauth2/login/callback${query}`)).status);
  expect([statuses[0], statuses.at(-1)]).toEqual([403, 429]);
});

describe('an attacker', () => {
  it('cannot bring an answer into a browser that did not ask for it, nor bring one twice', async () => {
    accounts.set('u5', { login: 'gil', teams: ['staff'] });
    const browser = new Browser(target.url);
    const query = new URL(consoleRequest(target).address).search;
    const out = await browser.get(`${target.url}/oauth2/login/provider${query}`);
    const answer = await answerOfProvider(out.location ?? '', 'u5');
    expect((await new Browser(target.url).get(answer)).status).toBe(403);
    const failed = { type: 'sign-in.failed', method: 'provider', address: '127.0.0.1' };
    expect(target.events.at(-1)).toMatchObject({ ...failed, reason: 'expired' });
    const other = new Browser(target.url);
    await other.get(`${target.url}/oauth2/login/provider${query}`);
    expect((await other.get(answer)).status).toBe(403);
    expect(target.events.at(-1)).toMatchObject({ ...failed, reason: 'provider_refused' });
    expect(await find('gil')).toBeUndefined();
    const cookies = new Map(browser.cookies);
    expect((await browser.get(answer)).status).toBe(303);
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    expect((await browser.get(answer)).status).toBe(403);
  });

  it('cannot use a password where local accounts are off', async () => {
    const browser = new Browser(target.url);
    const form = await browser.get(consoleRequest(target).address);
    expect(form.html).not.toContain('type="password"');
    const page = await browser.post(`${target.url}/oauth2/login`, {
      request: new URL(consoleRequest(target).address).search.slice(1),
      user_name: 'olga',
      password: PASSWORD,
    });
    expect(page.status).toBe(403);
    expect(browser.cookies.has('voxgate_session')).toBe(false);
  });
});

it.each([
  ['a=administrator', ['a', 'b'], { role: 'administrator', tenantRoles: [] }],
  ['a=member,b=auditor', ['a', 'b'], { role: 'auditor', tenantRoles: [] }],
  ['CN=a=member', ['CN=a'], { role: 'member', tenantRoles: [] }],
  ['*=member', [], { role: 'member', tenantRoles: [] }],
  ['a=t:owner,b=t:auditor', ['a', 'b'], { role: 'member', tenantRoles: [{ tenantId: 't', role: 'owner' }] }],
  ['a=member', ['b'], undefined],
])('the rules %s give %j the right roles', (text, groups, expected) => {
  expect(rolesOfGroups(parseGroupRules(text) ?? [], new Set(groups))).toEqual(expected);
});

it.each(['a', 'a=king', '=member', 'a=t:king', 'a=:owner'])('the rule %s is refused', (groups) => {
  expect(parseGroupRules(groups)).toBeUndefined();
  const flags = {
    home: '/nowhere',
    'signIn.provider.issuer': 'https://idp.example',
    'signIn.provider.clientId': 'x',
  };
  expect(() => loadConfig({ env: {}, flags })).not.toThrow();
  expect(() => loadConfig({ env: {}, flags: { ...flags, 'signIn.provider.groups': groups } })).toThrow(
    ConfigError,
  );
});

it('passwords cannot be switched off while there is no provider', () => {
  const flags = { home: '/nowhere', 'signIn.localAccounts': 'false' };
  expect(() => loadConfig({ env: {}, flags })).toThrow(/signIn.localAccounts/);
});
