// The company's identity provider as this server sees it: OpenID Connect, code flow with PKCE, state and nonce, the ID token
// checked against the provider's published keys. openid-client does the protocol; what it found out is kept for an hour.
import { createRemoteJWKSet, jwtVerify, type JWTVerifyGetKey } from 'jose';
import * as oidc from 'openid-client';
import type { Clock } from '../platform.js';
import type { ProviderSettings } from './settings.js';

/** What has to be remembered between sending a browser away and its coming back. */
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
  /** Undefined where the provider did not say: then nobody is let in by a group. */
  groups: ReadonlySet<string> | undefined;
  /** The session there, where the provider names it. */
  providerSession?: string | undefined;
}

/** Who the provider says has left: a person, one session, or one session of a person. */
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

  /** The person behind the answer that the browser brought back; throws when it does not hold. */
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
    // Some providers keep ID tokens small and tell the rest only when asked.
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

  /** What a logout token says (Back-Channel Logout section 2.6); throws when it does not hold. */
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
    // A nonce would make it an ID token, which anybody may hold who has signed in.
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
        // TLS alone would vouch for ID tokens otherwise, and so would every proxy that opens it.
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
