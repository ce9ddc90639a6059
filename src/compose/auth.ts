// Builds the authorization server from the configuration, for the server and for commands.
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { listed } from '../config/read-text.js';
import { ConfigError, type Config } from '../config.js';
import { readCertificates } from '../auth/clients/certificates.js';
import { createAuth, type Auth } from '../auth/create.js';
import type { UserRole } from '../auth/model.js';
import type { AuthEvents } from '../auth/ports.js';
import { parseGroupRules } from '../auth/group-roles.js';
import { defaultAuthSettings, type AuthSettings, type ProviderSettings } from '../auth/settings.js';
import { keySealer, totpSealer } from '../storage/auth/sealing.js';
import { loadSecret } from '../storage/sealing/secrets.js';
import { authStore } from '../storage/auth/store.js';
import { createAuthenticator } from '../auth/tokens/authenticator.js';
import { registerOAuthRoutes } from '../transport/routes/oauth/routes.js';
import { issuerOf, knownAddresses, publicGrpcAddressOf, publicUrlOf } from './addresses.js';
import type { Core, Part } from './part.js';
import type { Storage } from '../storage/open-storage.js';
import { isTimeProven } from './time-proof.js';

/** Ready to use; `start` adds the timers that a server needs and a command does not. */
export async function openAuth(core: Core, storage: Storage, events?: AuthEvents): Promise<Auth> {
  const { config, clock, ids, log, passwords } = core;
  const { database, keyring, audit } = storage;
  const known = core.listening ? undefined : await knownAddresses(database, config);
  const settings = {
    ...authSettings(config, known?.httpUrl),
    sharedState: database.dialect === 'postgres',
    grpcAddress: () => known?.grpcAddress ?? core.listening?.grpcAddress ?? publicGrpcAddressOf(config),
  };
  return createAuth({
    store: authStore({ database, audit, issuer: settings.issuer }),
    clock,
    ids,
    log,
    settings,
    keySealer: keySealer(database, keyring),
    totpSealer: totpSealer(database, keyring),
    pepper: await loadSecret(database, keyring, 'pepper'),
    isTimeProven: () => isTimeProven(core),
    serverName: `${hostname()} (process ${process.pid})`,
    ...(passwords && { passwords }),
    ...(events ? { events } : {}),
  });
}

/** Tokens: the OAuth endpoints, and the bearer check in front of every service. */
export async function composeAuth(
  core: Core,
  storage: Storage,
  events?: AuthEvents,
): Promise<Part & { auth: Auth }> {
  const auth = await openAuth(core, storage, events);
  await auth.start();
  return {
    auth,
    routes: [(http) => registerOAuthRoutes(http, auth)],
    authenticate: createAuthenticator(auth),
    shareCalls: (drain) => auth.joinRates('calls', drain),
    metrics: [
      {
        name: 'voxgate_authentications_total',
        type: 'counter',
        help: 'Authentications by kind (token, sign-in, bearer) and outcome (ok, or why not)',
        value: () => auth.counters.values(),
      },
    ],
    stop: () => auth.stop(),
  };
}

function providerOf({ signIn: { provider } }: Config): ProviderSettings | undefined {
  const { groups, ...rest } = provider;
  const rules = parseGroupRules(groups);
  if (!rules) throw new ConfigError(['signIn.provider.groups: must be GROUP=ROLE separated by commas']);
  return provider.issuer === '' ? undefined : { ...rest, rules };
}

function mutualTlsOf({ tls }: Config): AuthSettings['mutualTls'] {
  const { clientCertificates, clientCertificateHeader, clientAuthorities } = tls;
  return {
    available: clientCertificates || clientCertificateHeader !== '',
    authorities:
      clientAuthorities === ''
        ? []
        : readCertificates('tls.clientAuthorities', readFileSync(clientAuthorities, 'utf8')),
  };
}

export function authSettings(config: Config, publicUrl = publicUrlOf(config)): AuthSettings {
  const { tokens, rateLimits, endpoints } = config;
  const defaults = defaultAuthSettings(publicUrl);
  const issuer = issuerOf(config, publicUrl);
  const perMinute = (limit: number): { perMinute: number; burst: number } => ({
    perMinute: limit,
    burst: limit,
  });
  return {
    ...defaults,
    issuer,
    publicUrl,
    audience: issuer,
    engagementAudience: `${issuer}/engagementAPI`,
    signingAlgorithm: tokens.algorithm,
    accessTokenSeconds: tokens.accessTokenSeconds,
    engagementTokenSeconds: tokens.engagementTokenSeconds,
    refreshTokenSeconds: tokens.refreshTokenSeconds,
    keyMaxAgeMs: tokens.keyMaxAgeDays * 24 * 3600_000,
    loginFailuresMax: rateLimits.failedLoginsBeforeLock,
    loginLockMs: rateLimits.loginLockMinutes * 60_000,
    rateLimits: {
      ...defaults.rateLimits,
      tokenPerAddress: perMinute(rateLimits.tokenRequestsPerAddressPerMinute),
      tokenPerClient: perMinute(rateLimits.tokenRequestsPerMinute),
      tokenFailuresPerAddress: perMinute(rateLimits.failedLoginsPerMinute),
      loginPerAddress: perMinute(rateLimits.failedLoginsPerMinute),
    },
    mutualTls: mutualTlsOf(config),
    localAccounts: config.signIn.localAccounts,
    secondFactorRoles: listed(config.signIn.secondFactorRoles) as UserRole[],
    provider: providerOf(config),
    gateway: config.forwardAuth.gateway,
    applications: config.applications,
    endpoints,
    grpcAddress: () => publicGrpcAddressOf(config),
  };
}
