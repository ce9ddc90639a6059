// Signed-in browsers: a random cookie whose keyed hash is a row, and the form token that ties a form to its browser.
import { auditDetail } from '../../audit/model.js';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AuthDeps } from '../deps.js';
import { commit } from '../commit.js';
import type { User } from '../model.js';
import { systemCall } from '../permissions.js';
import { hashHandle } from '../secrets.js';
import type { UserRights } from '../directory.js';
import { endLoginSession } from './end-login-session.js';

const COOKIE_BYTES = 32;

export interface SignedIn {
  cookie: string;
  user: UserRights;
  signedInAtMs: number;
  sessionHash: string;
}

/** The cookie of a new session. A cookie from before the login is never reused (session fixation). */
export async function openLoginSession(
  deps: AuthDeps,
  user: User,
  {
    method,
    address,
    providerSession,
  }: { method: string; address: string; providerSession?: string | undefined },
): Promise<{ cookie: string; maxAgeSeconds: number; sessionHash: string }> {
  const cookie = deps.ids.token(COOKIE_BYTES);
  const sessionHash = hashHandle(deps.secrets, 'session', cookie);
  const nowMs = deps.clock.now();
  const maxAgeSeconds = deps.settings.loginSessionSeconds;
  await deps.store.transaction(async (tx) => {
    await tx.grants.insertSession({
      sessionHash,
      userId: user.userId,
      createdAtMs: nowMs,
      expiresAtMs: nowMs + maxAgeSeconds * 1000,
      providerSession,
    });
    await tx.audit.append({
      action: 'user.sign-in',
      actor: { subject: user.userId, clientId: 'login', userId: user.userId },
      target: { type: 'user', id: user.userId },
      tenants: [],
      requestId: deps.ids.uuid(),
      atMs: nowMs,
      detail: auditDetail({ method, address }),
    });
  });
  return { cookie, maxAgeSeconds, sessionHash };
}

export async function findLoginSession(
  deps: AuthDeps,
  cookie: string | undefined,
): Promise<SignedIn | undefined> {
  if (cookie === undefined) return undefined;
  const sessionHash = hashHandle(deps.secrets, 'session', cookie);
  const session = await deps.store.direct.grants.getSession(sessionHash);
  if (!session || session.expiresAtMs <= deps.clock.now()) return undefined;
  const user = await deps.directory.userRights(session.userId);
  return user && !user.locked ? { cookie, user, signedInAtMs: session.createdAtMs, sessionHash } : undefined;
}

/** Ends the session, and with it the console's tokens, in other windows too. */
export async function closeLoginSession(deps: AuthDeps, cookie: string): Promise<void> {
  const sessionHash = hashHandle(deps.secrets, 'session', cookie);
  await commit(deps, systemCall(deps), async (unit) => {
    const session = await unit.tx.grants.getSession(sessionHash);
    if (session) await endLoginSession(unit, session);
  });
}

/** Made from a cookie that a foreign site can neither read nor set. */
export function formToken(cookie: string): string {
  return createHmac('sha256', cookie).update('form').digest('base64url');
}

export function formTokenMatches(cookie: string, presented: string | undefined): boolean {
  const expected = Buffer.from(formToken(cookie));
  const given = Buffer.from(presented ?? '');
  return given.byteLength === expected.byteLength && timingSafeEqual(given, expected);
}
