// Asks again for the person's own password before their sign-in data changes: a token that somebody else got
// hold of must not be enough for that. Attempts are counted by the sign-in that the token came from: people
// signed in elsewhere, or signing in, have their own.
import { AppError, invalidFields } from '../../errors.js';
import type { Call } from '../../platform.js';
import type { AuthDeps } from '../deps.js';
import type { User } from '../model.js';
import { endFailures, keyOfPlace, takeAttempt } from './attempts.js';
import { say } from '../../words/server/say.js';

export async function requireCurrentPassword(
  deps: AuthDeps,
  { caller }: Call,
  user: User,
  password: string | undefined,
): Promise<void> {
  const place = signInPlace(caller);
  const bucket = `${user.userName} ${place}`;
  const waitMs = await deps.limits.loginPerUser.takeAnywhere(bucket);
  if (waitMs > 0) throw tooManyAttempts(waitMs);
  const taken = await takeAttempt(deps, keyOfPlace(deps, user.userId, `password ${place}`));
  if (!taken.ok) throw tooManyAttempts(taken.waitMs);
  if (!(await deps.passwords.verify(password ?? '', user.passwordHash)))
    throw invalidFields([{ field: 'current_password', violation: 'OTHER', ...say('NOT_CURRENT_PASSWORD') }]);
  await endFailures(deps, taken.attempt);
  deps.limits.loginPerUser.giveBack(bucket);
}

/** Where attempts are counted: in one sign-in, or together for all tokens that came from none. */
export function signInPlace({ signIn }: Pick<Call['caller'], 'signIn'>): string {
  return signIn === undefined ? 'no sign-in' : `sign-in ${signIn}`;
}

export function tooManyAttempts(retryAfterMs: number): AppError {
  return new AppError('RATE_EXCEEDED', say('TOO_MANY_ATTEMPTS'), { retryAfterMs });
}
