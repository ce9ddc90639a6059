// Authorization code with PKCE against the server's own login, as far as it needs no texts: the addresses,
// the silent way (a fetch that follows the redirect, because the login session is a cookie of the same
// origin), and the exchange of codes for tokens.

import { LANGUAGE } from '../text/language.js';

const CLIENT_ID = 'console';
const CALLBACK_PATH = '/console/callback';

export interface Tokens {
  accessToken: string;
  refreshToken: string | undefined;
  /** By performance.now(), which changes of the clock do not affect. */
  renewAtMs: number;
}

const redirectUri = (): string => `${location.origin}${CALLBACK_PATH}`;

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

export const randomText = (): string => base64Url(crypto.getRandomValues(new Uint8Array(32)));

export async function authorizeUrl(
  state: string,
  verifier: string,
  prompt?: 'none' | 'login',
): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const params = new URLSearchParams({
    response_type: 'code',
    client_id: CLIENT_ID,
    redirect_uri: redirectUri(),
    scope: 'platform-api',
    state,
    code_challenge: base64Url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
    ...(prompt ? { prompt } : {}),
    // The password page uses the console's language.
    ui_locales: LANGUAGE,
  });
  return `/oauth2/authorize?${params.toString()}`;
}

/** Undefined if nobody is signed in at the authorization server. */
export async function signInSilently(): Promise<Tokens | undefined> {
  // With plain HTTP under a name other than localhost, browsers offer no hashes, and nobody can have signed
  // in.
  if (!isSecureContext) return undefined;
  const state = randomText();
  const verifier = randomText();
  const response = await fetch(await authorizeUrl(state, verifier, 'none'), {
    credentials: 'same-origin',
    cache: 'no-store',
  });
  const arrived = new URL(response.url);
  const code = arrived.searchParams.get('code');
  if (arrived.pathname !== CALLBACK_PATH || code === null || arrived.searchParams.get('state') !== state)
    return undefined;
  return redeemCode(code, verifier);
}

/** Redeems a code together with the verifier of its request. */
export function redeemCode(code: string, verifier: string): Promise<Tokens | undefined> {
  return redeem({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri(),
    code_verifier: verifier,
  });
}

export function refresh(refreshToken: string): Promise<Tokens | undefined> {
  return redeem({ grant_type: 'refresh_token', refresh_token: refreshToken });
}

/** Undefined if the server refuses the grant; throws if it cannot be reached. */
async function redeem(form: Record<string, string>): Promise<Tokens | undefined> {
  const response = await fetch('/oauth2/token', {
    method: 'POST',
    body: new URLSearchParams({ client_id: CLIENT_ID, ...form }),
    credentials: 'omit',
    cache: 'no-store',
  });
  if (!response.ok) return undefined;
  const answer = (await response.json()) as {
    access_token: string;
    refresh_token?: string;
    expires_in: number;
  };
  const lifetimeMs = answer.expires_in * 1000;
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token,
    renewAtMs: performance.now() + Math.max(lifetimeMs - 60_000, lifetimeMs / 2),
  };
}

/** Revokes a token; if the server cannot be reached, it expires by itself. */
export async function revoke(token: string): Promise<void> {
  await fetch('/oauth2/revoke', {
    method: 'POST',
    body: new URLSearchParams({ client_id: CLIENT_ID, token }),
  }).catch(() => undefined);
}
