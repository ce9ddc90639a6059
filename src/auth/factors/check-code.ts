// A code from the authenticator app, or a recovery code: as the second step of a sign-in, or before second factors are
// changed. Guessing is slow for everybody, with separate limits for browsers that the owner has used before and for each
// sign-in, so that somebody who stole the password cannot keep the owner out.
import { auditDetail } from '../../audit/model.js';
import type { AuthDeps } from '../deps.js';
import type { User } from '../model.js';
import { recordSignIn } from '../users/record-sign-in.js';
import { endFailures, giveBackAttempt, keyOfPlace, takeAttempt } from '../users/attempts.js';
import { knownDevice } from '../users/known-device.js';
import { recoveryCodeHash } from './recovery-codes.js';
import { matchingStep } from './totp.js';

export type CodeOutcome =
  | { ok: true; method: 'totp' | 'recovery-code' }
  | { ok: false; reason: 'wrong' }
  | { ok: false; reason: 'rate-limited'; retryAfterMs: number };

interface CodeInput {
  code: string;
  address?: string;
  clientId: string;
  /** The cookie of known browsers. */
  device?: string | undefined;
  purpose?: 'change-factors';
  /** Before a change: the sign-in in which it is made, instead of the browser. */
  place?: string;
}

const CODE_LENGTH_MAX = 64;
const digitsPattern = /^\d{6}$/;

export async function checkCode(deps: AuthDeps, user: User, input: CodeInput): Promise<CodeOutcome> {
  const code = input.code.slice(0, CODE_LENGTH_MAX).replaceAll(/\s/g, '');
  const isTotp = digitsPattern.test(code);
  const { userId } = user;
  const { address, clientId, purpose } = input;
  const visit = { address, clientId, ...(purpose && { purpose }) };
  const fail = (reason: string): Promise<void> =>
    recordSignIn(deps, { ...visit, method: isTotp ? 'totp' : 'recovery-code', userId, reason });
  const { secondStep } = deps.limits;
  const place = placeOf(deps, user, input);
  const bucket = place === undefined ? userId : `${userId} ${place}`;
  const waitMs = await secondStep.takeAnywhere(bucket);
  const taken =
    waitMs > 0
      ? { ok: false as const, waitMs }
      : await takeAttempt(deps, keyOfPlace(deps, userId, `code ${place ?? ''}`));
  if (!taken.ok) {
    await fail('rate_limited');
    return { ok: false, reason: 'rate-limited', retryAfterMs: taken.waitMs };
  }
  const problem = isTotp ? await totpProblem(deps, userId, code) : await recoveryProblem(deps, userId, code);
  if (problem === undefined) {
    secondStep.giveBack(bucket);
    await endFailures(deps, taken.attempt);
    return { ok: true, method: isTotp ? 'totp' : 'recovery-code' };
  }
  // Sent twice, by a double click: nobody learns anything from it.
  if (problem === 'replayed_code') {
    secondStep.giveBack(bucket);
    await giveBackAttempt(deps, taken.attempt);
  }
  await fail(problem);
  return { ok: false, reason: 'wrong' };
}

/**
 * Where attempts are counted separately: in a sign-in, or in a browser that the owner has used. Undefined for
 * all others together.
 */
function placeOf(deps: AuthDeps, user: User, input: CodeInput): string | undefined {
  if (input.place !== undefined) return input.place;
  const device = knownDevice(deps, user, input.device);
  return device === undefined ? undefined : `device ${device}`;
}

async function totpProblem(deps: AuthDeps, userId: string, code: string): Promise<string | undefined> {
  const { factors } = deps.store.direct;
  const stored = await factors.getTotp(userId);
  if (!stored) return 'wrong_code';
  const secret = await deps.totpSealer.open(stored.sealedSecret, userId);
  const step = matchingStep(secret, code, deps.clock.now());
  if (step === undefined) return 'wrong_code';
  return (await factors.useTotpStep(userId, step)) ? undefined : 'replayed_code';
}

async function recoveryProblem(deps: AuthDeps, userId: string, code: string): Promise<string | undefined> {
  const hash = recoveryCodeHash(deps, userId, code);
  return deps.store.transaction(async (tx) => {
    if (!(await tx.factors.useRecoveryCode(userId, hash))) return 'wrong_code';
    await tx.audit.append({
      action: 'user.use-recovery-code',
      actor: { subject: userId, clientId: 'login', userId },
      target: { type: 'user', id: userId },
      tenants: [],
      requestId: deps.ids.uuid(),
      atMs: deps.clock.now(),
      detail: auditDetail({ left: await tx.factors.countRecoveryCodes(userId) }),
    });
    return undefined;
  });
}
