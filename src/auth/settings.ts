// Every number and address that the authorization server runs with. The composition root fills it from the
// configuration; the defaults suit a single node with a busy telephony fleet.
import type { X509Certificate } from 'node:crypto';
import type { GroupRule } from './group-roles.js';
import type { SigningAlgorithm, UserRole } from './model.js';

const GRPC_PORT = 8081;

/** Addresses (host:port) by geography; '*' applies to every geography that is not named. */
export type Endpoint = Readonly<Record<string, string>>;

/** A token bucket: `burst` at once, refilled at `perMinute`. */
export interface RateLimit {
  perMinute: number;
  burst: number;
}

/** Which gateway asks at /oauth2/forward-auth. */
export type Gateway = 'none' | 'nginx' | 'traefik' | 'envoy';

export interface ProviderSettings {
  issuer: string;
  clientId: string;
  /** Empty for a public client, which PKCE alone protects. */
  clientSecret: string;
  /** Its display name, for the sign-in page. */
  name: string;
  scopes: string;
  userNameClaim: string;
  groupsClaim: string;
  /** Without any, everybody is admitted as a member and roles are assigned here. */
  rules: readonly GroupRule[];
  /** How long the tokens of its people can be refreshed before they have to go back to it. */
  refreshTokenSeconds: number;
  /** Creates a user on somebody's first visit. */
  createUsers: boolean;
}

export interface AuthSettings {
  /** Issuer identifier: the public URL, without a trailing slash. */
  issuer: string;
  /** Where clients reach the HTTP listener, without a trailing slash. */
  publicUrl: string;
  /** Other nodes use the same database: what must not happen twice is remembered there. */
  sharedState: boolean;
  /** `aud` of runtime and tooling tokens. */
  audience: string;
  /** `aud` of engagement tokens, so that neither kind passes for the other. */
  engagementAudience: string;
  signingAlgorithm: SigningAlgorithm;
  accessTokenSeconds: number;
  engagementTokenSeconds: number;
  refreshTokenSeconds: number;
  authorizationCodeSeconds: number;
  loginSessionSeconds: number;
  /** A new signing key is published this long before it signs. */
  keyActivationDelayMs: number;
  /** Automatic rotation; 0 leaves rotation to the operator. */
  keyMaxAgeMs: number;
  /** How often a node looks for changes made by others. */
  changePollMs: number;
  /** Longest overlap that regenerating a secret may leave. */
  secretOverlapMaxMs: number;
  /** Accepted age of client assertions and DPoP proofs, and tolerated clock difference. */
  proofMaxAgeSeconds: number;
  clockSkewSeconds: number;
  loginFailuresMax: number;
  loginLockMs: number;
  rateLimits: {
    tokenPerAddress: RateLimit;
    tokenPerClient: RateLimit;
    /** Wrong credentials only: slows down guessing without touching good requests from the same address. */
    tokenFailuresPerAddress: RateLimit;
    loginPerAddress: RateLimit;
    loginPerUser: RateLimit;
    /** Per address, after many consecutive wrong passwords for an account. */
    guardedLogin: RateLimit;
    /** Codes of a second factor, per person. */
    secondStep: RateLimit;
    /** Failed sign-ins that get an audit record each, per person. */
    auditedFailures: RateLimit;
  };
  /** Whether callers can present a certificate here, and whose certificates count for `tls_client_auth`. */
  mutualTls: { available: boolean; authorities: readonly X509Certificate[] };
  /** People may sign in with a password of this server. */
  localAccounts: boolean;
  /** People with these roles need a second factor in addition to their password. */
  secondFactorRoles: readonly UserRole[];
  /** The company's identity provider, if there is one. */
  provider: ProviderSettings | undefined;
  gateway: Gateway;
  /** Who may create applications besides administrators, and how many applications such a person may own. */
  applications: { creators: 'administrators' | 'owners'; perOwner: number };
  /** Services that an administrator has entered, for config.json; a service of this server needs no entry. */
  endpoints: Readonly<Record<'asr' | 'nlu' | 'tts' | 'dlg' | 'voiceprint', Endpoint>>;
  /** host:port at which clients reach the gRPC listener of this server; known once it listens. */
  grpcAddress: () => string;
}

export function defaultAuthSettings(publicUrl: string): AuthSettings {
  const issuer = publicUrl.replace(/\/+$/, '');
  return {
    issuer,
    publicUrl: issuer,
    sharedState: false,
    audience: issuer,
    engagementAudience: `${issuer}/engagementAPI`,
    signingAlgorithm: 'ES256',
    accessTokenSeconds: 900,
    engagementTokenSeconds: 3600,
    refreshTokenSeconds: 30 * 24 * 3600,
    authorizationCodeSeconds: 60,
    loginSessionSeconds: 12 * 3600,
    keyActivationDelayMs: 10 * 60_000,
    keyMaxAgeMs: 90 * 24 * 3600_000,
    changePollMs: 2000,
    secretOverlapMaxMs: 30 * 24 * 3600_000,
    proofMaxAgeSeconds: 60,
    clockSkewSeconds: 5,
    loginFailuresMax: 10,
    loginLockMs: 15 * 60_000,
    rateLimits: {
      tokenPerAddress: { perMinute: 600, burst: 600 },
      tokenPerClient: { perMinute: 600, burst: 600 },
      tokenFailuresPerAddress: { perMinute: 30, burst: 60 },
      loginPerAddress: { perMinute: 20, burst: 20 },
      loginPerUser: { perMinute: 10, burst: 10 },
      guardedLogin: { perMinute: 1, burst: 2 },
      // Three of a million codes are valid at a time: at 720 guesses a day, finding one takes more than a
      // year.
      secondStep: { perMinute: 0.5, burst: 5 },
      auditedFailures: { perMinute: 1, burst: 30 },
    },
    mutualTls: { available: false, authorities: [] },
    localAccounts: true,
    secondFactorRoles: [],
    provider: undefined,
    gateway: 'none',
    applications: { creators: 'owners', perOwner: 20 },
    endpoints: { asr: {}, nlu: {}, tts: {}, dlg: {}, voiceprint: {} },
    grpcAddress: () => `${new URL(issuer).hostname}:${GRPC_PORT}`,
  };
}
