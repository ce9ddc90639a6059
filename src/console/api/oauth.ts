// Authorization code with PKCE against the server's own login. Two ways to a code: silently, by a fetch that
// follows the redirect (the login session is a cookie of the same origin), or by leaving for the login page.

import { t } from '../text/shell.js';

const CLIENT_ID = 'console';
const CALLBACK_PATH = '/console/callback';
/** Marks an answer that arrives in a window opened only to sign in; its code is never redeemed. */
export const WINDOW_STATE = 'window';
const PENDING_KEY = 'voxgate.sign-in';

export interface Tokens {
  accessToken: string;
  refreshToken: string | undefined;
  /** By performance.now(): unaffected by changes of the clock. */
  renewAtMs: number;
}

interface Pending {
  state: string;
  verifier: string;
  returnTo: string;
}

const redirectUri = (): string => `${location.origin}${CALLBACK_PATH}`;

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

const randomText = (): string => base64Url(crypto.getRandomValues(new Uint8Array(32)));

async function authorizeUrl(state: string, verifier: string, prompt?: 'none' | 'login'): Promise<string> {
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
  });
  return `/oauth2/authorize?${params.toString()}`;
}

/** Undefined when nobody is signed in at the authorization server. */
export async function signInSilently(): Promise<Tokens | undefined> {
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
  return redeem({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri(),
    code_verifier: verifier,
  });
}

/** Leaves this page for the login page; the answer comes to `finishSignIn`. */
export async function leaveForSignIn(returnTo: string): Promise<void> {
  const pending: Pending = { state: randomText(), verifier: randomText(), returnTo };
  sessionStorage.setItem(PENDING_KEY, JSON.stringify(pending));
  location.assign(await authorizeUrl(pending.state, pending.verifier));
}

export type Arrival = { tokens: Tokens; returnTo: string } | { problem: string } | 'elsewhere';

/** Called on the callback path. `elsewhere`: this window was opened by another one, which fetches its own token. */
export async function finishSignIn(): Promise<Arrival> {
  const params = new URLSearchParams(location.search);
  const text = sessionStorage.getItem(PENDING_KEY);
  sessionStorage.removeItem(PENDING_KEY);
  const pending = text === null ? undefined : (JSON.parse(text) as Pending);
  if (!pending || pending.state !== params.get('state')) return 'elsewhere';
  const code = params.get('code');
  if (code === null)
    return { problem: params.get('error_description') ?? params.get('error') ?? t.signIn.noCode };
  const tokens = await redeem({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri(),
    code_verifier: pending.verifier,
  });
  return tokens ? { tokens, returnTo: pending.returnTo } : { problem: t.signIn.tooSlow };
}

export async function signInWindowUrl(): Promise<string> {
  return authorizeUrl(WINDOW_STATE, randomText());
}

export function refresh(refreshToken: string): Promise<Tokens | undefined> {
  return redeem({ grant_type: 'refresh_token', refresh_token: refreshToken });
}

/** Undefined when the server refuses the grant; throws when it cannot be reached. */
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

export async function signOut(tokens: Tokens | undefined): Promise<void> {
  for (const token of [tokens?.refreshToken, tokens?.accessToken]) {
    if (token === undefined) continue;
    await fetch('/oauth2/revoke', {
      method: 'POST',
      body: new URLSearchParams({ client_id: CLIENT_ID, token }),
    }).catch(() => undefined);
  }
  location.assign(
    `/oauth2/logout?post_logout_redirect_uri=${encodeURIComponent(`${location.origin}/console/`)}`,
  );
}

/** Where this server says it lives; a browser that came by another name cannot sign in there. */
export async function readIssuer(): Promise<string | undefined> {
  try {
    const response = await fetch('/.well-known/oauth-authorization-server');
    return ((await response.json()) as { issuer?: string }).issuer;
  } catch {
    return undefined;
  }
}

/** True while the server has no administrator password yet. */
export async function isFirstRun(): Promise<boolean> {
  try {
    return (await fetch('/setup', { headers: { accept: 'text/html' } })).ok;
  } catch {
    return false;
  }
}
