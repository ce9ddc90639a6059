// An independent client library against a running server: discovery, client credentials, code with PKCE, refresh,
// introspection, revocation, DPoP and private_key_jwt. On both databases.
import * as oauth from 'openid-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClient } from '../../src/auth/clients/create-client.js';
import type { PublicJwk } from '../../src/auth/model.js';
import { createAuthenticator } from '../../src/auth/tokens/authenticator.js';
import { createToolingClient } from '../../src/auth/tooling/create-tooling-client.js';
import { createUser } from '../../src/auth/users/create-user.js';
import { listOwnSessions, revokeOwnSession } from '../../src/auth/users/own-sessions.js';
import { forEachDatabase } from '../support/database.js';
import { Browser } from './browser.js';
import { freePort } from '../support/free-port.js';
import { PASSWORD, callOf, createTestAuth, createTestPlatform, serveOAuth } from './support.js';
import type { OAuthServer, TestAuth, TestPlatform } from './support.js';

await forEachDatabase(({ open }) => {
  let test: TestAuth;
  let platform: TestPlatform;
  let server: OAuthServer;

  beforeEach(async () => {
    const issuer = `http://127.0.0.1:${await freePort()}`;
    test = await createTestAuth(await open(), { issuer });
    platform = await createTestPlatform(test);
    server = await serveOAuth(test);
  });

  afterEach(async () => {
    await server.stop();
    await test.auth.stop();
  });

  const discover = (
    clientId: string,
    authentication?: oauth.ClientAuth,
    algorithm: 'oauth2' | 'oidc' = 'oauth2',
  ): Promise<oauth.Configuration> =>
    oauth.discovery(new URL(server.url), clientId, undefined, authentication, {
      algorithm,
      execute: [oauth.allowInsecureRequests],
    });

  const guard = (authorization: string, dpop?: string, method = 'GET', url = `${server.url}/v1/things`) =>
    createAuthenticator(test.auth)({ authorization, dpop, method, url });

  describe('client credentials', () => {
    it('by Basic and by body; the token opens our services and names the tenants', async () => {
      const { clientId } = platform.client;
      for (const authentication of [
        oauth.ClientSecretBasic(platform.secret),
        oauth.ClientSecretPost(platform.secret),
      ]) {
        const config = await discover(clientId, authentication);
        const tokens = await oauth.clientCredentialsGrant(config, { scope: 'biosec tts' });
        expect(tokens).toMatchObject({ expires_in: 900, scope: 'biosec tts', token_type: 'bearer' });
        const caller = await guard(`Bearer ${tokens.access_token}`);
        expect(caller).toMatchObject({
          clientId,
          appId: platform.environment.appId,
          scopes: ['biosec', 'tts'],
          tenants: ['tenant-a'],
        });
      }
      expect((await discover(clientId, undefined, 'oidc')).serverMetadata().token_endpoint).toBe(
        `${server.url}/oauth2/token`,
      );
    });

    it('with private_key_jwt, and an assertion works once only', async () => {
      const pair = await oauth.randomDPoPKeyPair('ES256');
      const jwk = (await crypto.subtle.exportKey('jwk', pair.publicKey)) as PublicJwk;
      const { kty, crv, x, y } = jwk as Required<PublicJwk>;
      const { client, secret } = await createClient(test.auth, callOf(platform.owner), {
        appId: platform.environment.appId,
        geography: 'us',
        name: 'signer',
        keys: [{ kty, crv, x, y }],
      });
      expect(secret).toBeUndefined();
      const config = await discover(client.clientId, oauth.PrivateKeyJwt(pair.privateKey));
      let sent = '';
      config[oauth.customFetch] = (url, options) => {
        sent = String(options.body);
        return fetch(url, options as RequestInit);
      };
      const tokens = await oauth.clientCredentialsGrant(config, { scope: 'asr' });
      expect(tokens.scope).toBe('asr');
      const replay = await fetch(`${server.url}/oauth2/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: sent,
      });
      expect(replay.status).toBe(401);
      expect(await replay.json()).toMatchObject({ error: 'invalid_client' });
    });
  });

  describe('introspection and revocation', () => {
    it('work for these JWTs; a revoked token opens nothing', async () => {
      const config = await discover(platform.client.clientId, oauth.ClientSecretBasic(platform.secret));
      const { access_token: token } = await oauth.clientCredentialsGrant(config, { scope: 'log' });
      expect(await oauth.tokenIntrospection(config, token)).toMatchObject({
        active: true,
        scope: 'log',
        client_id: platform.client.clientId,
        iss: server.url,
        token_type: 'bearer',
      });
      await guard(`Bearer ${token}`);
      await oauth.tokenRevocation(config, token);
      expect(await oauth.tokenIntrospection(config, token)).toEqual({ active: false });
      await expect(guard(`Bearer ${token}`)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
      await oauth.tokenRevocation(config, 'no-such-token');
    });
  });

  describe('DPoP', () => {
    it('binds the token to the key: no proof, a used proof and another key are refused', async () => {
      const config = await discover(platform.client.clientId, oauth.ClientSecretBasic(platform.secret));
      const handle = oauth.getDPoPHandle(config, await oauth.randomDPoPKeyPair('ES256'));
      const tokens = await oauth.clientCredentialsGrant(config, { scope: 'asr' }, { DPoP: handle });
      expect(tokens.token_type).toBe('dpop');

      const proofs: Array<{ authorization: string; dpop: string }> = [];
      config[oauth.customFetch] = async (_url, options) => {
        const headers = new Headers(options.headers as Record<string, string>);
        proofs.push({ authorization: headers.get('authorization')!, dpop: headers.get('dpop')! });
        return new Response('{}');
      };
      const fetchThing = (key: oauth.DPoPHandle) =>
        oauth.fetchProtectedResource(
          config,
          tokens.access_token,
          new URL(`${server.url}/v1/things?x=1`),
          'GET',
          null,
          undefined,
          { DPoP: key },
        );
      await fetchThing(handle);
      const { authorization, dpop } = proofs[0]!;
      expect((await guard(authorization, dpop)).clientId).toBe(platform.client.clientId);
      await expect(guard(authorization, dpop)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
      await expect(guard(`Bearer ${tokens.access_token}`)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
      await fetchThing(handle);
      await expect(guard(authorization, proofs[1]!.dpop, 'POST')).rejects.toMatchObject({
        code: 'UNAUTHENTICATED',
      });
      await fetchThing(oauth.getDPoPHandle(config, await oauth.randomDPoPKeyPair('ES256')));
      await expect(guard(authorization, proofs[2]!.dpop)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    });
  });

  describe('authorization code with PKCE', () => {
    const redirectUri = 'https://app.example/callback';

    async function throughTheBrowser(
      config: oauth.Configuration,
      parameters: Record<string, string>,
    ): Promise<{ url: URL; verifier: string }> {
      const verifier = oauth.randomPKCECodeVerifier();
      const url = oauth.buildAuthorizationUrl(config, {
        scope: 'platform-api',
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state: 'state-1',
        ...parameters,
      });
      const browser = new Browser(server.url);
      let page = await browser.get(url.toString());
      page = await browser.follow(await browser.submit(page, { user_name: 'olga', password: PASSWORD }));
      if (page.status === 200) page = await browser.follow(await browser.submit(page, { decision: 'allow' }));
      return { url: new URL(page.location!, server.url), verifier };
    }

    it('with login and consent; refresh tokens rotate; the token carries the user', async () => {
      const { client, secret } = await createToolingClient(test.auth, callOf(platform.owner), {
        name: 'Release robot',
        type: 'user-account',
        redirectUris: [redirectUri],
      });
      const config = await discover(client.clientId, oauth.ClientSecretBasic(secret!));
      const { url, verifier } = await throughTheBrowser(config, { redirect_uri: redirectUri });
      const tokens = await oauth.authorizationCodeGrant(config, url, {
        pkceCodeVerifier: verifier,
        expectedState: 'state-1',
      });
      expect(tokens.scope).toBe('platform-api');
      const caller = await guard(`Bearer ${tokens.access_token}`);
      expect(caller).toMatchObject({
        userId: platform.owner.userId,
        tenants: 'all',
        scopes: ['platform-api'],
      });

      const refreshed = await oauth.refreshTokenGrant(config, tokens.refresh_token!);
      expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
      await guard(`Bearer ${refreshed.access_token}`);
      await expect(oauth.refreshTokenGrant(config, tokens.refresh_token!)).rejects.toMatchObject({
        error: 'invalid_grant',
      });
      // The reuse was a theft signal: what came from this authorization is over.
      await expect(oauth.refreshTokenGrant(config, refreshed.refresh_token!)).rejects.toMatchObject({
        error: 'invalid_grant',
      });
      await expect(guard(`Bearer ${refreshed.access_token}`)).rejects.toMatchObject({
        code: 'UNAUTHENTICATED',
      });
    });

    async function consoleTokens() {
      const config = await discover('console', oauth.None());
      const { url, verifier } = await throughTheBrowser(config, {
        redirect_uri: `${server.url}/console/callback`,
      });
      const checks = { pkceCodeVerifier: verifier, expectedState: 'state-1' };
      return { config, tokens: await oauth.authorizationCodeGrant(config, url, checks) };
    }

    async function expectEnded(
      config: oauth.Configuration,
      tokens: oauth.TokenEndpointResponse,
    ): Promise<void> {
      await expect(oauth.refreshTokenGrant(config, tokens.refresh_token!)).rejects.toMatchObject({
        error: 'invalid_grant',
      });
      await expect(guard(`Bearer ${tokens.access_token}`)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    }

    it('for the console, which is public, built in and needs no consent', async () => {
      const { config, tokens } = await consoleTokens();
      expect((await guard(`Bearer ${tokens.access_token}`)).userId).toBe(platform.owner.userId);
      await oauth.tokenRevocation(config, tokens.refresh_token!);
      await expectEnded(config, tokens);
    });

    it('for a browser that is signed out from another, at once', async () => {
      const { config, tokens } = await consoleTokens();
      const call = callOf(platform.owner);
      await guard(`Bearer ${tokens.access_token}`);
      for (const { sessionHash } of await listOwnSessions(test.auth, call))
        await revokeOwnSession(test.auth, call, { sessionHash });
      await expectEnded(config, tokens);
    });
  });

  describe('a service account', () => {
    it('gets platform-api and nothing else, with the permissions of its user', async () => {
      const member = await createUser(test.auth, test.system, {
        userName: 'mia',
        displayName: 'Mia',
        role: 'member',
        password: PASSWORD,
        tenantRoles: [{ tenantId: 'tenant-b', role: 'developer' }],
      });
      const { client, secret } = await createToolingClient(test.auth, callOf(member), {
        name: 'nightly',
        type: 'service-account',
      });
      const config = await discover(client.clientId, oauth.ClientSecretBasic(secret!));
      const tokens = await oauth.clientCredentialsGrant(config, { scope: 'platform-api' });
      expect(await guard(`Bearer ${tokens.access_token}`)).toMatchObject({
        userId: member.userId,
        tenants: ['tenant-b'],
      });
      await expect(oauth.clientCredentialsGrant(config, { scope: 'asr' })).rejects.toMatchObject({
        error: 'invalid_scope',
      });
    });
  });
});
