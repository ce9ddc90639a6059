// A user's way through the login page of the server, and out again.

import { t } from '../text/shell.js';
import { authorizeUrl, randomText, redeemCode, revoke, type Tokens } from './authorize.js';

/** Marks an answer that arrives in a window opened only to sign in; its code is never redeemed. */
export const WINDOW_STATE = 'window';
const PENDING_KEY = 'voxgate.sign-in';

interface Pending {
  state: string;
  verifier: string;
  returnTo: string;
}

/** Leaves this page for the login page; the answer comes to `finishSignIn`. */
export async function leaveForSignIn(returnTo: string): Promise<void> {
  const pending: Pending = { state: randomText(), verifier: randomText(), returnTo };
  sessionStorage.setItem(PENDING_KEY, JSON.stringify(pending));
  location.assign(await authorizeUrl(pending.state, pending.verifier));
}

type Arrival = { tokens: Tokens; returnTo: string } | { problem: string } | 'elsewhere';

/**
 * Called on the callback path. `elsewhere`: this window was opened by another one, which fetches its own
 * token.
 */
export async function finishSignIn(): Promise<Arrival> {
  const params = new URLSearchParams(location.search);
  const text = sessionStorage.getItem(PENDING_KEY);
  sessionStorage.removeItem(PENDING_KEY);
  const pending = text === null ? undefined : (JSON.parse(text) as Pending);
  if (!pending || pending.state !== params.get('state')) return 'elsewhere';
  const code = params.get('code');
  if (code === null)
    return { problem: params.get('error_description') ?? params.get('error') ?? t.signIn.noCode };
  const tokens = await redeemCode(code, pending.verifier);
  return tokens ? { tokens, returnTo: pending.returnTo } : { problem: t.signIn.tooSlow };
}

export async function signInWindowUrl(): Promise<string> {
  return authorizeUrl(WINDOW_STATE, randomText());
}

export async function signOut(tokens: Tokens | undefined): Promise<void> {
  for (const token of [tokens?.refreshToken, tokens?.accessToken]) {
    if (token !== undefined) await revoke(token);
  }
  location.assign(
    `/oauth2/logout?post_logout_redirect_uri=${encodeURIComponent(`${location.origin}/console/`)}`,
  );
}

/** The address by which the server knows itself; under any other name a browser cannot sign in. */
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
