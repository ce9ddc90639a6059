// What a first client needs, made once: a tenant, a config set for telephone calls in it, an administrator and
// an application that may act in the tenant. Each step notes the identifiers it made, so that a second run
// (or one after a crash) makes only what is missing and can name what is there. Secrets are never noted.
import { setTimeout as pause } from 'node:timers/promises';
import { underLease } from '../storage/leases.js';
import { bootstrapAuth } from '../auth/bootstrap.js';
import type { Auth } from '../auth/create.js';
import { createSetupToken } from '../auth/users/first-run-setup.js';
import { systemCaller } from '../audit/model.js';
import { activateRevision } from '../biometrics/configsets/change-revision.js';
import { createConfigset } from '../biometrics/configsets/create-revision.js';
import { factoryTemplates } from '../biometrics/configsets/factory-templates.js';
import type { Call } from '../platform.js';
import { createTenant } from '../tenants/create-tenant.js';
import type { TenantsDeps } from '../tenants/deps.js';
import { setTenantState } from '../tenants/set-tenant-state.js';
import { readSetting, writeSetting } from '../storage/settings.js';
import { tenantsStore } from '../storage/tenants/tenants-store.js';
import { knownAddresses, type PublicAddresses } from './addresses.js';
import { openAuth } from './auth.js';
import { biometricsDepsOf } from './biometrics.js';
import type { Core } from './part.js';
import type { Storage } from '../storage/open-storage.js';

/** Printed by `voxgate bootstrap --json`, whose keys have the names of the wire; the secrets only when they were made in this run. */
export interface BootstrapReport {
  admin: {
    username: string;
    password?: string;
    /** Where the administrator chooses a password; only until setup is closed. */
    setup_url?: string;
  };
  scope: { scope_id: string; gk_scope_id: string };
  configset_id: string;
  application: { app_id: string; client_id: string; client_secret?: string };
  urls: { http: string; grpc: string; token: string };
}

/** Noted in the database under `bootstrap`. */
interface Made {
  scopeId?: string;
  gkScopeId?: string;
  configsetId?: string;
  username?: string;
  appId?: string;
  clientId?: string;
}

interface Secrets {
  password?: string;
  clientSecret?: string;
}

/**
 * How the administrator comes by a password: it is made here and replaced at the first sign-in, made here to be kept, or
 * chosen behind a link that only its holder can use.
 */
export type FirstPassword = 'made' | 'kept' | 'by-link';

interface BootstrapState {
  core: Core;
  storage: Storage;
  auth: Auth;
  call: Call;
  firstPassword: FirstPassword;
}

interface Step {
  isDone(made: Made): boolean;
  run(state: BootstrapState, made: Made): Promise<{ made: Made; secrets?: Secrets }>;
}

const SETTING_NAME = 'bootstrap';
const DEMO_SCOPE_ID = 'demo';
const DEMO_CONFIGSET_ID = 'telephone';
const PASSWORD_BYTES = 18;

const steps: readonly Step[] = [
  { isDone: (made) => made.gkScopeId !== undefined, run: makeTenant },
  { isDone: (made) => made.configsetId !== undefined, run: makeConfigset },
  { isDone: (made) => made.clientId !== undefined, run: makeAccess },
];

export async function bootstrap(
  core: Core,
  storage: Storage,
  firstPassword: FirstPassword = 'made',
): Promise<BootstrapReport> {
  return inTurn(storage, () => runMissingSteps(core, storage, firstPassword));
}

async function runMissingSteps(
  core: Core,
  storage: Storage,
  firstPassword: FirstPassword,
): Promise<BootstrapReport> {
  const auth = await openAuth(core, storage);
  const state: BootstrapState = { core, storage, auth, call: bootstrapCall(core), firstPassword };
  let made = await readMade(storage);
  let secrets: Secrets = {};
  for (const step of steps) {
    if (step.isDone(made)) continue;
    const outcome = await step.run(state, made);
    made = { ...made, ...outcome.made };
    secrets = { ...secrets, ...outcome.secrets };
    await writeMade(storage, made);
  }
  // A link that was printed before and lost is worth nothing: each run prints a fresh one.
  const addresses = await knownAddresses(storage.database, core.config);
  const setupUrl = firstPassword === 'by-link' ? await setupUrlOf(addresses, auth) : undefined;
  return report(addresses, made, secrets, setupUrl);
}

/** A new setup link, which replaces earlier ones; undefined once setup is closed. */
export async function setupUrlOf(
  { httpUrl }: Pick<PublicAddresses, 'httpUrl'>,
  auth: Auth,
): Promise<string | undefined> {
  const token = await createSetupToken(auth);
  return token === undefined ? undefined : `${httpUrl}/setup?token=${token}`;
}

function bootstrapCall(core: Core): Call {
  return {
    requestId: 'bootstrap',
    signal: new AbortController().signal,
    log: core.log,
    caller: systemCaller,
  };
}

async function makeTenant({ core, storage, call }: BootstrapState): Promise<{ made: Made }> {
  const { database, keyring, audit } = storage;
  const store = tenantsStore({ database, keyring, audit, contentDeleters: [], onContentDeleted: () => {} });
  const deps: TenantsDeps = { store, clock: core.clock, ids: core.ids, deletionDelayMs: 0 };
  const there = await store.read.findByChosenId(DEMO_SCOPE_ID);
  if (there) return { made: { scopeId: DEMO_SCOPE_ID, gkScopeId: there.gkScopeId } };
  const { gkScopeId } = await createTenant(deps, call, {
    scopeId: DEMO_SCOPE_ID,
    profile: 'DEFAULT',
    expectedPersonsNumber: 1000,
    details: { customerName: 'Demo', description: 'Made by bootstrap', type: 'DEMO' },
  });
  await setTenantState(deps, call, { gkScopeId, state: 'ACTIVE' });
  return { made: { scopeId: DEMO_SCOPE_ID, gkScopeId } };
}

/** Free speech on the telephone; the factory template says what that means in numbers. */
async function makeConfigset(
  { core, storage, call }: BootstrapState,
  { gkScopeId = '' }: Made,
): Promise<{ made: Made }> {
  const deps = biometricsDepsOf(core, storage);
  const template = factoryTemplates[0];
  const context = { gkScopeId };
  const isThere = await deps.store.read.configsets.findActive(gkScopeId, 'CONFIGSET', DEMO_CONFIGSET_ID);
  if (!isThere) {
    const gkConfigsetRevisionId = await createConfigset(deps, call, {
      context,
      configsetId: DEMO_CONFIGSET_ID,
      type: 'OPERATIONAL',
      description: template?.description ?? '',
      source: { kind: 'document', content: JSON.stringify(template?.overrides ?? {}) },
      performValidation: true,
    });
    await activateRevision(deps, call, { context, gkConfigsetRevisionId });
  }
  return { made: { configsetId: DEMO_CONFIGSET_ID } };
}

async function makeAccess(
  { core, auth, firstPassword }: BootstrapState,
  made: Made,
): Promise<{ made: Made; secrets?: Secrets }> {
  const password = firstPassword === 'by-link' ? undefined : core.ids.token(PASSWORD_BYTES);
  const result = await bootstrapAuth(auth, {
    administratorName: 'admin',
    ...(password === undefined ? {} : { administratorPassword: password }),
    keepPassword: firstPassword === 'kept',
    applicationName: 'Demo',
    environmentName: 'demo',
    geography: 'local',
    gkScopeId: made.gkScopeId ?? '',
  });
  const { userName, appId, clientId, clientSecret } = result;
  if (!result.created || userName === undefined || appId === undefined || clientId === undefined)
    return { made: { ...(userName !== undefined && { username: userName }) } };
  return {
    made: { username: userName, appId, clientId },
    secrets: {
      ...(result.hasPassword && password !== undefined ? { password } : {}),
      ...(clientSecret === undefined ? {} : { clientSecret }),
    },
  };
}

/** The report of a bootstrap that ran before its server listened, with the addresses it got then. */
export function reportAt(
  report: BootstrapReport,
  { httpUrl, grpcAddress }: PublicAddresses,
): BootstrapReport {
  const { admin, urls } = report;
  return {
    ...report,
    admin:
      admin.setup_url === undefined
        ? admin
        : { ...admin, setup_url: admin.setup_url.replace(urls.http, httpUrl) },
    urls: urlsAt({ httpUrl, grpcAddress }),
  };
}

function urlsAt({ httpUrl, grpcAddress }: PublicAddresses): BootstrapReport['urls'] {
  return { http: httpUrl, grpc: grpcAddress, token: `${httpUrl}/oauth2/token` };
}

function report(
  addresses: PublicAddresses,
  made: Made,
  secrets: Secrets,
  setupUrl: string | undefined,
): BootstrapReport {
  return {
    admin: {
      username: made.username ?? '',
      ...(secrets.password === undefined ? {} : { password: secrets.password }),
      ...(setupUrl === undefined ? {} : { setup_url: setupUrl }),
    },
    scope: { scope_id: made.scopeId ?? '', gk_scope_id: made.gkScopeId ?? '' },
    configset_id: made.configsetId ?? '',
    application: {
      app_id: made.appId ?? '',
      client_id: made.clientId ?? '',
      ...(secrets.clientSecret === undefined ? {} : { client_secret: secrets.clientSecret }),
    },
    urls: urlsAt(addresses),
  };
}

async function readMade({ database }: Storage): Promise<Made> {
  const value = await readSetting(database, SETTING_NAME);
  return value === undefined ? {} : (JSON.parse(value) as Made);
}

function writeMade({ database }: Storage, made: Made): Promise<void> {
  return writeSetting(database, SETTING_NAME, JSON.stringify(made));
}

const LEASE_NAME = 'bootstrap.lease';
const LEASE_MS = 60_000;
const LEASE_POLL_MS = 100;

/** Nodes that start together on an empty database take turns; the lease of one that died runs out. */
async function inTurn<T>({ database }: Storage, work: () => Promise<T>): Promise<T> {
  for (;;) {
    const turn = await underLease(database, LEASE_NAME, LEASE_MS, work);
    if (turn.held) return turn.result;
    await pause(LEASE_POLL_MS);
  }
}
