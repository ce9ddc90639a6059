// A token service for attacks: one server per file on a database of its own, an administrator with a signed-in browser,
// a member who registers applications, and the steps of the authorization code flow one by one.
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createToolingClient } from '../../src/auth/tooling/create-tooling-client.js';
import type { CreateToolingClientInput } from '../../src/auth/tooling/create-tooling-client.js';
import { createUser } from '../../src/auth/users/create-user.js';
import { createAuthenticator } from '../../src/auth/tokens/authenticator.js';
import type { Client, UserView } from '../../src/auth/model.js';
import type { AuthSettings } from '../../src/auth/settings.js';
import type { Caller } from '../../src/platform.js';
import { openDatabase, type Database } from '../../src/storage/database.js';
import { migrate } from '../../src/storage/migrate.js';
import { Browser, type Page } from '../auth/browser.js';
import { freePort } from '../support/free-port.js';
import {
  PASSWORD,
  callOf,
  createTestAuth,
  createTestPlatform,
  postForm,
  serveOAuth,
  type TestAuth,
  type TestPlatform,
} from '../auth/support.js';

export interface Target extends TestAuth {
  url: string;
  database: Database;
  platform: TestPlatform;
  /** A person without any rights of their own. */
  member: UserView;
  stop(): Promise<void>;
}

export async function startTarget(
  settings: Partial<AuthSettings> = {},
  serving: { trustedProxies?: number | string[]; port?: number } = {},
  /** One with its tables, which whoever made it closes; otherwise the target has its own. */
  given?: Database,
): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), 'voxgate-attack-'));
  const database = given ?? openDatabase({ kind: 'sqlite', file: join(folder, 'voxgate.db') });
  if (!given) await migrate(database, { now: () => 0 });
  const issuer = `http://127.0.0.1:${serving.port ?? (await freePort())}`;
  const test = await createTestAuth(database, { issuer, settings });
  const platform = await createTestPlatform(test);
  const member = await createUser(test.auth, test.system, {
    userName: 'mallory',
    displayName: 'Mallory',
    role: 'member',
    password: PASSWORD,
    temporary: false,
  });
  const server = await serveOAuth(test, serving);
  return {
    ...test,
    url: issuer,
    database,
    platform,
    member,
    async stop() {
      await server.stop();
      await test.auth.stop();
      if (!given) await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface Attempt {
  verifier: string;
  address: string;
  redirectUri: string;
  clientId: string;
}

/** An authorization request with PKCE, as the client would send the browser to. */
export function authorizationRequest(
  target: Pick<Target, 'url'>,
  clientId: string,
  redirectUri: string,
  more: Record<string, string> = {},
): Attempt {
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'platform-api',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...more,
  });
  return { verifier, redirectUri, clientId, address: `${target.url}/oauth2/authorize?${query}` };
}

export const consoleRequest = (target: Target): Attempt =>
  authorizationRequest(target, 'console', `${target.url}/console/callback`);

/** A browser in which this person has signed in to the console. */
export async function signedInBrowser(target: Target, userName: string): Promise<Browser> {
  const browser = new Browser(target.url);
  const form = await browser.get(consoleRequest(target).address);
  await browser.submit(form, { user_name: userName, password: PASSWORD });
  return browser;
}

export function codeIn(page: Page): string | undefined {
  return page.location === undefined
    ? undefined
    : (new URL(page.location).searchParams.get('code') ?? undefined);
}

export interface Tokens {
  access: string;
  refresh: string;
}

export async function exchange(target: Pick<Target, 'url'>, attempt: Attempt, code: string): Promise<Tokens> {
  const { status, body } = await postForm(`${target.url}/oauth2/token`, {
    grant_type: 'authorization_code',
    code,
    client_id: attempt.clientId,
    redirect_uri: attempt.redirectUri,
    code_verifier: attempt.verifier,
  });
  if (status !== 200) throw new Error(`no token: ${JSON.stringify(body)}`);
  return { access: String(body['access_token']), refresh: String(body['refresh_token']) };
}

export async function refresh(
  target: Pick<Target, 'url'>,
  clientId: string,
  token: string,
): Promise<Tokens | undefined> {
  const { status, body } = await postForm(`${target.url}/oauth2/token`, {
    grant_type: 'refresh_token',
    refresh_token: token,
    client_id: clientId,
  });
  return status === 200
    ? { access: String(body['access_token']), refresh: String(body['refresh_token']) }
    : undefined;
}

/** Who the services would take the holder of this token for; undefined when they would turn it away. */
export async function callerOf(target: Target, token: string): Promise<Caller | undefined> {
  return createAuthenticator(target.auth)({
    authorization: `Bearer ${token}`,
    dpop: undefined,
    method: 'GET',
    url: '/v1/x',
  }).catch(() => undefined);
}

/** A public client of somebody else that the owner of the browser allows to act for them. */
export async function consented(
  target: Target,
  browser: Browser,
  owner: UserView,
  input: Partial<CreateToolingClientInput> = {},
): Promise<{ client: Client; tokens: Tokens }> {
  const { client } = await createToolingClient(target.auth, callOf(owner), {
    name: 'Handy tool',
    type: 'user-account',
    redirectUris: ['https://tool.example/cb'],
    isPublic: true,
    ...input,
  });
  const attempt = authorizationRequest(target, client.clientId, client.redirectUris[0] ?? '');
  const asked = await browser.get(attempt.address);
  const code = codeIn(await browser.submit(asked, { decision: 'allow' }));
  return { client, tokens: await exchange(target, attempt, code ?? '') };
}
