// An authorization server for tests: real storage, real sealing, a clock that only moves when told, and a second node
// on the same database where a test needs one.
import { createAuth } from '../../src/auth/create.js';
import type { Auth, AuthNeeds } from '../../src/auth/create.js';
import { systemCall } from '../../src/auth/permissions.js';
import type { AuthEvent } from '../../src/auth/ports.js';
import { defaultAuthSettings } from '../../src/auth/settings.js';
import type { AuthSettings } from '../../src/auth/settings.js';
import { createUser } from '../../src/auth/users/create-user.js';
import { createApplication } from '../../src/auth/applications/create-application.js';
import type { Client, Environment, UserView } from '../../src/auth/model.js';
import { configWith } from '../../src/config.js';
import type { Call, Log } from '../../src/platform.js';
import { silentLog, systemIds } from '../../src/platform.js';
import { auditLog } from '../../src/storage/audit/audit-log.js';
import type { AuditLog } from '../../src/storage/audit/audit-log.js';
import { keySealer, totpSealer } from '../../src/storage/auth/sealing.js';
import { loadSecret } from '../../src/storage/sealing/secrets.js';
import { authStore } from '../../src/storage/auth/store.js';
import type { Database } from '../../src/storage/database.js';
import { openKeyring } from '../../src/storage/sealing/keyring.js';
import { masterKeyFrom } from '../../src/storage/sealing/master-key.js';
import { createTransportServer } from '../../src/transport/server.js';
import { registerOAuthRoutes } from '../../src/transport/routes/oauth/routes.js';
import { createAuthenticator } from '../../src/auth/tokens/authenticator.js';
import type { ServiceBinding } from '../../src/transport/service.js';
import { cheapPasswords } from '../support/passwords.js';

export interface TestClock {
  now(): number;
  advance(ms: number): void;
}

/** Starts at the real time, because libraries of others look at the real clock. */
export function testClock(): TestClock {
  let offset = 0;
  return {
    now: () => Date.now() + offset,
    advance: (ms) => {
      offset += ms;
    },
  };
}

export interface TestAuth {
  auth: Auth;
  clock: TestClock;
  audit: AuditLog;
  events: AuthEvent[];
  system: Call;
}

const master = masterKeyFrom(new Uint8Array(32).fill(7));

export async function createTestAuth(
  database: Database,
  options: {
    issuer?: string;
    settings?: Partial<AuthSettings>;
    clock?: TestClock;
    log?: Log;
    needs?: Partial<AuthNeeds>;
  } = {},
): Promise<TestAuth> {
  const clock = options.clock ?? testClock();
  const issuer = options.issuer ?? 'http://voxgate.test';
  const keyring = await openKeyring({
    database,
    source: { description: 'test', load: () => master, create: () => master },
    clock,
  });
  const audit = auditLog({ database, keyring, clock });
  const events: AuthEvent[] = [];
  const auth = createAuth({
    store: authStore({ database, audit, issuer }),
    clock,
    ids: systemIds,
    log: options.log ?? silentLog,
    settings: { ...defaultAuthSettings(issuer), ...options.settings },
    keySealer: keySealer(database, keyring),
    totpSealer: totpSealer(database, keyring),
    pepper: await loadSecret(database, keyring, 'pepper'),
    events: { record: (event) => events.push(event) },
    passwords: cheapPasswords,
    ...options.needs,
  });
  await auth.start();
  return { auth, clock, audit, events, system: systemCall(auth) };
}

/** A call of a signed-in person. */
export function callOf(user: UserView): Call {
  return {
    requestId: 'test',
    caller: {
      subject: user.userId,
      issuer: 'http://voxgate.test',
      clientId: 'console',
      userId: user.userId,
      scopes: ['platform-api'],
      tenants: user.role === 'administrator' ? 'all' : user.tenantRoles.map(({ tenantId }) => tenantId),
    },
    signal: new AbortController().signal,
    log: silentLog,
  };
}

export const PASSWORD = 'purple tractor under a lemon';

export interface TestPlatform {
  owner: UserView;
  applicationId: string;
  environment: Environment;
  client: Client;
  secret: string;
}

/** An owner, an application with one environment in one geography, and its default client. */
export async function createTestPlatform(
  { auth, system }: TestAuth,
  tenants: readonly string[] = ['tenant-a'],
): Promise<TestPlatform> {
  const owner = await createUser(auth, system, {
    userName: 'olga',
    displayName: 'Olga Owner',
    role: 'administrator',
    password: PASSWORD,
    temporary: false,
  });
  const { application, environments } = await createApplication(auth, system, {
    name: 'Telephone banking',
    ownerId: owner.userId,
    environments: [{ name: 'development', geographies: ['us'], tenants }],
  });
  const first = environments[0]!;
  const { client, secret } = first.clients[0]!;
  return { owner, applicationId: application.applicationId, environment: first.environment, client, secret };
}

export interface OAuthServer {
  url: string;
  stop(): Promise<void>;
}

/** Listens at the issuer's address. */
export async function serveOAuth(
  { auth }: TestAuth,
  options: {
    bindings?: readonly ServiceBinding[];
    log?: Log;
    trustedProxies?: number | string[];
    drain?: () => Promise<void>;
  } = {},
): Promise<OAuthServer> {
  const { port } = new URL(auth.settings.issuer);
  const server = createTransportServer(
    {
      http: { host: '127.0.0.1', port: Number(port) },
      grpc: { host: '127.0.0.1', port: 0 },
      trustedProxies: options.trustedProxies ?? false,
      limits: configWith({ 'limits.shutdownMs': 100 }).limits,
      version: 'test',
    },
    {
      bindings: options.bindings ?? [],
      routes: [(http) => registerOAuthRoutes(http, auth)],
      readiness: [],
      authenticate: createAuthenticator(auth),
      log: options.log ?? silentLog,
      clock: auth.clock,
      ids: auth.ids,
      ...(options.drain && { drain: options.drain }),
    },
  );
  await server.start();
  return { url: auth.settings.issuer, stop: () => server.stop() };
}

export function basic(clientId: string, secret: string): string {
  return `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`;
}

export async function postForm(
  url: string,
  form: Record<string, string> | string,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Headers; body: Record<string, unknown> }> {
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
  };
}
