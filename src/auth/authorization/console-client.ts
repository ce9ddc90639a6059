// The built-in client of the console: public, authorization code with PKCE, no consent page because it is part of
// the product. It exists in code only, so no installation can be without it and nobody can change it.
import type { Client } from '../model.js';
import { TOOLING_SCOPE } from '../scopes.js';

export const CONSOLE_CLIENT_ID = 'console';

/** Where the console receives its code: this one address, compared exactly. */
const CALLBACK_PATH = '/console/callback';
const HOME_PATH = '/console/';

/** Where people open the console, and where it comes back to after signing out. */
export function consoleHome(issuer: string): string {
  return `${issuer}${HOME_PATH}`;
}

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
    redirectUris: [`${issuer}${CALLBACK_PATH}`],
    authMethod: 'none',
    keys: [],
    certificate: undefined,
    dpopRequired: false,
    introspectAny: false,
    sites: [],
    locked: false,
    firstParty: true,
    createdAtMs: 0,
    updatedAtMs: 0,
  };
}
