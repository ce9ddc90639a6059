// Who is signed in. Tokens are kept in memory only: a reload fetches a new one through the login session
// cookie, and nothing that a script could steal stays in the browser's storage.
import { useSyncExternalStore } from 'react';
import type {
  GetMeResponseJson,
  TenantPermissionsJson,
  UserJson,
} from '../../gen/voxgate/management/v1/users_pb.js';
import { paths } from '../../gen/calls.js';
import { t } from '../text/shell.js';
import { bind } from '../../client/bind.js';
import { revoke, refresh, signInSilently, type Tokens } from './authorize.js';
import { isAnythingTyped } from '../router.js';
import { ApiError, offline } from './errors.js';
import { WINDOW_STATE, finishSignIn, isFirstRun, readIssuer, signOut as leave } from './oauth.js';

/** The signed-in user; both names are always set. */
export type Me = UserJson & {
  userId: string;
  username: string;
  /** The user's permissions for voice data, by tenant. */
  permissions: readonly TenantPermissionsJson[];
  /** For how many days recordings are kept; 0 if the server does not say. */
  mediaDays: number;
};

export type SessionState =
  | { phase: 'starting' }
  /** Nobody is signed in; `problem` says why a sign-in failed. */
  | { phase: 'signed-out'; firstRun: boolean; problem?: string; elsewhere?: string }
  | { phase: 'signed-in'; me: Me }
  /**
   * The sign-in has expired; the page stays as it is under a dialog. `isCovered`: the user signed out in
   * another tab, so the page is hidden.
   */
  | { phase: 'expired'; me: Me; isCovered?: true }
  /** This window was opened only to sign in; the other one continues. */
  | { phase: 'window-done' };

const CHANNEL = 'voxgate.session';
const SIGNED_OUT = 'signed-out';
const CALLBACK_PATH = '/console/callback';

let state: SessionState = { phase: 'starting' };
let tokens: Tokens | undefined;
let started = false;
let renewal: Promise<string> | undefined;
let waiting: { resolve: (token: string) => void; reject: (reason: unknown) => void }[] = [];
const listeners = new Set<() => void>();
const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(CHANNEL);

function setState(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

export function useSession(): SessionState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}

function currentUser(): Me | undefined {
  return state.phase === 'signed-in' || state.phase === 'expired' ? state.me : undefined;
}

export function useMe(): Me {
  const session = useSession();
  if (session.phase === 'signed-in' || session.phase === 'expired') return session.me;
  throw new Error('useMe outside a signed-in page');
}

export function isAdministrator(me: Me): boolean {
  return me.role === 'USER_ROLE_ADMINISTRATOR';
}

/** The profile has changed, but not the permissions. */
export function replaceUser(user: UserJson): void {
  if (state.phase === 'signed-in') setState({ phase: 'signed-in', me: asMe(user, state.me) });
}

/** Runs first in the application: finishes a sign-in that is under way, or finds an existing one. */
export async function startSession(): Promise<void> {
  if (started) return;
  started = true;
  channel?.addEventListener('message', ({ data }) => (data === SIGNED_OUT ? end() : void recover()));
  addEventListener('focus', () => void recover());
  try {
    if (location.pathname === CALLBACK_PATH) {
      const forWindow = new URLSearchParams(location.search).get('state') === WINDOW_STATE;
      const arrival = await finishSignIn();
      if (arrival === 'elsewhere') {
        channel?.postMessage('signed-in');
        history.replaceState(null, '', '/console/');
        if (forWindow) return setState({ phase: 'window-done' });
        tokens = await signInSilently();
      } else if ('problem' in arrival) {
        history.replaceState(null, '', '/console/');
        return setState({ phase: 'signed-out', firstRun: false, problem: arrival.problem });
      } else {
        tokens = arrival.tokens;
        history.replaceState(null, '', arrival.returnTo);
      }
    } else {
      tokens = await signInSilently();
    }
    if (tokens) return setState({ phase: 'signed-in', me: await readMe(tokens) });
    const issuer = await readIssuer();
    const elsewhere = issuer !== undefined && new URL(issuer).origin !== location.origin ? issuer : undefined;
    setState({ phase: 'signed-out', firstRun: await isFirstRun(), ...(elsewhere ? { elsewhere } : {}) });
  } catch {
    setState({
      phase: 'signed-out',
      firstRun: false,
      problem: t.errors.offline,
    });
  }
}

/** A token that is valid now; renewed in time. */
export async function accessToken(): Promise<string> {
  if (tokens && performance.now() < tokens.renewAtMs) return tokens.accessToken;
  return reauthenticate();
}

/** Gets a new token: by refresh, by the login session, or after the user has signed in again. */
export function reauthenticate(): Promise<string> {
  if (state.phase === 'expired') return waitForUser();
  renewal ??= renew().finally(() => {
    renewal = undefined;
  });
  return renewal;
}

async function renew(): Promise<string> {
  try {
    const held = tokens?.refreshToken;
    const fresh = (held === undefined ? undefined : await refresh(held)) ?? (await signInSilently());
    if (fresh) {
      await accept(fresh);
      return fresh.accessToken;
    }
  } catch (thrown) {
    if (thrown instanceof ApiError) throw thrown;
    throw offline();
  }
  if (state.phase === 'signed-in') setState({ phase: 'expired', me: state.me });
  return waitForUser();
}

function waitForUser(): Promise<string> {
  return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
}

async function accept(fresh: Tokens): Promise<void> {
  const before = currentUser();
  const me = await readMe(fresh);
  // Somebody else signed in: nothing of the other person may stay on the screen.
  if (before && me.userId !== before.userId) {
    location.reload();
    return;
  }
  tokens = fresh;
  // The user's roles may have changed since.
  setState({ phase: 'signed-in', me });
  const queue = waiting;
  waiting = [];
  for (const { resolve } of queue) resolve(fresh.accessToken);
}

/** Called after the other window has signed in, or when the user comes back to this one. */
async function recover(): Promise<void> {
  if (state.phase === 'signed-out') {
    const fresh = await signInSilently().catch(() => undefined);
    if (fresh) await accept(fresh);
  } else if (state.phase === 'expired') {
    const fresh = await signInSilently().catch(() => undefined);
    if (fresh && state.phase === 'expired') await accept(fresh);
  }
}

export const tryAgain = recover;

/** The user closed the dialog: waiting calls fail, the page stays. */
export function giveUp(): void {
  if (state.phase !== 'expired') return;
  const queue = waiting;
  waiting = [];
  const error = new ApiError(t.errors.signedOut, {
    code: 'UNAUTHENTICATED',
    httpStatus: 401,
  });
  for (const { reject } of queue) reject(error);
  setState(state.isCovered ? { phase: 'signed-out', firstRun: false } : { phase: 'signed-in', me: state.me });
  tokens = undefined;
}

export async function signOut(): Promise<void> {
  const held = tokens;
  tokens = undefined;
  channel?.postMessage(SIGNED_OUT);
  await leave(held);
}

/**
 * The user signed out in another tab of this browser: nothing of theirs stays on the screen of this one.
 * Typed text is kept in memory until they sign in again, or somebody else does.
 */
function end(): void {
  const me = currentUser();
  if (!me) return;
  const held = tokens;
  tokens = undefined;
  if (isAnythingTyped()) setState({ phase: 'expired', me, isCovered: true });
  else {
    waiting = [];
    setState({ phase: 'signed-out', firstRun: false });
  }
  for (const token of [held?.refreshToken, held?.accessToken]) if (token !== undefined) void revoke(token);
}

async function readMe(held: Tokens): Promise<Me> {
  const response = await fetch(bind(paths.GetMe, {}).path, {
    headers: { authorization: `Bearer ${held.accessToken}` },
    cache: 'no-store',
  });
  const { user, ...rest } = (await response.json()) as GetMeResponseJson;
  if (!response.ok || !user) throw new ApiError(t.errors.accountUnreadable, { code: 'UNKNOWN' });
  return asMe(user, rest);
}

function asMe(user: UserJson, { permissions = [], mediaDays = 0 }: Partial<Me>): Me {
  return { ...user, userId: user.userId ?? '', username: user.username ?? '', permissions, mediaDays };
}
