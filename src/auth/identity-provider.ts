// The company's identity provider as this server sees it: OpenID Connect, code flow with PKCE, state and
// nonce, the ID token checked against the provider's published keys. openid-client does the protocol; its
// discovery result is kept for an hour.
import { createRemoteJWKSet, jwtVerify, type JWTVerifyGetKey } from 'jose';
import * as oidc from 'openid-client';
import type { Clock } from '../platform.js';
import type { ProviderSettings } from './settings.js';

/** What has to be remembered between sending a browser away and its return. */
export interface ProviderTicket {
  state: string;
  nonce: string;
  verifier: string;
}

export interface ProviderIdentity {
  issuer: string;
  subject: string;
  userName: string;
  displayName: string;
  /** Undefined if the provider did not say: then nobody is admitted by a group. */
  groups: ReadonlySet<string> | undefined;
  /** The session there, if the provider names it. */
  providerSession?: string | undefined;
}

/** Whom the provider reports as signed out: a person, one session, or one session of a person. */
export interface LogoutNotice {
  issuer: string;
  subject: string | undefined;
  providerSession: string | undefined;
  jti: string;
  /** Until when the notice must be remembered. */
  endsAtMs: number;
}

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const LOGOUT_AGE_SECONDS = 300;
/** Never a shared secret, and never none. */
const signatures = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'];
const TIMEOUT_SECONDS = 5;
const DISCOVERY_MS = 3600_000;
const GROUPS_MAX = 1000;

export class IdentityProvider {
  readonly #settings: ProviderSettings;
  readonly #redirectUri: string;
  readonly #clock: Clock;
  #known: { config: oidc.Configuration; atMs: number } | undefined;
  #keys: { uri: string; find: JWTVerifyGetKey } | undefined;

  constructor(settings: ProviderSettings, redirectUri: string, clock: Clock) {
    this.#settings = settings;
    this.#redirectUri = redirectUri;
    this.#clock = clock;
  }

  /** Where to send the browser. */
  async begin(prompt: 'login' | undefined): Promise<{ location: string; ticket: ProviderTicket }> {
    const config = await this.#discover();
    const ticket = {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      verifier: oidc.randomPKCECodeVerifier(),
    };
    const location = oidc.buildAuthorizationUrl(config, {
      redirect_uri: this.#redirectUri,
      scope: this.#settings.scopes,
      state: ticket.state,
      nonce: ticket.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(ticket.verifier),
      code_challenge_method: 'S256',
      ...(prompt ? { prompt } : {}),
    });
    return { location: location.toString(), ticket };
  }

  /** The person behind the answer that the browser brought back; throws if it is not valid. */
  async finish(query: string, ticket: ProviderTicket): Promise<ProviderIdentity> {
    const config = await this.#discover();
    const tokens = await oidc.authorizationCodeGrant(config, new URL(`${this.#redirectUri}?${query}`), {
      expectedState: ticket.state,
      expectedNonce: ticket.nonce,
      pkceCodeVerifier: ticket.verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) throw new Error('the identity provider sent no ID token');
    const { groupsClaim, userNameClaim } = this.#settings;
    let all: Record<string, unknown> = claims;
    // Some providers keep ID tokens small and return the rest only on request.
    const asks = all[groupsClaim] === undefined || all[userNameClaim] === undefined;
    if (asks && config.serverMetadata().userinfo_endpoint !== undefined)
      all = { ...(await oidc.fetchUserInfo(config, tokens.access_token, claims.sub)), ...all };
    return {
      issuer: claims.iss,
      subject: claims.sub,
      userName: textOf(all[userNameClaim]) ?? textOf(all['email']) ?? '',
      displayName: textOf(all['name']) ?? textOf(all[userNameClaim]) ?? claims.sub,
      groups: groupsOf(all[groupsClaim]),
      providerSession: providerSessionOf(claims.iss, claims['sid']),
    };
  }

  /** The contents of a logout token (Back-Channel Logout section 2.6); throws if it is not valid. */
  async readLogoutToken(token: string): Promise<LogoutNotice> {
    const metadata = (await this.#discover()).serverMetadata();
    const { payload } = await jwtVerify(token, this.#keysAt(metadata.jwks_uri ?? ''), {
      issuer: metadata.issuer,
      audience: this.#settings.clientId,
      algorithms: signatures,
      requiredClaims: ['iat', 'exp', 'jti', 'events'],
      maxTokenAge: LOGOUT_AGE_SECONDS,
      clockTolerance: TIMEOUT_SECONDS,
      currentDate: new Date(this.#clock.now()),
    });
    const { sub, jti = '', events, nonce } = payload;
    const providerSession = providerSessionOf(metadata.issuer, payload['sid']);
    if (sub === undefined && providerSession === undefined) throw new Error('it names no user');
    // With a nonce it would be an ID token, which anybody who has signed in may hold.
    if (nonce !== undefined || typeof events !== 'object' || !events || !(LOGOUT_EVENT in events))
      throw new Error('not a logout token');
    const endsAtMs = this.#clock.now() + 2 * LOGOUT_AGE_SECONDS * 1000;
    return { issuer: metadata.issuer, subject: sub, providerSession, jti, endsAtMs };
  }

  #keysAt(uri: string): JWTVerifyGetKey {
    if (this.#keys?.uri !== uri)
      this.#keys = {
        uri,
        find: createRemoteJWKSet(new URL(uri), { timeoutDuration: TIMEOUT_SECONDS * 1000 }),
      };
    return this.#keys.find;
  }

  async #discover(): Promise<oidc.Configuration> {
    const now = this.#clock.now();
    if (this.#known && now - this.#known.atMs < DISCOVERY_MS) return this.#known.config;
    const { issuer, clientId, clientSecret } = this.#settings;
    const server = new URL(issuer);
    const isLocal = server.protocol === 'http:' && /^(127\.0\.0\.1|localhost|\[::1\])$/.test(server.hostname);
    const config = await oidc.discovery(
      server,
      clientId,
      undefined,
      clientSecret === '' ? oidc.None() : oidc.ClientSecretBasic(clientSecret),
      {
        timeout: TIMEOUT_SECONDS,
        // Otherwise TLS alone would vouch for ID tokens, and so would every proxy that terminates it.
        execute: [oidc.enableNonRepudiationChecks, ...(isLocal ? [oidc.allowInsecureRequests] : [])],
      },
    );
    this.#known = { config, atMs: now };
    return config;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

const SESSION_LENGTH_MAX = 512;

function providerSessionOf(issuer: string, sid: unknown): string | undefined {
  const text = textOf(sid);
  return text === undefined || text.length > SESSION_LENGTH_MAX ? undefined : `${issuer} ${text}`;
}

function groupsOf(value: unknown): ReadonlySet<string> | undefined {
  if (typeof value === 'string') return new Set([value]);
  if (!Array.isArray(value)) return undefined;
  return new Set(value.filter((each): each is string => typeof each === 'string').slice(0, GROUPS_MAX));
}
