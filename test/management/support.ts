// A whole server on a temporary home, and people who hold real tokens for it: an administrator, an owner and a member,
// each through a service account on their profile.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuth, type Auth } from '../../src/auth/create.js';
import type { UserRole, UserView } from '../../src/auth/model.js';
import { systemCall } from '../../src/auth/permissions.js';
import { createToolingClient } from '../../src/auth/tooling/create-tooling-client.js';
import { createUser } from '../../src/auth/users/create-user.js';
import { composeEvents, type Events } from '../../src/compose/events.js';
import { composeManagement, openEngagement } from '../../src/compose/management.js';
import type { Core, Part } from '../../src/compose/part.js';
import type { Storage } from '../../src/storage/open-storage.js';
import { openStorage } from '../../src/compose/storage.js';
import { authSettings } from '../../src/compose/auth.js';
import { createAuthenticator } from '../../src/auth/tokens/authenticator.js';
import { configWith } from '../../src/config.js';
import type { EngagementDeps } from '../../src/engagement-api/deps.js';
import { silentLog, systemIds, type Call } from '../../src/platform.js';
import { keySealer, totpSealer } from '../../src/storage/auth/sealing.js';
import { loadSecret } from '../../src/storage/sealing/secrets.js';
import { authStore } from '../../src/storage/auth/store.js';
import { registerOAuthRoutes } from '../../src/transport/routes/oauth/routes.js';
import type { SpeakerModel } from '../../src/voice/scoring/speaker-model.js';
import { cheapPasswords } from '../support/passwords.js';
import { freePort } from '../support/free-port.js';
import { basic, postForm, testClock, type TestClock } from '../auth/support.js';
import { startTestServer, type TestServer } from '../support/server.js';

export interface ManagementServer extends TestServer {
  auth: Auth;
  storage: Storage;
  events: Events;
  engagement: EngagementDeps;
  clock: TestClock;
  system: Call;
  /** A user with a token of their own. */
  person(userName: string, role: UserRole): Promise<{ user: UserView; token: string }>;
  runtimeToken(clientId: string, secret: string, scope: string): Promise<string>;
}

/** Only what the system service shows of it. */
const testModel = {
  revision: 'voice-model-7',
  dim: 4,
  thresholds: [{ far: 0.01, llr: 1.5 }],
} as unknown as SpeakerModel;

export const PASSWORD = 'purple tractor under a lemon';

/** On a home of its own, which goes with it, or on the one that the settings name. */
export async function startManagementServer(
  settings: Readonly<Record<string, unknown>> = {},
): Promise<ManagementServer> {
  const given = typeof settings['home'] === 'string' ? settings['home'] : undefined;
  const home = given ?? mkdtempSync(join(tmpdir(), 'voxgate-management-'));
  const port = await freePort();
  const config = configWith({
    ...settings,
    home,
    'http.address': `127.0.0.1:${port}`,
    'grpc.address': '127.0.0.1:0',
  });
  const clock = testClock();
  const core: Core = { config, clock, ids: systemIds, log: silentLog };
  const storage = await openStorage(config, clock);
  const events = composeEvents(core, storage);
  const authentication = authSettings(config);
  const auth = createAuth({
    store: authStore({ database: storage.database, audit: storage.audit, issuer: authentication.issuer }),
    clock,
    ids: systemIds,
    log: silentLog,
    settings: authentication,
    keySealer: keySealer(storage.database, storage.keyring),
    totpSealer: totpSealer(storage.database, storage.keyring),
    pepper: await loadSecret(storage.database, storage.keyring, 'pepper'),
    events: events.fromAuth,
    passwords: cheapPasswords,
  });
  await auth.start();
  const parts: Part[] = [
    { stop: () => storage.close(), readiness: [{ name: 'database', check: async () => true }] },
    events,
  ];
  parts.push({
    routes: [(http) => registerOAuthRoutes(http, auth)],
    authenticate: createAuthenticator(auth),
    stop: () => auth.stop(),
  });
  parts.push(
    composeManagement(core, {
      storage,
      auth,
      events,
      engine: { model: testModel, detectors: {} },
      parts: () => parts,
    }),
  );
  const server = await startTestServer({
    parts,
    realAuth: true,
    config: { home, 'http.address': `127.0.0.1:${port}` },
    bare: true,
    overrides: { clock },
  });
  const system = systemCall(auth);
  const tokenUrl = `${server.httpUrl}/oauth2/token`;
  const token = async (clientId: string, secret: string, scope: string): Promise<string> => {
    const answer = await postForm(
      tokenUrl,
      { grant_type: 'client_credentials', scope },
      { authorization: basic(clientId, secret) },
    );
    if (answer.status !== 200) throw new Error(`no token: ${JSON.stringify(answer.body)}`);
    return String(answer.body['access_token']);
  };
  return {
    ...server,
    auth,
    storage,
    events,
    engagement: openEngagement(core, storage),
    clock,
    system,
    runtimeToken: token,
    async person(userName, role) {
      const user = await createUser(auth, system, {
        userName,
        displayName: userName.toUpperCase(),
        role,
        password: PASSWORD,
      });
      const call: Call = {
        ...system,
        caller: {
          ...system.caller,
          subject: user.userId,
          clientId: 'console',
          userId: user.userId,
          tenants: [],
        },
      };
      const { client, secret } = await createToolingClient(auth, call, {
        name: 'script',
        type: 'service-account',
      });
      return { user, token: await token(client.clientId, secret ?? '', 'platform-api') };
    },
    async stop() {
      await server.stop();
      if (given === undefined) rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Fields that a status finds fault with, as paths inside the request. */
export function faultyFields(
  status: { fieldViolations: readonly { field: string }[] } | undefined,
): string[] {
  return (status?.fieldViolations ?? []).map(({ field }) => field.replace(/^.*Request\./, ''));
}

/** A tenant in the store, as ScopesManager would make it. */
export async function addTenant({ database }: Storage, gkScopeId: string): Promise<void> {
  const row = { customer_name: '', description: '', is_billable: 0, profile: 'DEFAULT', type: 'DEMO' };
  await database.db
    .insertInto('scopes')
    .values({
      ...row,
      gk_scope_id: gkScopeId,
      scope_id: gkScopeId,
      state: 'ACTIVE',
      expected_persons_number: 1,
      go_live_at: null,
      activated_at: null,
      delete_after: null,
      created_at: 1,
      modified_at: 1,
    })
    .execute();
}
