// A code of the authenticator app, or a recovery code: as the second step of a sign-in, or before second factors are changed. Guessing is slow for everybody, with a
// budget of its own for browsers that the owner has used before, so that a thief of the password cannot keep the owner out.
import type { AuthDeps } from '../deps.js';
import type { User } from '../model.js';
import { recordSignIn } from '../users/record-sign-in.js';
import { isKnownDevice } from '../users/known-device.js';
import { recoveryCodeHash } from './recovery-codes.js';
import { matchingStep } from './totp.js';

export type CodeOutcome =
  | { ok: true; method: 'totp' | 'recovery-code' }
  | { ok: false; reason: 'wrong' }
  | { ok: false; reason: 'rate-limited'; retryAfterMs: number };

export interface CodeInput {
  code: string;
  address?: string;
  clientId: string;
  device?: string | undefined;
  purpose?: 'change-factors';
}

const CODE_LENGTH_MAX = 64;
const digitsPattern = /^\d{6}$/;

export async function checkCode(deps: AuthDeps, user: User, input: CodeInput): Promise<CodeOutcome> {
  const code = input.code.slice(0, CODE_LENGTH_MAX).replaceAll(/\s/g, '');
  const isTotp = digitsPattern.test(code);
  const { userId } = user;
  const fail = (reason: string): Promise<void> =>
    recordSignIn(deps, { ...input, method: isTotp ? 'totp' : 'recovery-code', userId, reason });
  const { secondStep } = deps.limits;
  const bucket = bucketOf(deps, user, input.device);
  const waitMs = await secondStep.takeAnywhere(bucket);
  if (waitMs > 0) {
    await fail('rate_limited');
    return { ok: false, reason: 'rate-limited', retryAfterMs: waitMs };
  }
  const problem = isTotp ? await totpProblem(deps, userId, code) : await recoveryProblem(deps, userId, code);
  if (problem === undefined) {
    secondStep.giveBack(bucket);
    return { ok: true, method: isTotp ? 'totp' : 'recovery-code' };
  }
  // Sent twice, by a double click: nobody learns anything from it.
  if (problem === 'replayed_code') secondStep.giveBack(bucket);
  await fail(problem);
  return { ok: false, reason: 'wrong' };
}

/** Whose attempts it counts among. */
function bucketOf(deps: AuthDeps, user: User, device: string | undefined): string {
  return isKnownDevice(deps, user, device) ? `${user.userId} ${device}` : user.userId;
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
      detail: { left: await tx.factors.countRecoveryCodes(userId) },
    });
    return undefined;
  });
}
