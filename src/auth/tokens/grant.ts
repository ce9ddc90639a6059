// The input and output of every grant.
import type { AuthDeps } from '../deps.js';
import type { Client } from '../model.js';
import type { IssuedAccessToken } from './issue-access-token.js';

export interface GrantInput {
  /** Authenticated, and allowed to use this grant. */
  client: Client;
  form: ReadonlyMap<string, string>;
  /** Thumbprint of the key of a valid DPoP proof. */
  dpopJkt: string | undefined;
  /** Thumbprint of the certificate with which the client authenticated. */
  thumbprint: string | undefined;
}

export interface GrantResult {
  issued: IssuedAccessToken;
  refreshToken?: string;
  /** Set if `openid` was requested. */
  idToken?: string;
  /** For an exchange (RFC 8693 section 2.2.1). */
  issuedTokenType?: string;
}

export type Grant = (deps: AuthDeps, input: GrantInput) => Promise<GrantResult>;
