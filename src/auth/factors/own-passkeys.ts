// The passkeys of a person (WebAuthn): several of them, each with a name, set up with the password and an existing factor.
// They are discoverable and verify their user, so one is enough to sign in. The challenge is kept in a signed note and can be
// used once.
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { AppError, invalidFields, notFound, refuseFaults } from '../../errors.js';
import type { Call } from '../../platform.js';
import { commit } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import { displayNameFault } from '../fields.js';
import type { Passkey } from '../model.js';
import { requireSelf } from '../permissions.js';
import { readNote, signNote } from '../signed-note.js';
import { endOtherSignIns } from '../users/end-access.js';
import { beginChange, finishChange, type PendingChangeNote } from './factor-state.js';
import { relyingPartyOf, type RelyingParty } from './relying-party.js';
import {
  keepRequired,
  newRecoveryCodes,
  reauthenticatedUser,
  currentUser,
  type Proof,
} from './current-user.js';
import { say } from '../../words/server/say.js';

const PURPOSE = 'passkey-setup';
const SETUP_MS = 10 * 60_000;
const CHALLENGE_BYTES = 32;
const PASSKEYS_MAX = 20;
/** COSE: EdDSA, ES256, RS256. */
const algorithms = [-8, -7, -257];

interface SetupNote extends PendingChangeNote {
  challenge: string;
}

function requireRelyingParty(deps: AuthDeps): RelyingParty {
  const party = relyingPartyOf(deps.settings.publicUrl);
  if (!party) throw new AppError('PERMISSION_DENIED', say('NO_PUBLIC_URL'));
  return party;
}

/** The browser's options (PublicKeyCredentialCreationOptionsJSON), and a token to return with its answer. */
export async function beginPasskey(
  deps: AuthDeps,
  call: Call,
  input: Proof,
): Promise<{ setupToken: string; optionsJson: string }> {
  const party = requireRelyingParty(deps);
  const { userId, userName, displayName } = await reauthenticatedUser(deps, call, input);
  const known = await deps.store.direct.factors.listPasskeys(userId);
  const challenge = deps.ids.token(CHALLENGE_BYTES);
  const options = {
    rp: { id: party.id, name: 'Voxgate' },
    user: { id: Buffer.from(userId).toString('base64url'), name: userName, displayName },
    challenge,
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    excludeCredentials: known.map(({ credentialId }) => ({ type: 'public-key', id: credentialId })),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
    timeout: SETUP_MS,
  };
  const note: SetupNote = { ...(await beginChange(deps, userId, SETUP_MS)), challenge };
  return { setupToken: signNote(deps, PURPOSE, note), optionsJson: JSON.stringify(options) };
}

interface CreatePasskeyInput {
  setupToken: string;
  name: string;
  /** The answer of the browser (RegistrationResponseJSON). */
  credentialJson: string;
}

/** Returns the passkey, and recovery codes if the person had none. */
export async function createPasskey(
  deps: AuthDeps,
  call: Call,
  input: CreatePasskeyInput,
): Promise<{ passkey: Passkey; recoveryCodes: string[] }> {
  const party = requireRelyingParty(deps);
  const { userId } = await currentUser(deps, call);
  refuseFaults([displayNameFault('name', input.name)]);
  const note = readNote<SetupNote>(deps, PURPOSE, input.setupToken);
  // Used up even if the answer is not valid: a challenge is asked only once.
  const fresh =
    note?.userId === userId &&
    (await deps.store.direct.oneTime.remember(`passkey ${note.challenge}`, note.endsAtMs));
  if (!note || !fresh) throw invalidFields([{ field: 'setup_token', violation: 'OTHER', ...say('EXPIRED') }]);
  const verified = await verifiedCredential(input.credentialJson, note.challenge, party);
  return commit(deps, call, async (unit) => {
    const { tx, nowMs, audit } = unit;
    await finishChange(deps, unit, note);
    if ((await tx.factors.listPasskeys(userId)).length >= PASSKEYS_MAX)
      throw new AppError('QUOTA_EXCEEDED', say('TOO_MANY_PASSKEYS', { max: PASSKEYS_MAX }));
    const passkey: Passkey = {
      ...verified,
      userId,
      name: input.name.trim(),
      createdAtMs: nowMs,
      lastUsedAtMs: undefined,
    };
    await tx.factors.insertPasskey(passkey);
    await audit('user.create-passkey', { type: 'user', id: userId }, { name: passkey.name });
    await endOtherSignIns(unit, userId, call.caller.signIn);
    const hasCodes = (await tx.factors.countRecoveryCodes(userId)) > 0;
    return { passkey, recoveryCodes: hasCodes ? [] : await newRecoveryCodes(deps, unit, userId) };
  });
}

async function verifiedCredential(
  credentialJson: string,
  challenge: string,
  party: RelyingParty,
): Promise<Pick<Passkey, 'credentialId' | 'publicKey' | 'counter'>> {
  // Imported on demand: it brings a good part of X.509 with it.
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: JSON.parse(credentialJson) as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    });
    if (verified) {
      const { id, publicKey, counter } = registrationInfo.credential;
      return { credentialId: id, publicKey, counter };
    }
  } catch {
    // The caller is told the same, whatever it was.
  }
  throw invalidFields([
    { field: 'credential_json', violation: 'INVALID_FORMAT', ...say('NOT_OF_THIS_CHALLENGE') },
  ]);
}

export async function renamePasskey(
  deps: AuthDeps,
  call: Call,
  input: { passkeyId: string; name: string },
): Promise<void> {
  const userId = requireSelf(call);
  refuseFaults([displayNameFault('name', input.name)]);
  await commit(deps, call, async ({ tx, audit }) => {
    if (!(await tx.factors.renamePasskey(userId, input.passkeyId, input.name.trim())))
      throw notFound('passkey', 'passkey_id');
    await audit('user.rename-passkey', { type: 'user', id: userId }, { name: input.name.trim() });
  });
}

export async function removePasskey(
  deps: AuthDeps,
  call: Call,
  input: Proof & { passkeyId: string },
): Promise<void> {
  const user = await reauthenticatedUser(deps, call, input);
  const { userId } = user;
  await commit(deps, call, async (unit) => {
    await unit.tx.factors.holdUser(userId);
    if (!(await unit.tx.factors.deletePasskey(userId, input.passkeyId)))
      throw notFound('passkey', 'passkey_id');
    await keepRequired(deps, unit, user);
    await unit.audit('user.remove-passkey', { type: 'user', id: userId });
    await endOtherSignIns(unit, userId, call.caller.signIn);
  });
}
