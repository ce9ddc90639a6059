// The factors that people manage themselves: whether an authenticator app is set up, setting one up, removing it, and new
// recovery codes. The secret of an app that is being set up is kept in a signed note; it is stored once a code has proven it.
import { AppError, invalidFields, notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { commit } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import type { Passkey, User } from '../model.js';
import { readNote, signNote } from '../signed-note.js';
import { toBase32 } from './base32.js';
import { beginChange, finishChange, type PendingChangeNote } from './factor-state.js';
import { relyingPartyOf } from './relying-party.js';
import { askForPasskey, type PasskeyQuestion } from './check-passkey.js';
import {
  keepRequired,
  needsSecondFactor,
  newRecoveryCodes,
  reauthenticatedUser,
  currentUser,
  type Proof,
} from './current-user.js';
import { tooManyAttempts } from '../users/current-password.js';
import { endOtherSignIns } from '../users/end-access.js';
import { matchingStep, otpauthUri } from './totp.js';
import { say } from '../../words/server/say.js';

const PURPOSE = 'totp-setup';
const SETUP_MS = 15 * 60_000;
/** 160 bits, as RFC 4226 section 4 recommends. */
const SECRET_BYTES = 20;

interface SetupNote extends PendingChangeNote {
  secret: string;
}

interface TotpSetup {
  /** Returned with the first code. */
  setupToken: string;
  /** In base32, for typing. */
  secret: string;
  uri: string;
}

interface OwnFactors {
  totpCreatedAtMs: number | undefined;
  recoveryCodesLeft: number;
  passkeys: readonly Passkey[];
  /** Whether browsers support passkeys for the address of this server. */
  canHavePasskeys: boolean;
  /** The person's role requires a second factor. */
  required: boolean;
  hasPassword: boolean;
}

export async function readOwnFactors(deps: AuthDeps, call: Call): Promise<OwnFactors> {
  const user = await currentUser(deps, call);
  const { factors } = deps.store.direct;
  return {
    totpCreatedAtMs: (await factors.getTotp(user.userId))?.createdAtMs,
    recoveryCodesLeft: await factors.countRecoveryCodes(user.userId),
    passkeys: await factors.listPasskeys(user.userId),
    canHavePasskeys: relyingPartyOf(deps.settings.publicUrl) !== undefined,
    required: needsSecondFactor(deps, user),
    hasPassword: user.passwordHash !== undefined,
  };
}

/** Asks for one of the caller's passkeys, before a change. */
export async function beginFactorProof(deps: AuthDeps, call: Call): Promise<PasskeyQuestion> {
  const { userId } = await currentUser(deps, call);
  const question = await askForPasskey(deps, userId, 'passkey-proof');
  if (!question) throw new AppError('PERMISSION_DENIED', say('NO_PASSKEY'));
  return question;
}

export async function beginOwnTotp(deps: AuthDeps, call: Call, input: Proof): Promise<TotpSetup> {
  return beginTotp(deps, await reauthenticatedUser(deps, call, input));
}

/** For a person who has just authenticated. */
export async function beginTotp(deps: AuthDeps, user: User): Promise<TotpSetup> {
  const secret = deps.ids.token(SECRET_BYTES);
  const { userId, userName } = user;
  const note: SetupNote = { ...(await beginChange(deps, userId, SETUP_MS)), secret };
  const text = toBase32(Buffer.from(secret, 'base64url'));
  return {
    setupToken: signNote(deps, PURPOSE, note),
    secret: text,
    uri: otpauthUri(text, userName, new URL(deps.settings.publicUrl).host),
  };
}

export async function confirmOwnTotp(
  deps: AuthDeps,
  call: Call,
  input: { setupToken: string; code: string },
): Promise<string[]> {
  return confirmTotp(deps, call, await currentUser(deps, call), input);
}

/** Returns the recovery codes that come with it; earlier ones become void. */
export async function confirmTotp(
  deps: AuthDeps,
  call: Pick<Call, 'caller' | 'requestId'>,
  user: User,
  input: { setupToken: string; code: string },
): Promise<string[]> {
  const { userId } = user;
  const note = readNote<SetupNote>(deps, PURPOSE, input.setupToken);
  if (note?.userId !== userId)
    throw invalidFields([{ field: 'setup_token', violation: 'OTHER', ...say('EXPIRED') }]);
  // The note contains the secret anyway: this only prevents haste, not guessing.
  const bucket = `${userId} setup ${note.beginning}`;
  const waitMs = await deps.limits.secondStep.takeAnywhere(bucket);
  if (waitMs > 0) throw tooManyAttempts(waitMs);
  const secret = Buffer.from(note.secret, 'base64url');
  const step = matchingStep(secret, input.code.replaceAll(/\s/g, ''), deps.clock.now());
  if (step === undefined) {
    throw invalidFields([{ field: 'code', violation: 'OTHER', ...say('CODE_NOT_MATCHING') }]);
  }
  deps.limits.secondStep.giveBack(bucket);
  const sealedSecret = await deps.totpSealer.seal(secret, userId);
  return commit(deps, call, async (unit) => {
    await finishChange(deps, unit, note);
    await unit.tx.factors.putTotp({ userId, sealedSecret, lastStep: step, createdAtMs: unit.nowMs });
    await unit.audit('user.set-up-totp', { type: 'user', id: userId });
    await endOtherSignIns(unit, userId, call.caller.signIn);
    return newRecoveryCodes(deps, unit, userId);
  });
}

export async function removeOwnTotp(deps: AuthDeps, call: Call, input: Proof): Promise<void> {
  const user = await reauthenticatedUser(deps, call, input);
  const { userId } = user;
  await commit(deps, call, async (unit) => {
    await unit.tx.factors.holdUser(userId);
    if (!(await unit.tx.factors.getTotp(userId))) throw notFound('authenticator app');
    await unit.tx.factors.deleteTotp(userId);
    await keepRequired(deps, unit, user);
    await unit.audit('user.remove-totp', { type: 'user', id: userId });
    await endOtherSignIns(unit, userId, call.caller.signIn);
  });
}

export async function renewRecoveryCodes(deps: AuthDeps, call: Call, input: Proof): Promise<string[]> {
  const { userId } = await reauthenticatedUser(deps, call, input);
  return commit(deps, call, async (unit) => {
    await unit.tx.factors.holdUser(userId);
    if ((await unit.tx.factors.holders(userId)).size === 0)
      throw new AppError('PERMISSION_DENIED', say('NO_SECOND_FACTOR'));
    await endOtherSignIns(unit, userId, call.caller.signIn);
    return newRecoveryCodes(deps, unit, userId);
  });
}
