// The token endpoint: rate limits, client authentication, DPoP and the events are the same for every grant and live
// here; a grant is one small file and cannot forget a phase.
import type { X509Certificate } from 'node:crypto';
import { authenticateClient } from '../clients/authenticate-client.js';
import { thumbprintOf } from '../clients/certificates.js';
import { readClientCredentials, type ClientCredentials } from '../clients/presented-credentials.js';
import { recordRefused } from '../clients/record-refused.js';
import type { AuthDeps } from '../deps.js';
import type { Client, ClientKind } from '../model.js';
import { OAuthError } from '../oauth-error.js';
import { recordEvent } from '../record-event.js';
import { authorizationCodeGrant } from './grants/authorization-code-grant.js';
import { clientCredentialsGrant } from './grants/client-credentials-grant.js';
import { refreshTokenGrant } from './grants/refresh-token-grant.js';
import { tokenExchangeGrant } from './grants/token-exchange-grant.js';
import {
  TOKEN_EXCHANGE,
  readTokenRequest,
  type GrantResult,
  type TokenHolder,
  type TokenRequest,
} from './token-request.js';
import { verifyDpopProof } from './verify-dpop-proof.js';

/** What arrived over HTTP. */
interface PostedForm {
  form: ReadonlyMap<string, string>;
  authorization: string | undefined;
  dpop: string | undefined;
  /** The public URL of the endpoint, for `htu` and for `aud` of assertions. */
  url: string;
  address: string;
  requestId?: string | undefined;
  /** Of the caller's trace, or of our own. */
  traceId?: string | undefined;
  /** The certificate that the caller presented by TLS. */
  certificate?: X509Certificate | undefined;
}

export interface TokenAnswer {
  granted: GrantResult;
  tokenType: 'bearer' | 'DPoP';
}

/** `kinds` says which dialect is served: that of the runtime endpoint, or that of the engagement API. */
export async function handleTokenRequest(
  deps: AuthDeps,
  posted: PostedForm,
  kinds: readonly ClientKind[] = ['runtime', 'tooling'],
): Promise<TokenAnswer> {
  let credentials: ClientCredentials | undefined;
  let client: Client | undefined;
  let request: TokenRequest | undefined;
  try {
    credentials = readClientCredentials(posted.authorization, posted.form);
    const audiences = [deps.settings.issuer, posted.url];
    const { certificate } = posted;
    client = await authenticateClient(deps, credentials, { kinds, audiences, certificate });
    refuseWhenBusy(deps, client, posted.address);
    request = readTokenRequest(deps, client, posted.form);
    if (posted.dpop === undefined && client.dpopRequired)
      throw new OAuthError('invalid_dpop_proof', 'this client must send a DPoP proof');
    const dpopJkt = posted.dpop === undefined ? undefined : await readDpop(deps, posted.dpop, posted.url);
    // A client that authenticates by certificate gets tokens only for the holder of that certificate (RFC
    // 8705 section 3).
    const thumbprint = client.certificate && certificate ? thumbprintOf(certificate) : undefined;
    const granted = await grantTo(deps, { client, dpopJkt, thumbprint }, request);
    recordIssued(deps, posted, client, granted);
    return { granted, tokenType: dpopJkt === undefined ? 'bearer' : 'DPoP' };
  } catch (thrown) {
    const error = await slowDownGuessing(deps, posted.address, thrown);
    if (error instanceof OAuthError) {
      const { address, requestId, traceId } = posted;
      const scope = request?.scopes?.join(' ');
      await recordRefused(deps, { error, client, credentials, scope, address, requestId, traceId });
    }
    throw error;
  }
}

/**
 * Checked after the client has authenticated: a mere claim to be a client takes nothing away from it, nor
 * from others at the same address. A public client's ID is known to everybody, so its limit is per address.
 */
export function refuseWhenBusy(deps: AuthDeps, client: Client, address: string): void {
  const { tokenPerClient, tokenPerAddress } = deps.limits;
  const anybody = client.authMethod === 'none';
  const ofClient = tokenPerClient.take(anybody ? `${client.clientId} ${address}` : client.clientId);
  if (ofClient > 0)
    throw new OAuthError('slow_down', 'too many requests from this client', { retryAfterMs: ofClient });
  const ofAddress = anybody ? 0 : tokenPerAddress.take(address);
  if (ofAddress > 0)
    throw new OAuthError('slow_down', 'too many requests from this address', { retryAfterMs: ofAddress });
}

/**
 * An address that keeps failing is told to wait instead of what was wrong. Good credentials still pass: one
 * misconfigured device must not lock out a whole fleet behind the same address.
 */
export async function slowDownGuessing(deps: AuthDeps, address: string, thrown: unknown): Promise<unknown> {
  if (!(thrown instanceof OAuthError) || thrown.code !== 'invalid_client') return thrown;
  const retryAfterMs = await deps.limits.tokenFailuresPerAddress.takeAnywhere(address);
  return retryAfterMs === 0
    ? thrown
    : new OAuthError('slow_down', 'too many failed attempts from this address', {
        retryAfterMs,
        ...(thrown.reason === undefined ? {} : { reason: thrown.reason }),
      });
}

function grantTo(deps: AuthDeps, holder: TokenHolder, request: TokenRequest): Promise<GrantResult> {
  switch (request.grantType) {
    case 'client_credentials':
      return clientCredentialsGrant(deps, holder, request.scopes);
    case 'authorization_code':
      return authorizationCodeGrant(deps, holder, request);
    case 'refresh_token':
      return refreshTokenGrant(deps, holder, request);
    case TOKEN_EXCHANGE:
      return tokenExchangeGrant(deps, holder, request);
  }
}

async function readDpop(deps: AuthDeps, proof: string, url: string): Promise<string> {
  const jkt = await verifyDpopProof(deps, { proof, method: 'POST', url });
  if (jkt === undefined) throw new OAuthError('invalid_dpop_proof', 'the DPoP proof is not valid');
  return jkt;
}

function recordIssued(deps: AuthDeps, posted: PostedForm, client: Client, { issued }: GrantResult): void {
  const { scope, jti } = issued.claims;
  recordEvent(deps, {
    type: 'token.issued',
    appId: client.appId,
    clientId: client.clientId,
    userId: issued.claims.user_id,
    method: client.authMethod,
    scope,
    jti,
    address: posted.address,
    requestId: posted.requestId,
    traceId: posted.traceId,
  });
}
