// What every change to one's own factors needs: the person, their password, one of their factors, and a check
// that they keep what their role requires.
import { AppError, invalidFields, missingField, notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import type { UnitOfWork } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import { signInOfSession } from '../grant-id.js';
import type { User } from '../model.js';
import { requireSelf } from '../permissions.js';
import { requireCurrentPassword, signInPlace, tooManyAttempts } from '../users/current-password.js';
import { checkCode } from './check-code.js';
import { passkeyProblem } from './check-passkey.js';
import { makeRecoveryCodes } from './recovery-codes.js';
import { say } from '../../words/server/say.js';

export function needsSecondFactor(deps: AuthDeps, user: User): boolean {
  return deps.settings.secondFactorRoles.includes(user.role);
}

export async function currentUser(deps: AuthDeps, call: Call): Promise<User> {
  const user = await deps.store.direct.users.get(requireSelf(call));
  if (!user) throw notFound('user', 'user_id');
  return user;
}

/** The person's own password, and one of their second factors if they have any. */
export interface Proof {
  currentPassword: string;
  factor?: FactorProof | undefined;
}

export interface FactorProof {
  /** From the authenticator app, or a recovery code. */
  code: string;
  /** For a passkey: the question to the browser, and its answer. */
  proofToken: string;
  credentialJson: string;
}

/**
 * The person, who signs in with a password of this server and has just shown it again, with a second factor
 * if they have one: somebody who got hold of a token and the password must not be able to remove the factor.
 */
export async function reauthenticatedUser(
  deps: AuthDeps,
  call: Call,
  { currentPassword, factor }: Proof,
): Promise<User> {
  const user = await currentUser(deps, call);
  if (user.passwordHash === undefined) throw new AppError('PERMISSION_DENIED', say('SIGN_IN_MANAGED'));
  await requireCurrentPassword(deps, call, user, currentPassword);
  const hasFactor = (await deps.store.direct.factors.holders(user.userId)).size > 0;
  if (hasFactor) await requireFactor(deps, call, user, factor);
  return user;
}

const FRESH_SIGN_IN_MINUTES = 10;

/**
 * The person behind the call, who has just shown the password and the second factor, or has just come from the identity provider: a
 * token that somebody got hold of must not become a credential that lasts.
 */
export async function freshlyProvenUser(
  deps: AuthDeps,
  call: Call,
  { currentPassword = '', factor }: Partial<Proof>,
): Promise<User> {
  const user = await currentUser(deps, call);
  if (user.passwordHash !== undefined) {
    if (currentPassword === '') throw invalidFields([missingField('current_password')]);
    return reauthenticatedUser(deps, call, { currentPassword, factor });
  }
  const sessions = await deps.store.direct.grants.listSessions(user.userId);
  const session = sessions.find(({ sessionHash }) => signInOfSession(sessionHash) === call.caller.signIn);
  const sinceMs = deps.clock.now() - FRESH_SIGN_IN_MINUTES * 60_000;
  if (session === undefined || session.createdAtMs < sinceMs)
    throw new AppError('PERMISSION_DENIED', say('SIGN_IN_TOO_OLD', { minutes: FRESH_SIGN_IN_MINUTES }));
  return user;
}

async function requireFactor(
  deps: AuthDeps,
  { caller }: Call,
  user: User,
  factor: FactorProof | undefined,
): Promise<void> {
  const { clientId } = caller;
  const place = signInPlace(caller);
  const { code = '', proofToken: ticket = '', credentialJson = '' } = factor ?? {};
  if (code === '' && credentialJson === '') {
    throw invalidFields([
      { field: 'proof', violation: 'MANDATORY_FIELD_MISSING', ...say('PROOF_MANDATORY') },
    ]);
  }
  if (code !== '') {
    const outcome = await checkCode(deps, user, { code, clientId, purpose: 'change-factors', place });
    if (outcome.ok) return;
    if (outcome.reason === 'rate-limited') throw tooManyAttempts(outcome.retryAfterMs);
    throw invalidFields([{ field: 'proof.code', violation: 'OTHER', ...say('CODE_NOT_VALID') }]);
  }
  const { secondStep } = deps.limits;
  // Counted separately from codes: a signature cannot be guessed, and a sender of junk must not use up the
  // owner's attempts.
  const bucket = `${user.userId} passkey ${place}`;
  const waitMs = await secondStep.takeAnywhere(bucket);
  if (waitMs > 0) throw tooManyAttempts(waitMs);
  const problem = await passkeyProblem(deps, user.userId, { ticket, credentialJson, clientId });
  if (problem === undefined || problem === 'replayed_challenge') secondStep.giveBack(bucket);
  if (problem !== undefined) {
    throw invalidFields([
      { field: 'proof.credential_json', violation: 'OTHER', ...say('NOT_OF_YOUR_PASSKEYS') },
    ]);
  }
}

/**
 * After a factor was removed: one must be left, unless none is required; recovery codes without a factor are
 * worthless.
 */
export async function keepRequired(deps: AuthDeps, { tx }: UnitOfWork, user: User): Promise<void> {
  if ((await tx.factors.holders(user.userId)).size > 0) return;
  if (needsSecondFactor(deps, user)) throw new AppError('PERMISSION_DENIED', say('SECOND_FACTOR_NEEDED'));
  await tx.factors.deleteOfUser(user.userId);
}

/** Earlier ones become void. */
export async function newRecoveryCodes(
  deps: AuthDeps,
  { tx, nowMs, audit }: UnitOfWork,
  userId: string,
): Promise<string[]> {
  const { codes, hashes } = makeRecoveryCodes(deps, userId);
  await tx.factors.setRecoveryCodes(userId, hashes, nowMs);
  await audit('user.create-recovery-codes', { type: 'user', id: userId }, { count: codes.length });
  return codes;
}
