// What the form of a token request means, parameter by parameter: a rule without a server.
import { describe, expect, it } from 'vitest';
import type { AuthDeps } from '../../src/auth/deps.js';
import type { Client } from '../../src/auth/model.js';
import { OAuthError } from '../../src/auth/oauth-error.js';
import { defaultRuntimeScopes } from '../../src/auth/scopes.js';
import { defaultAuthSettings } from '../../src/auth/settings.js';
import { newRuntimeClient, newToolingClient } from '../../src/auth/clients/new-client.js';
import { ACCESS_TOKEN_TYPE, TOKEN_EXCHANGE, readTokenRequest } from '../../src/auth/tokens/token-request.js';

const settings = defaultAuthSettings('https://voxgate.test');
const deps = { settings } as AuthDeps;
const service = newRuntimeClient({
  clientId: 'a',
  appId: 'app',
  geography: 'us',
  name: 'default',
  scopes: defaultRuntimeScopes,
  nowMs: 0,
});
const app = newToolingClient({
  clientId: 'b',
  name: 'App',
  userId: 'u',
  scopes: ['platform-api'],
  grantTypes: ['authorization_code', 'refresh_token'],
  redirectUris: ['https://app.test/back'],
  authMethod: 'none',
  keys: [],
  nowMs: 0,
});

const code = {
  grant_type: 'authorization_code',
  code: 'c',
  redirect_uri: 'https://app.test',
  code_verifier: 'v',
};
const exchange = { grant_type: TOKEN_EXCHANGE, subject_token: 't', subject_token_type: ACCESS_TOKEN_TYPE };

const read = (client: Client, form: Record<string, string>): unknown => {
  try {
    return readTokenRequest(deps, client, new Map(Object.entries(form)));
  } catch (thrown) {
    return thrown instanceof OAuthError ? `${thrown.code}: ${thrown.description}` : thrown;
  }
};

describe('a token request is read once', () => {
  it.each([
    [
      service,
      { grant_type: 'client_credentials', scope: 'asr  nlu asr' },
      { grantType: 'client_credentials', scopes: ['asr', 'nlu'] },
    ],
    [
      service,
      { grant_type: 'client_credentials', scope: ' ' },
      { grantType: 'client_credentials', scopes: undefined },
    ],
    [
      app,
      { ...code, scope: 'not looked at "' },
      {
        grantType: 'authorization_code',
        scopes: undefined,
        code: 'c',
        redirectUri: 'https://app.test',
        codeVerifier: 'v',
      },
    ],
    [
      app,
      { grant_type: 'refresh_token', refresh_token: 'r', scope: 'openid' },
      { grantType: 'refresh_token', scopes: ['openid'], refreshToken: 'r' },
    ],
    [
      service,
      { ...exchange, audience: 'https://voxgate.test/' },
      { grantType: TOKEN_EXCHANGE, scopes: undefined, subjectToken: 't' },
    ],
  ])('%#', (client, form, request) => {
    expect(read(client, form)).toEqual(request);
  });

  it.each([
    [service, { scope: 'asr' }, 'invalid_request: grant_type is missing'],
    [service, { grant_type: 'password' }, 'unsupported_grant_type: this grant type is not supported'],
    [service, { grant_type: 'client_credentials', scope: 'a"b' }, 'invalid_scope: scope is malformed'],
    // Whether the client may use the grant comes before what is missing.
    [
      service,
      { grant_type: 'authorization_code' },
      'unauthorized_client: this client may not use this grant type',
    ],
    [app, { grant_type: TOKEN_EXCHANGE }, 'unauthorized_client: this client may not use this grant type'],
    [app, { ...code, code_verifier: undefined }, 'invalid_request: code_verifier is missing'],
    [app, { grant_type: 'refresh_token' }, 'invalid_request: refresh_token is missing'],
    [app, { ...code, resource: 'https://other.test' }, 'invalid_target: this server has no such resource'],
    [
      service,
      { ...exchange, audience: 'https://other.test' },
      'invalid_target: this server issues no tokens for that audience',
    ],
    [service, { ...exchange, subject_token: undefined }, 'invalid_request: subject_token is missing'],
    [
      service,
      { ...exchange, subject_token_type: 'jwt' },
      `invalid_request: subject_token_type must be ${ACCESS_TOKEN_TYPE}`,
    ],
    [
      service,
      { ...exchange, actor_token: 'x' },
      'invalid_request: actor_token is not supported: the client itself is the actor',
    ],
  ])('or refused: %#', (client, form, refusal) => {
    const given = Object.fromEntries(Object.entries(form).filter(([, value]) => value !== undefined));
    expect(read(client, given as Record<string, string>)).toBe(refusal);
  });
});
