// The vocabulary of the authorization server: people, applications, their environments, the clients that ask
// for tokens, and what a token says. Plain data; no storage and no HTTP in here.

import type { TenantRole } from './roles.js';

/** auditor: sees what an administrator sees and changes nothing. */
export type UserRole = 'administrator' | 'auditor' | 'member';

/** A tenant (gk_scope_id) and what somebody may do in it. */
export interface TenantGrant {
  tenantId: string;
  role: TenantRole;
}

/** A person who signs in to the console or to the tooling interface. */
export interface User {
  userId: string;
  /** Login name, kept in lower case and unique. */
  userName: string;
  displayName: string;
  role: UserRole;
  /** Encoded scrypt hash; absent until the person has set a password. */
  passwordHash: string | undefined;
  /** Somebody else chose the password: the next sign-in asks for a new one. */
  mustChangePassword: boolean;
  /** Set by an administrator; stops sign-in and every token of the user. */
  locked: boolean;
  /**
   * Sign-ins are slowed down until then (milliseconds since 1970), after many wrong passwords. Only for
   * display: auth_failures decides.
   */
  lockedUntilMs: number;
  /** Tenants granted to the person in addition to those of their applications. */
  tenantRoles: readonly TenantGrant[];
  createdAtMs: number;
  updatedAtMs: number;
  /** Browsers known under an earlier epoch count as unknown. */
  deviceEpoch: string | undefined;
}

/** The part of a user that others may see. */
export type UserView = Omit<User, 'passwordHash' | 'deviceEpoch'> & {
  hasPassword: boolean;
  hasSecondFactor: boolean;
  /** Nobody has signed in as this user yet, nor could without an invitation or an identity provider. */
  isInvited: boolean;
};

export interface ApplicationMember {
  userId: string;
  role: TenantRole;
}

/** A project. Its environments are what runtime credentials belong to. */
export interface Application {
  applicationId: string;
  name: string;
  createdAtMs: number;
  updatedAtMs: number;
}

/** One environment of an application; `appId` is the application ID that stands in the client IDs. */
export interface Environment {
  appId: string;
  applicationId: string;
  /** For example `development` or `production`. */
  name: string;
  /** Regions the environment is deployed to; credentials belong to one of them. */
  geographies: readonly string[];
  /** Tenant scopes (gk_scope_id) that tokens of this environment may reach. */
  tenants: readonly string[];
  /** The tag under which models are deployed; part of the resource URNs. */
  contextTag: string;
  createdAtMs: number;
  updatedAtMs: number;
}

/** runtime: belongs to an application ID. tooling: made on a user's profile. engagement: registered out of band. */
export type ClientKind = 'runtime' | 'tooling' | 'engagement';

export type GrantType = 'client_credentials' | 'authorization_code' | 'refresh_token';

/** How a client proves who it is at the token endpoint; `none` is a public client, held by PKCE alone. */
export type ClientAuthMethod =
  | 'secret'
  | 'private_key_jwt'
  // By a certificate signed by a trusted authority, or by a registered one.
  | 'tls_client_auth'
  | 'self_signed_tls_client_auth'
  | 'none';

/** The certificate of a client (RFC 8705). Exactly one member is set. */
export interface CertificateRule {
  /** self_signed_tls_client_auth: SHA-256 thumbprints in base64url. */
  thumbprints?: readonly string[];
  /** tls_client_auth: one of these names, in a certificate of an authority that the operator trusts. */
  subjectDn?: string;
  sanDns?: string;
  sanUri?: string;
}

/** A public key as a JWK; only the members that matter here are named. */
export interface PublicJwk {
  kty: string;
  kid?: string;
  alg?: string;
  use?: string;
  crv?: string;
  x?: string;
  y?: string;
  n?: string;
  e?: string;
}

export interface Client {
  clientId: string;
  kind: ClientKind;
  name: string;
  /** Runtime clients only. */
  appId: string | undefined;
  geography: string | undefined;
  /** Tooling clients only: the user whose permissions its tokens carry. */
  userId: string | undefined;
  scopes: readonly string[];
  grantTypes: readonly GrantType[];
  redirectUris: readonly string[];
  authMethod: ClientAuthMethod;
  /** Keys for private_key_jwt. */
  keys: readonly PublicJwk[];
  /** For mutual TLS. */
  certificate: CertificateRule | undefined;
  /** When set, the token endpoint refuses requests without a DPoP proof. */
  dpopRequired: boolean;
  /** May introspect tokens of every application: meant for gateways in front of runtime services. */
  introspectAny: boolean;
  /** Engagement clients only: the site IDs their tokens are valid for. */
  sites: readonly string[];
  locked: boolean;
  /** Shipped with the product: no consent page, cannot be changed or deleted. */
  firstParty: boolean;
  createdAtMs: number;
  updatedAtMs: number;
}

/** A stored secret: the keyed hash only. */
export interface ClientSecret {
  secretId: string;
  clientId: string;
  hash: Uint8Array;
  createdAtMs: number;
  /** End of the overlap window of a replaced secret; absent for the current one. */
  expiresAtMs: number | undefined;
}

export type SigningAlgorithm = 'ES256' | 'EdDSA';

/** A signing key as stored; the private half is sealed. */
export interface StoredSigningKey {
  kid: string;
  algorithm: SigningAlgorithm;
  publicJwk: PublicJwk;
  sealedPrivateKey: Uint8Array;
  createdAtMs: number;
  /** Signs from then on; published before, so that verifiers have it in time. */
  activeFromMs: number;
  /** Dropped from the JWKS at that moment; absent while it is the newest. */
  expiresAtMs: number | undefined;
}

/** A client in a chain of calls, newest first. */
export interface Actor {
  sub: string;
  act?: Actor;
}

/** The claims of one of our access tokens, after its signature and dates have been checked. */
export interface AccessTokenClaims {
  iss: string;
  sub: string;
  aud: string;
  client_id: string;
  scope: string;
  jti: string;
  iat: number;
  /** The milliseconds that `iat` omits, so that a change and a token of the same second can be ordered. */
  iat_ms?: number;
  exp: number;
  app_id?: string;
  /** Tenant scopes at the time of issue; '*' for an administrator. */
  tenants?: readonly string[] | '*';
  /** Present when the token acts for a person. */
  user_id?: string;
  role?: UserRole;
  /** Names the authorization that this token came from, so that a replay of its code can void it. */
  grant_id?: string;
  sites?: readonly string[];
  /** The key (RFC 9449) or the certificate (RFC 8705) that the holder has to prove. */
  cnf?: { jkt: string } | { 'x5t#S256': string };
  /** For an exchanged token: who acts, and for whom they acted before (RFC 8693 section 4.1). */
  act?: Actor;
  /** For an exchanged token: the IDs of the tokens it came from. It ends with any of them. */
  origins?: readonly string[];
}

export interface AuthorizationCode {
  codeHash: string;
  clientId: string;
  userId: string;
  redirectUri: string;
  scope: string;
  codeChallenge: string;
  /** Thumbprint of the DPoP key announced at the authorization endpoint (RFC 9449 section 10). */
  dpopJkt: string | undefined;
  /** For the ID token: what the client sent along, and when the person signed in. */
  nonce: string | undefined;
  signedInAtMs: number | undefined;
  grantId: string;
  expiresAtMs: number;
  usedAtMs: number | undefined;
}

export interface RefreshToken {
  tokenHash: string;
  grantId: string;
  clientId: string;
  userId: string;
  scope: string;
  /** Public clients: the key the token is bound to, when DPoP is in use. */
  dpopJkt: string | undefined;
  createdAtMs: number;
  expiresAtMs: number;
  /** When it was exchanged; a second exchange is a theft signal. */
  usedAtMs: number | undefined;
}

/** A signed-in browser. */
export interface LoginSession {
  sessionHash: string;
  userId: string;
  createdAtMs: number;
  expiresAtMs: number;
  /** Issuer and `sid` of the identity provider, if it named one. */
  providerSession?: string | undefined;
}

/** An authenticator app (RFC 6238) as stored. */
export interface StoredTotp {
  userId: string;
  sealedSecret: Uint8Array;
  /** The newest time step whose code was used. */
  lastStep: number;
  createdAtMs: number;
}

/** A passkey (WebAuthn) as stored: its public half. */
export interface Passkey {
  /** As the browser names it, in base64url. */
  credentialId: string;
  userId: string;
  /** The owner's name for it. */
  name: string;
  /** COSE. */
  publicKey: Uint8Array;
  /** The authenticator's last counter; 0 for those that do not count. */
  counter: number;
  createdAtMs: number;
  lastUsedAtMs: number | undefined;
}

/** An application that a user has allowed to act for them. */
export interface Consent {
  clientId: string;
  scope: string;
  grantedAtMs: number;
}

export type ChangeKind = 'client' | 'user' | 'app' | 'token' | 'grant' | 'keys';

/**
 * Something other nodes must learn within seconds. It drops what they cached under `kind` and `key`, and voids
 * tokens of that subject that were issued before `validAfterMs`.
 */
export interface Change {
  kind: ChangeKind;
  key: string;
  /** Tokens issued earlier are void; 0 when the change voids none, FOREVER_MS while the subject is locked. */
  validAfterMs: number;
  /** Differs for every write, so that a reader can tell that the row is news. */
  version: string;
  changedAtMs: number;
  /** The row may be dropped then: every token it could void has expired. */
  expiresAtMs: number;
}

/** Later than any real instant, yet a safe integer in both databases. */
export const FOREVER_MS = 9_000_000_000_000_000;
