// A passkey at the sign-in page, alone or as the second step after a password, or before second factors are
// changed. Checks the signature, the challenge (valid once, on all nodes), origin, relying party, user
// verification and the counter; every refusal looks the same from outside.
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { AuthDeps } from '../deps.js';
import type { Passkey } from '../model.js';
import { readNote, signNote, type Note } from '../signed-note.js';
import { recordSignIn } from '../users/record-sign-in.js';
import { factorState } from './factor-state.js';
import { relyingPartyOf, type RelyingParty } from './relying-party.js';

/** An answer given for one purpose must not count for the other. */
type Purpose = 'passkey-sign-in' | 'passkey-proof';
const CHALLENGE_MS = 10 * 60_000;
const CHALLENGE_BYTES = 32;

interface ChallengeNote extends Note {
  challenge: string;
  /** As the second step: only this person's passkeys. */
  userId?: string;
  /** Before a change: the person's sign-in data when they were asked. */
  state?: string;
}

export interface PasskeyQuestion {
  /** Returned with the answer. */
  ticket: string;
  /** PublicKeyCredentialRequestOptionsJSON. */
  optionsJson: string;
}

/** The question for the browser; undefined if there are no passkeys, or this person has none. */
export async function askForPasskey(
  deps: AuthDeps,
  userId?: string,
  purpose: Purpose = 'passkey-sign-in',
): Promise<PasskeyQuestion | undefined> {
  const party = relyingPartyOf(deps.settings.publicUrl);
  if (!party || !deps.settings.localAccounts) return undefined;
  const own = userId === undefined ? undefined : await deps.store.direct.factors.listPasskeys(userId);
  if (own?.length === 0) return undefined;
  const challenge = deps.ids.token(CHALLENGE_BYTES);
  const options = {
    rpId: party.id,
    challenge,
    userVerification: 'required',
    timeout: CHALLENGE_MS,
    allowCredentials: own?.map(({ credentialId }) => ({ type: 'public-key', id: credentialId })),
  };
  const endsAtMs = deps.clock.now() + CHALLENGE_MS;
  const note: ChallengeNote = { challenge, endsAtMs, ...(userId === undefined ? {} : { userId }) };
  if (purpose === 'passkey-proof' && userId !== undefined)
    note.state = await factorState(deps, deps.store.direct, userId);
  return { ticket: signNote(deps, purpose, note), optionsJson: JSON.stringify(options) };
}

interface PasskeyInput {
  ticket: string;
  /** The answer of the browser (AuthenticationResponseJSON). */
  credentialJson: string;
  address: string;
  clientId: string;
}

type PasskeyOutcome =
  /** `second`: it was requested after a password. */
  | { ok: true; userId: string; second: boolean }
  | { ok: false; reason: 'wrong' }
  | { ok: false; reason: 'rate-limited'; retryAfterMs: number };

export async function checkPasskey(deps: AuthDeps, input: PasskeyInput): Promise<PasskeyOutcome> {
  const waitMs = await deps.limits.loginPerAddress.takeAnywhere(input.address);
  const {
    userId,
    problem,
    second = false,
  }: Found = waitMs > 0 ? { problem: 'rate_limited' } : await find(deps, input, 'passkey-sign-in');
  if (problem === undefined && userId !== undefined) return { ok: true, userId, second };
  await recordSignIn(deps, { ...input, method: 'passkey', userId, reason: problem });
  return waitMs > 0
    ? { ok: false, reason: 'rate-limited', retryAfterMs: waitMs }
    : { ok: false, reason: 'wrong' };
}

/**
 * Why this is not a valid answer, from one of this person's passkeys, to the question before a change;
 * undefined if it is valid.
 */
export async function passkeyProblem(
  deps: AuthDeps,
  userId: string,
  input: Pick<PasskeyInput, 'ticket' | 'credentialJson' | 'clientId'>,
): Promise<string | undefined> {
  const found = await find(deps, input, 'passkey-proof');
  if (found.problem === undefined && found.userId === userId && found.second === true) return undefined;
  const { clientId } = input;
  const reason = found.problem ?? 'passkey_of_another';
  await recordSignIn(deps, { clientId, method: 'passkey', userId, reason, purpose: 'change-factors' });
  return reason;
}

interface Found {
  userId?: string;
  second?: boolean;
  /** For the operator. */
  problem?: string;
}

async function find(
  deps: AuthDeps,
  { ticket, credentialJson }: Pick<PasskeyInput, 'ticket' | 'credentialJson'>,
  purpose: Purpose,
): Promise<Found> {
  const party = relyingPartyOf(deps.settings.publicUrl);
  const note = readNote<ChallengeNote>(deps, purpose, ticket);
  if (!party || !note) return { problem: 'expired' };
  const { factors, oneTime, users } = deps.store.direct;
  if (!(await oneTime.remember(`passkey ${note.challenge}`, note.endsAtMs)))
    return { problem: 'replayed_challenge' };
  if (purpose === 'passkey-proof' && !(await isCurrent(deps, note))) return { problem: 'expired' };
  const response = parsed(credentialJson);
  const passkey = response && (await factors.getPasskey(response.id));
  if (!response || !passkey) return { problem: 'unknown_passkey' };
  const { userId } = passkey;
  const handle = response.response.userHandle;
  const isOwner =
    (note.userId === undefined || note.userId === userId) &&
    (handle === undefined || Buffer.from(handle, 'base64url').toString() === userId);
  if (!isOwner) return { userId, problem: 'passkey_of_another' };
  const counter = await verifiedCounter(response, passkey, note.challenge, party);
  if (counter === undefined) return { userId, problem: 'wrong_passkey' };
  // A counter that does not increase means that the passkey was cloned.
  if (!(await factors.usePasskey(passkey.credentialId, counter, deps.clock.now())))
    return { userId, problem: 'cloned_passkey' };
  const user = await users.get(userId);
  if (!user || user.locked) return { userId, problem: 'locked' };
  return { userId, second: note.userId !== undefined };
}

/** Whether the person's sign-in data is unchanged since they were asked. */
async function isCurrent(deps: AuthDeps, { userId, state }: ChallengeNote): Promise<boolean> {
  return userId !== undefined && (await factorState(deps, deps.store.direct, userId)) === state;
}

function parsed(credentialJson: string): AuthenticationResponseJSON | undefined {
  try {
    const value = JSON.parse(credentialJson) as Partial<AuthenticationResponseJSON> | null;
    return typeof value?.id === 'string' && typeof value.response === 'object'
      ? (value as AuthenticationResponseJSON)
      : undefined;
  } catch {
    return undefined;
  }
}

async function verifiedCounter(
  response: AuthenticationResponseJSON,
  { credentialId, publicKey }: Passkey,
  challenge: string,
  party: RelyingParty,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      // The database compares the counter, because it is shared by all nodes.
      credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter: 0 },
      requireUserVerification: true,
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    return undefined;
  }
}
