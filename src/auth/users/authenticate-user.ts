// Checks a user name and password at the login page. Every refusal looks the same from outside and costs the
// same: one scrypt run, one count of the failure, one record of it. Names that do not exist are counted and
// guarded like those of people; otherwise the time of an answer, or the moment at which answers become
// slower, would reveal who has an account. Wrong passwords slow down their sender, by address; many in a row,
// from anywhere, leave one attempt at a time to everybody except the browsers that the owner has used before.
// Nothing locks the owner out: that would give every stranger a switch.
import { auditDetail } from '../../audit/model.js';
import { AppError } from '../../errors.js';
import type { AuthDeps } from '../deps.js';
import type { User } from '../model.js';
import { PasswordQueueFull } from '../passwords.js';
import {
  endFailures,
  giveBackAttempt,
  keyOfName,
  keyOfPlace,
  takeAttempt,
  type Attempt,
} from './attempts.js';
import { failureBudget, isGuarded, waitAfter } from './failure-pace.js';
import { knownDevice } from './known-device.js';
import { recordSignIn } from './record-sign-in.js';

/** Used for people who merely try, and for a name that does not exist. */
const NOBODY = 'unknown';

export type LoginOutcome =
  | { ok: true; user: User }
  | { ok: false; reason: 'wrong' | 'busy' }
  | { ok: false; reason: 'rate-limited'; retryAfterMs: number };

interface LoginInput {
  userName: string;
  password: string;
  address: string;
  /** The application that the person is signing in to. */
  clientId?: string;
  /** The cookie of a browser in which somebody has signed in before. */
  device?: string | undefined;
}

/** The first step of a sign-in; its success is recorded when the sign-in is completed. */
export async function authenticateUser(deps: AuthDeps, input: LoginInput): Promise<LoginOutcome> {
  const { outcome, userId, reason } = await check(deps, input);
  if (reason !== undefined) await recordSignIn(deps, { ...input, method: 'password', userId, reason });
  return outcome;
}

interface Checked {
  outcome: LoginOutcome;
  userId: string | undefined;
  reason: string | undefined;
}

async function check(deps: AuthDeps, input: LoginInput): Promise<Checked> {
  const userName = input.userName.trim().toLowerCase().slice(0, 128);
  const user = await deps.store.direct.users.findByName(userName);
  const result = (outcome: LoginOutcome, reason?: string): Checked => ({
    outcome,
    userId: user?.userId,
    reason,
  });
  const taken = await take(deps, input, userName, user);
  if (!taken.ok)
    return result({ ok: false, reason: 'rate-limited', retryAfterMs: taken.waitMs }, 'rate_limited');

  const right = await checkPassword(deps, input.password.slice(0, 1024), user?.passwordHash);
  if (right === 'busy') {
    await giveBackAttempt(deps, taken.attempt);
    return result({ ok: false, reason: 'busy' }, 'busy');
  }
  if (!user || user.locked || !right) {
    if (!taken.device) await noteFailure(deps, user, taken.attempt);
    const reason = !user ? 'unknown_user' : user.locked ? 'locked' : 'wrong_password';
    return result({ ok: false, reason: 'wrong' }, reason);
  }
  // Strangers' attempts stay counted while the owner signs in with a known browser.
  await endFailures(deps, taken.attempt);
  if (!taken.device && user.lockedUntilMs > 0) await endSlowness(deps, user);
  return result({ ok: true, user });
}

/** Read again: an administrator may have locked the user meanwhile. */
async function endSlowness(deps: AuthDeps, { userId }: User): Promise<void> {
  await deps.store.transaction(async (tx) => {
    const current = await tx.users.lock(userId);
    if (current) await tx.users.update({ ...current, lockedUntilMs: 0 });
  });
}

type Taken = { ok: true; attempt: Attempt; device: boolean } | { ok: false; waitMs: number };

/** Counts the attempt: for a browser that the owner has used, or for the account and the address. */
async function take(
  deps: AuthDeps,
  input: LoginInput,
  userName: string,
  user: User | undefined,
): Promise<Taken> {
  const { limits } = deps;
  const name = keyOfName(deps, userName);
  // Read for everybody, so that everybody waits for it equally.
  const guarded = isGuarded(await deps.store.direct.failures.get(name), deps.settings, deps.clock.now());
  const device = user && knownDevice(deps, user, input.device);
  const waitMs =
    device === undefined
      ? Math.max(
          await limits.loginPerAddress.takeAnywhere(input.address),
          await limits[guarded ? 'guardedLogin' : 'loginPerUser'].takeAnywhere(
            `${userName} ${input.address}`,
          ),
        )
      : await limits.loginPerUser.takeAnywhere(`${userName} ${device}`);
  if (waitMs > 0) return { ok: false, waitMs };
  const key = user && device !== undefined ? keyOfPlace(deps, user.userId, `device ${device}`) : name;
  const taken = await takeAttempt(deps, key);
  return taken.ok ? { ...taken, device: device !== undefined } : taken;
}

async function checkPassword(
  deps: AuthDeps,
  password: string,
  stored: string | undefined,
): Promise<boolean | 'busy'> {
  try {
    return await deps.passwords.verify(password, stored);
  } catch (cause) {
    if (cause instanceof PasswordQueueFull) return 'busy';
    throw new AppError('INTERNAL_ERROR', 'password check failed', { cause });
  }
}

/** Records for auditors when an account is slowed down, for individual senders or for all of them. */
async function noteFailure(deps: AuthDeps, user: User | undefined, { failures }: Attempt): Promise<void> {
  const { loginFailuresMax, loginLockMs } = deps.settings;
  if (user) deps.log.info({ userId: user.userId, failures }, 'wrong password');
  if (failures % loginFailuresMax !== 0 && failures !== failureBudget(loginFailuresMax)) return;
  const nowMs = deps.clock.now();
  const waitMs = waitAfter(failures, loginFailuresMax);
  const id = user?.userId ?? NOBODY;
  // Strangers can make up any number of names: they must not fill the trail.
  const isReported = deps.limits.auditedFailures.take(`slow-down ${id}`) === 0;
  await deps.store.transaction(async (tx) => {
    const current = user && (await tx.users.lock(user.userId));
    // Something is written either way: the time of an answer must not reveal who has an account.
    if (current) await tx.users.update({ ...current, lockedUntilMs: nowMs + Math.max(loginLockMs, waitMs) });
    else await tx.rates.add(new Map([['slow-down unknown', 1]]), nowMs);
    if (!isReported) return;
    await tx.audit.append({
      action: 'user.slow-down',
      actor: { subject: NOBODY, clientId: 'login', userId: undefined },
      target: { type: 'user', id },
      tenants: [],
      requestId: deps.ids.uuid(),
      atMs: nowMs,
      detail: auditDetail({
        ...(current ? { userName: current.userName } : {}),
        failures,
        ...(waitMs > 0 ? { waitSeconds: waitMs / 1000 } : {}),
      }),
    });
  });
}
