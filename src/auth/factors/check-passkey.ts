// A passkey at the sign-in page, alone or as the second step after a password, and before second factors are changed. The signature, the challenge (good once, on
// all nodes), origin, relying party, user verification and the counter are checked; every refusal looks the same from outside.
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { AuthDeps } from '../deps.js';
import type { Passkey } from '../model.js';
import { readNote, signNote, type Note } from '../signed-note.js';
import { recordSignIn } from '../users/record-sign-in.js';
import { factorState } from './factor-state.js';
import { relyingPartyOf, type RelyingParty } from './relying-party.js';

/** An answer that was given for the one must not do for the other. */
type Purpose = 'passkey-sign-in' | 'passkey-proof';
const CHALLENGE_MS = 10 * 60_000;
const CHALLENGE_BYTES = 32;

interface ChallengeNote extends Note {
  challenge: string;
  /** As the second step: of this person only. */
  userId?: string;
  /** Before a change: what the person signed in with when they were asked. */
  state?: string;
}

export interface PasskeyQuestion {
  /** Brought back with the answer. */
  ticket: string;
  /** PublicKeyCredentialRequestOptionsJSON. */
  optionsJson: string;
}

/** What the browser is asked; undefined where there are no passkeys, or this person has none. */
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
  /** `second`: it was asked for after a password. */
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

/** Why it is no answer of one of this person's passkeys to what they were asked before a change; undefined where it is one. */
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
  // A counter that does not move forward means that there are two of what should be one.
  if (!(await factors.usePasskey(passkey.credentialId, counter, deps.clock.now())))
    return { userId, problem: 'cloned_passkey' };
  const user = await users.get(userId);
  if (!user || user.locked) return { userId, problem: 'locked' };
  return { userId, second: note.userId !== undefined };
}

/** Nothing that the person signs in with has changed since they were asked. */
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
      // The counter is compared by the database, where all nodes meet.
      credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter: 0 },
      requireUserVerification: true,
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    return undefined;
  }
}
