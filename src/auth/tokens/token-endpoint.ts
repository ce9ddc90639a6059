// The token endpoint: rate limits, client authentication, DPoP and the events are the same for every grant and live
// here; each grant is one small entry in the table and cannot forget a phase.
import type { X509Certificate } from 'node:crypto';
import { authenticateClient } from '../clients/authenticate-client.js';
import { thumbprintOf } from '../clients/certificates.js';
import { readClientCredentials, type ClientCredentials } from '../clients/presented-credentials.js';
import { recordRefused } from '../clients/record-refused.js';
import type { AuthDeps } from '../deps.js';
import type { Client, ClientKind, GrantType } from '../model.js';
import { OAuthError } from '../oauth-error.js';
import { authorizationCodeGrant } from './grants/authorization-code-grant.js';
import { clientCredentialsGrant } from './grants/client-credentials-grant.js';
import { refreshTokenGrant } from './grants/refresh-token-grant.js';
import { recordEvent } from '../record-event.js';
import { tokenExchangeGrant } from './grants/token-exchange-grant.js';
import type { Grant, GrantResult } from './grant.js';
import { isResourceOf } from './resource.js';
import { verifyDpopProof } from './verify-dpop-proof.js';

/** One token request, read once from HTTP. */
interface TokenRequest {
  form: ReadonlyMap<string, string>;
  authorization: string | undefined;
  dpop: string | undefined;
  /** The public URL of the endpoint, for `htu` and for `aud` of assertions. */
  url: string;
  address: string;
  /** Of the caller's trace, or of our own. */
  traceId?: string | undefined;
  /** The certificate that the caller presented by TLS. */
  certificate?: X509Certificate | undefined;
}

export interface TokenAnswer {
  granted: GrantResult;
  tokenType: 'bearer' | 'DPoP';
}

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';

const grants: Readonly<Record<GrantType | typeof TOKEN_EXCHANGE, Grant>> = {
  client_credentials: clientCredentialsGrant,
  authorization_code: authorizationCodeGrant,
  refresh_token: refreshTokenGrant,
  [TOKEN_EXCHANGE]: tokenExchangeGrant,
};

/** `kinds` says which dialect is served: that of the runtime endpoint, or that of the engagement API. */
export async function handleTokenRequest(
  deps: AuthDeps,
  request: TokenRequest,
  kinds: readonly ClientKind[] = ['runtime', 'tooling'],
): Promise<TokenAnswer> {
  let credentials: ClientCredentials | undefined;
  let client: Client | undefined;
  try {
    credentials = readClientCredentials(request.authorization, request.form);
    const grant = readGrant(request.form);
    const audiences = [deps.settings.issuer, request.url];
    const { certificate } = request;
    client = await authenticateClient(deps, credentials, { kinds, audiences, certificate });
    refuseWhenBusy(deps, client, request.address);
    if (!mayUse(client, grant)) {
      throw new OAuthError('unauthorized_client', 'this client may not use this grant type');
    }
    if (!isResourceOf(deps, client, request.form.get('resource')))
      throw new OAuthError('invalid_target', 'this server has no such resource');
    if (request.dpop === undefined && client.dpopRequired)
      throw new OAuthError('invalid_dpop_proof', 'this client must send a DPoP proof');
    const dpopJkt = request.dpop === undefined ? undefined : await readDpop(deps, request.dpop, request.url);
    // A client that authenticates by certificate gets tokens only for the holder of that certificate (RFC
    // 8705 section 3).
    const thumbprint = client.certificate && certificate ? thumbprintOf(certificate) : undefined;
    const granted = await grants[grant](deps, { client, form: request.form, dpopJkt, thumbprint });
    recordIssued(deps, request, client, granted);
    return { granted, tokenType: dpopJkt === undefined ? 'bearer' : 'DPoP' };
  } catch (thrown) {
    const error = await slowDownGuessing(deps, request.address, thrown);
    if (error instanceof OAuthError) {
      const { address, traceId, form } = request;
      const scope = form.get('scope');
      await recordRefused(deps, { error, client, credentials, scope, address, traceId });
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

/** A client that may request a token in its own name may also exchange one, within its application. */
function mayUse(client: Client, grant: keyof typeof grants): boolean {
  if (grant !== TOKEN_EXCHANGE) return client.grantTypes.includes(grant);
  return client.kind === 'runtime' && client.grantTypes.includes('client_credentials');
}

function readGrant(form: ReadonlyMap<string, string>): keyof typeof grants {
  const value = form.get('grant_type');
  if (value === undefined || value === '') throw new OAuthError('invalid_request', 'grant_type is missing');
  if (!Object.hasOwn(grants, value))
    throw new OAuthError('unsupported_grant_type', 'this grant type is not supported');
  return value as keyof typeof grants;
}

async function readDpop(deps: AuthDeps, proof: string, url: string): Promise<string> {
  const jkt = await verifyDpopProof(deps, { proof, method: 'POST', url });
  if (jkt === undefined) throw new OAuthError('invalid_dpop_proof', 'the DPoP proof is not valid');
  return jkt;
}

function recordIssued(deps: AuthDeps, request: TokenRequest, client: Client, { issued }: GrantResult): void {
  const { scope, jti } = issued.claims;
  recordEvent(deps, {
    type: 'token.issued',
    appId: client.appId,
    clientId: client.clientId,
    userId: issued.claims.user_id,
    method: client.authMethod,
    scope,
    jti,
    address: request.address,
    traceId: request.traceId,
  });
}
