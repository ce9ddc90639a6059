// Checks a user name and password at the login page. Every refusal looks the same from outside and costs the same: one scrypt
// run, one count of the failure, one record of it. Names that nobody has are counted and guarded like those of people, or the
// time of an answer, or the moment at which answers become rare, would tell who has an account.
// Wrong passwords slow down whoever sends them, by address; many in a row slow down everybody but the browsers that the
// owner has used before. Nothing locks the owner out: that would hand every stranger a switch.
import { AppError } from '../../errors.js';
import type { AuthDeps } from '../deps.js';
import type { User } from '../model.js';
import { PasswordQueueFull } from '../passwords.js';
import { hashHandle } from '../secrets.js';
import { isKnownDevice } from './known-device.js';
import { recordSignIn } from './record-sign-in.js';

export type LoginOutcome =
  | { ok: true; user: User }
  | { ok: false; reason: 'wrong' | 'busy' }
  | { ok: false; reason: 'rate-limited'; retryAfterMs: number };

export interface LoginInput {
  userName: string;
  password: string;
  address: string;
  /** The application that the person is on the way to. */
  clientId?: string;
  /** The cookie of a browser in which somebody has signed in before. */
  device?: string | undefined;
}

/** The first step of a sign-in; whoever finishes it records that it succeeded. */
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
  const isGuarded = await guardOf(deps, userName, user);
  const waitMs = await waitOf(deps, input, userName, { user, isGuarded });
  const result = (outcome: LoginOutcome, reason?: string): Checked => ({
    outcome,
    userId: user?.userId,
    reason,
  });
  if (waitMs > 0) return result({ ok: false, reason: 'rate-limited', retryAfterMs: waitMs }, 'rate_limited');

  const right = await checkPassword(deps, input.password.slice(0, 1024), user?.passwordHash);
  if (right === 'busy') return result({ ok: false, reason: 'busy' }, 'busy');
  if (!user || user.locked || !right) {
    if (user) await countFailure(deps, user, deps.clock.now());
    else await countUnknown(deps, userName, deps.clock.now());
    const reason = !user ? 'unknown_user' : user.locked ? 'locked' : 'wrong_password';
    return result({ ok: false, reason: 'wrong' }, reason);
  }
  if (user.failedLogins > 0 || user.lockedUntilMs > 0) {
    await deps.store.direct.users.update({ ...user, failedLogins: 0, lockedUntilMs: 0 });
  }
  return result({ ok: true, user });
}

/** Which bucket an attempt takes from: that of a browser the owner has used, of the address, or the narrow one. */
async function waitOf(
  deps: AuthDeps,
  input: LoginInput,
  userName: string,
  { user, isGuarded }: { user: User | undefined; isGuarded: boolean },
): Promise<number> {
  const { limits } = deps;
  const ownDevice = user !== undefined && isKnownDevice(deps, user, input.device);
  if (ownDevice) return limits.loginPerUser.takeAnywhere(`${userName} ${input.device}`);
  const key = `${userName} ${input.address}`;
  return Math.max(
    await limits.loginPerAddress.takeAnywhere(input.address),
    await (isGuarded ? limits.guardedLogin : limits.loginPerUser).takeAnywhere(key),
  );
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

/** What was typed is not kept, it might be a password. */
function unknownKey(deps: AuthDeps, userName: string): string {
  return `unknown-user ${hashHandle(deps.secrets, 'unknown-user', userName)}`;
}

/** Whether many wrong passwords in a row have come in for this name. Asked for everybody, so that everybody waits for the answer. */
async function guardOf(deps: AuthDeps, userName: string, user: User | undefined): Promise<boolean> {
  const unknownUntilMs = await deps.store.direct.rates.wholeAtMs(unknownKey(deps, userName));
  return (user ? user.lockedUntilMs : (unknownUntilMs ?? 0)) > deps.clock.now();
}

async function countUnknown(deps: AuthDeps, userName: string, nowMs: number): Promise<void> {
  const key = unknownKey(deps, userName);
  const { loginFailuresMax, loginLockMs } = deps.settings;
  const failures = (await deps.store.direct.rates.add(new Map([[key, 1]]), nowMs)).get(key) ?? 0;
  if (failures % loginFailuresMax !== 0) return;
  await deps.store.transaction(async ({ rates }) => {
    const leftMs = Math.max(0, ((await rates.wholeAtMs(key)) ?? 0) - nowMs);
    await rates.putOff(new Map([[key, loginLockMs - leftMs]]), nowMs);
  });
}

async function countFailure(deps: AuthDeps, user: User, nowMs: number): Promise<void> {
  const failures = await deps.store.direct.users.countFailedLogin(user.userId);
  deps.log.info({ userId: user.userId, failures }, 'wrong password');
  if (failures < deps.settings.loginFailuresMax) return;
  const { userId, userName } = user;
  await deps.store.transaction(async (tx) => {
    const current = await tx.users.get(userId);
    if (!current) return;
    await tx.users.update({ ...current, failedLogins: 0, lockedUntilMs: nowMs + deps.settings.loginLockMs });
    await tx.audit.append({
      action: 'user.slow-down',
      actor: { subject: userId, clientId: 'login', userId },
      target: { type: 'user', id: userId },
      tenants: [],
      requestId: deps.ids.uuid(),
      atMs: nowMs,
      detail: { userName, failures },
    });
  });
}
