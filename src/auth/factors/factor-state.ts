// A person's sign-in data, condensed into one short text. A process that was started carries the text of that
// time, and can only be finished while it is still the same: after any change of factors, recovery codes or
// password, it must be started again, with a proof that is valid now.
import { invalidFields } from '../../errors.js';
import type { UnitOfWork } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import type { AuthRepositories } from '../ports.js';
import { hashHandle } from '../secrets.js';
import type { Note } from '../signed-note.js';
import { say } from '../../words/server/say.js';

export interface PendingChangeNote extends Note {
  userId: string;
  /** Valid once. */
  beginning: string;
  state: string;
}

const BEGINNING_BYTES = 16;

/** For a person who has just authenticated. */
export async function beginChange(
  deps: AuthDeps,
  userId: string,
  lifeMs: number,
): Promise<PendingChangeNote> {
  return {
    userId,
    beginning: deps.ids.token(BEGINNING_BYTES),
    state: await factorState(deps, deps.store.direct, userId),
    endsAtMs: deps.clock.now() + lifeMs,
  };
}

export async function factorState(
  deps: Pick<AuthDeps, 'secrets'>,
  { factors, users }: Pick<AuthRepositories, 'factors' | 'users'>,
  userId: string,
): Promise<string> {
  const totp = await factors.getTotp(userId);
  const state = [
    (await users.get(userId))?.passwordHash ?? '',
    totp ? Buffer.from(totp.sealedSecret).toString('base64') : '',
    (await factors.listPasskeys(userId)).map(({ credentialId }) => credentialId).sort(),
    [...(await factors.recoveryCodeHashes(userId))].sort(),
  ];
  return hashHandle(deps.secrets, `factor-state ${userId}`, JSON.stringify(state));
}

/**
 * Before finishing a change that was begun earlier, in its transaction: checks that nothing has changed
 * since, and that it was not finished before.
 */
export async function finishChange(
  deps: AuthDeps,
  { tx }: UnitOfWork,
  note: PendingChangeNote,
): Promise<void> {
  const { userId, beginning, state, endsAtMs } = note;
  await tx.factors.holdUser(userId);
  const isCurrent = (await factorState(deps, tx, userId)) === state;
  if (isCurrent && (await tx.oneTime.remember(`factor-setup ${beginning}`, endsAtMs))) return;
  throw invalidFields([{ field: 'setup_token', violation: 'OTHER', ...say('USED_BEFORE') }]);
}
