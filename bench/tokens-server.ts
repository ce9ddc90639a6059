// The server side of bench/tokens.ts, one process per subject: our token endpoint (SQLite in a temporary folder, log written to
// nowhere), with or without the event log in which it leaves a record of every token, or oidc-provider, which keeps none, with the
// same grant, client authentication, signature and claims.
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApplication } from '../src/auth/applications/create-application.js';
import { createAuthenticator } from '../src/auth/tokens/authenticator.js';
import { createUser } from '../src/auth/users/create-user.js';
import { systemCall } from '../src/auth/permissions.js';
import { openAuth } from '../src/compose/auth.js';
import { composeEvents } from '../src/compose/events.js';
import { createLog } from '../src/compose/log.js';
import { openStorage } from '../src/compose/storage.js';
import { configWith } from '../src/config.js';
import { systemClock, systemIds } from '../src/platform.js';
import { registerOAuthRoutes } from '../src/transport/routes/oauth/routes.js';
import { createTransportServer } from '../src/transport/server.js';

export interface TokenSubject {
  port: number;
  path: string;
  clientId: string;
  secret: string;
}

async function ours(keepsEvents: boolean): Promise<TokenSubject> {
  const home = mkdtempSync(join(tmpdir(), 'voxgate-bench-'));
  process.on('exit', () => rmSync(home, { recursive: true, force: true }));
  const config = configWith({
    home,
    'http.address': '127.0.0.1:0',
    'grpc.address': '127.0.0.1:0',
    'rateLimits.tokenRequestsPerMinute': 1_000_000,
    'rateLimits.tokenRequestsPerAddressPerMinute': 1_000_000,
  });
  const { log } = createLog({ level: 'info', pretty: false }, openSync('/dev/null', 'w'));
  const core = { config, clock: systemClock, ids: systemIds, log };
  const storage = await openStorage(config, systemClock);
  const auth = await openAuth(core, storage, keepsEvents ? composeEvents(core, storage).fromAuth : undefined);
  await auth.start();
  const call = systemCall(auth);
  const owner = await createUser(auth, call, { userName: 'bench', displayName: 'Bench', role: 'member' });
  const { environments } = await createApplication(auth, call, {
    name: 'Bench',
    ownerId: owner.userId,
    environments: [{ name: 'production', geographies: ['us'], tenants: ['tenant-a'] }],
  });
  const server = createTransportServer(
    {
      http: config.http.address,
      grpc: config.grpc.address,
      trustedProxies: false,
      limits: config.limits,
      version: 'bench',
    },
    {
      bindings: [],
      routes: [(http) => registerOAuthRoutes(http, auth)],
      readiness: [],
      authenticate: createAuthenticator(auth),
      log,
      clock: systemClock,
      ids: systemIds,
    },
  );
  const { httpUrl } = await server.start();
  const { client, secret } = environments[0]!.clients[0]!;
  return { port: Number(new URL(httpUrl).port), path: '/oauth2/token', clientId: client.clientId, secret };
}

async function peer(): Promise<TokenSubject> {
  // The package has no type declarations; the name in a variable keeps the compiler from looking for them.
  const peerPackage: string = 'oidc-provider';
  const { default: makeProvider } = (await import(peerPackage)) as {
    default: new (issuer: string, options: object) => { callback(): never };
  };
  const jwk = {
    ...createPrivateKey(
      generateKeyPairSync('ec', {
        namedCurve: 'P-256',
        publicKeyEncoding: { format: 'pem', type: 'spki' },
        privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
      }).privateKey,
    ).export({ format: 'jwk' }),
    alg: 'ES256',
    use: 'sig',
  };
  const secret = 's'.repeat(43);
  const clientId = 'bench-client';
  const provider = new makeProvider('http://127.0.0.1', {
    clients: [
      {
        client_id: clientId,
        client_secret: secret,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [jwk] },
    scopes: ['asr', 'nlu'],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => 'http://127.0.0.1/api',
        getResourceServerInfo: () => ({
          scope: 'asr nlu',
          audience: 'http://127.0.0.1/api',
          accessTokenTTL: 900,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
    extraTokenClaims: () => ({ app_id: 'bench', tenants: ['tenant-a'] }),
  });
  const server = createServer(provider.callback());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, path: '/token', clientId, secret };
}

process.on('message', (message) => {
  if (message === 'usage')
    process.send?.({ usage: { cpu: process.cpuUsage(), rssBytes: process.memoryUsage.rss() } });
});
process.on('disconnect', () => process.exit(0));
const WHICH = process.argv[2];
process.send?.({ subject: await (WHICH === 'peer' ? peer() : ours(WHICH === 'logged')) });
