// A sign-in of several steps: who has proven what so far. It is kept in a signed, short-lived cookie of the browser; a new
// password, a lock or a reset in the meantime makes it worthless.
import type { Call } from '../../platform.js';
import type { AuthDeps } from '../deps.js';
import { openLoginSession } from '../authorization/login-sessions.js';
import { needsSecondFactor } from '../factors/current-user.js';
import type { User } from '../model.js';
import { hashHandle } from '../secrets.js';
import { readNote, signNote, type Note } from '../signed-note.js';
import { recordSignIn } from '../users/record-sign-in.js';
import { knownDeviceCookie } from '../users/known-device.js';
import { nextStep, type SignInMethod, type SignInStep } from './next-step.js';

const PURPOSE = 'sign-in';
export const SIGN_IN_SECONDS = 600;

interface ProgressNote extends Note {
  userId: string;
  methods: readonly SignInMethod[];
  stamp: string;
}

export interface SignInProgress {
  user: User;
  methods: readonly SignInMethod[];
  step: SignInStep;
}

/** The state of a sign-in after `method` was proven, in addition to earlier ones. */
export async function progressWith(
  deps: AuthDeps,
  userId: string,
  methods: readonly SignInMethod[],
): Promise<SignInProgress | undefined> {
  const user = await deps.store.direct.users.get(userId);
  if (!user || user.locked || !deps.settings.localAccounts) return undefined;
  const step = nextStep({
    methods,
    hasSecondFactor: (await deps.store.direct.factors.holders(userId)).size > 0,
    needsSecondFactor: needsSecondFactor(deps, user),
    mustChangePassword: user.mustChangePassword,
  });
  return { user, methods, step };
}

export function signProgress(deps: AuthDeps, { user, methods }: SignInProgress): string {
  const endsAtMs = deps.clock.now() + SIGN_IN_SECONDS * 1000;
  const note: ProgressNote = { userId: user.userId, methods, stamp: stampOf(deps, user), endsAtMs };
  return signNote(deps, PURPOSE, note);
}

export async function readProgress(
  deps: AuthDeps,
  cookie: string | undefined,
): Promise<SignInProgress | undefined> {
  const note = readNote<ProgressNote>(deps, PURPOSE, cookie);
  const progress = note && (await progressWith(deps, note.userId, note.methods));
  return progress && note.stamp === stampOf(deps, progress.user) ? progress : undefined;
}

/** Changes with the password. */
export function stampOf(deps: AuthDeps, { userId, passwordHash, mustChangePassword }: User): string {
  return hashHandle(deps.secrets, 'sign-in-stamp', `${userId}:${passwordHash ?? ''}:${mustChangePassword}`);
}

/** A call in the name of the person who is signing in, for the changes made there. */
export function callOfPerson(deps: AuthDeps, { userId }: User): Pick<Call, 'caller' | 'requestId'> {
  const { issuer } = deps.settings;
  const caller = { subject: userId, issuer, clientId: 'login', userId, scopes: [], tenants: [] };
  return { caller, requestId: deps.ids.uuid() };
}

/** Completes a sign-in with a password: the session, the mark of the browser, the event. */
export async function finishSignIn(
  deps: AuthDeps,
  { user, methods }: Pick<SignInProgress, 'user' | 'methods'>,
  { device, ...visit }: { address: string; clientId?: string; device: string | undefined },
): Promise<{ cookie: string; maxAgeSeconds: number; device: string }> {
  const method = methods.join('+');
  await recordSignIn(deps, { ...visit, method, userId: user.userId, reason: undefined });
  const { sessionHash, ...session } = await openLoginSession(deps, user, { method, address: visit.address });
  return { ...session, device: knownDeviceCookie(deps, user, sessionHash, device) };
}
