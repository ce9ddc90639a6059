// The built-in client of the console: public, authorization code with PKCE, no consent page because it is part of
// the product. It exists in code only, so no installation can be without it and nobody can change it.
import type { Client } from '../model.js';
import { TOOLING_SCOPE } from '../scopes.js';

export const CONSOLE_CLIENT_ID = 'console';

/** Paths below the public URL where the console may receive its code. */
export const consoleRedirectPaths = ['/console/callback', '/console/', '/callback', '/'];

export function consoleClient(issuer: string): Client {
  return {
    clientId: CONSOLE_CLIENT_ID,
    kind: 'tooling',
    name: 'Console',
    appId: undefined,
    geography: undefined,
    userId: undefined,
    scopes: [TOOLING_SCOPE],
    grantTypes: ['authorization_code', 'refresh_token'],
    redirectUris: consoleRedirectPaths.map((path) => `${issuer}${path}`),
    authMethod: 'none',
    keys: [],
    dpopRequired: false,
    introspectAny: false,
    sites: [],
    locked: false,
    firstParty: true,
    createdAtMs: 0,
    updatedAtMs: 0,
  };
}
