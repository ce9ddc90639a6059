// Reads the credentials a client presents at an OAuth endpoint: HTTP Basic with a raw or an escaped client ID, body
// parameters, a signed assertion, or (public clients) just its ID. One method per request (RFC 6749 section 2.3).
import { decodeJwt } from 'jose';
import { OAuthError } from '../oauth-error.js';

export type ClientCredentials =
  | { method: 'basic' | 'post'; clientId: string; secret: string }
  | { method: 'private_key_jwt'; clientId: string | undefined; assertion: string }
  | { method: 'none'; clientId: string };

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const CREDENTIAL_LENGTH_MAX = 1024;

export function readClientCredentials(
  authorization: string | undefined,
  form: ReadonlyMap<string, string>,
): ClientCredentials {
  const bodyId = form.get('client_id');
  const bodySecret = form.get('client_secret');
  const assertion = form.get('client_assertion');
  const used =
    Number(authorization !== undefined) + Number(bodySecret !== undefined) + Number(assertion !== undefined);
  if (used > 1) {
    throw new OAuthError('invalid_request', 'use only one method of client authentication');
  }
  if (authorization !== undefined) {
    const basic = parseBasic(authorization);
    if (!basic) throw new OAuthError('invalid_client', 'the Authorization header is not HTTP Basic');
    if (bodyId !== undefined && bodyId !== basic.clientId) {
      throw new OAuthError('invalid_request', 'client_id differs from the Authorization header');
    }
    return { method: 'basic', clientId: basic.clientId, secret: basic.secret };
  }
  if (assertion !== undefined) {
    if (form.get('client_assertion_type') !== ASSERTION_TYPE) {
      throw new OAuthError('invalid_request', `client_assertion_type must be ${ASSERTION_TYPE}`);
    }
    return { method: 'private_key_jwt', clientId: bodyId, assertion };
  }
  if (bodyId === undefined) throw new OAuthError('invalid_client', 'client authentication is missing');
  if (bodySecret === undefined) return { method: 'none', clientId: bodyId };
  return { method: 'post', clientId: bodyId, secret: bodySecret };
}

/** The client ID that they claim; nothing of it is proven. */
export function claimedIdOf(credentials: ClientCredentials): string | undefined {
  if (credentials.method !== 'private_key_jwt' || credentials.clientId !== undefined)
    return credentials.clientId;
  try {
    return decodeJwt(credentials.assertion).iss;
  } catch {
    return undefined;
  }
}

/**
 * Splits at the LAST colon, because a raw client ID contains colons and a secret never does. Both halves are
 * then form-decoded (RFC 6749 section 2.3.1), which leaves raw values unchanged: neither contains a percent
 * or plus sign.
 */
export function parseBasic(header: string): { clientId: string; secret: string } | undefined {
  const match = /^basic +([A-Za-z0-9+/_-]+={0,2}) *$/i.exec(header);
  if (!match?.[1] || match[1].length > 2 * CREDENTIAL_LENGTH_MAX) return undefined;
  const text = Buffer.from(match[1], 'base64').toString('utf8');
  const colon = text.lastIndexOf(':');
  if (colon <= 0) return undefined;
  const clientId = formDecode(text.slice(0, colon));
  const secret = formDecode(text.slice(colon + 1));
  return clientId === undefined || secret === undefined ? undefined : { clientId, secret };
}

function formDecode(value: string): string | undefined {
  if (!value.includes('%') && !value.includes('+')) return value;
  try {
    return decodeURIComponent(value.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
