// SecondFactorsManager over the token service.
import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  beginFactorProof,
  beginOwnTotp,
  confirmOwnTotp,
  readOwnFactors,
  removeOwnTotp,
  renewRecoveryCodes,
} from '../../../auth/factors/own-factors.js';
import {
  beginPasskey,
  createPasskey,
  removePasskey,
  renamePasskey,
} from '../../../auth/factors/own-passkeys.js';
import { resetFactors } from '../../../auth/factors/reset-factors.js';
import type { FactorProof, Proof } from '../../../auth/factors/current-user.js';
import type { Passkey } from '../../../auth/model.js';
import { SecondFactorsManager, type PasskeySchema } from '../../../gen/voxgate/management/v1/factors_pb.js';
import { qrCode } from '../../qr-code.js';
import { bindService, type Handlers, type ServiceBinding } from '../../service.js';
import type { ManagementDeps } from './clients.js';
import { managementAccess, requireFields, time, timeField } from './shared.js';

type Needs = Pick<ManagementDeps, 'auth'>;

export function secondFactorsService(deps: Needs): ServiceBinding {
  const { auth } = deps;
  return bindService(SecondFactorsManager, managementAccess, {
    ...passkeyHandlers(deps),
    getSecondFactors: async (call) => {
      const { totpCreatedAtMs, recoveryCodesLeft, passkeys, canHavePasskeys, required, hasPassword } =
        await readOwnFactors(auth, call);
      return {
        ...timeField('authenticatorTimestamp', totpCreatedAtMs),
        recoveryCodesLeft,
        required,
        passkeys: passkeys.map(passkeyInit),
        passkeysAvailable: canHavePasskeys,
        hasPassword,
      };
    },
    beginSecondFactorProof: async (call) => {
      const { ticket, optionsJson } = await beginFactorProof(auth, call);
      return { proofToken: ticket, optionsJson };
    },
    beginAuthenticator: async (call, asked) => {
      const { setupToken, secret, uri } = await beginOwnTotp(auth, call, proofOf(asked));
      const { path, size } = qrCode(uri);
      return { setupToken, secret, otpauthUri: uri, qrPath: path, qrSize: size };
    },
    confirmAuthenticator: async (call, { setupToken, code }) => {
      requireFields({ setup_token: setupToken, code });
      return { recoveryCodes: await confirmOwnTotp(auth, call, { setupToken, code }) };
    },
    removeAuthenticator: async (call, asked) => {
      await removeOwnTotp(auth, call, proofOf(asked));
      return {};
    },
    renewRecoveryCodes: async (call, asked) => {
      return { recoveryCodes: await renewRecoveryCodes(auth, call, proofOf(asked)) };
    },
    resetSecondFactors: async (call, { userId }) => {
      requireFields({ user_id: userId });
      await resetFactors(auth, call, { userId });
      return {};
    },
  });
}

function passkeyHandlers({
  auth,
}: Needs): Pick<
  Handlers<typeof SecondFactorsManager>,
  'beginPasskey' | 'createPasskey' | 'renamePasskey' | 'removePasskey'
> {
  return {
    beginPasskey: async (call, asked) => beginPasskey(auth, call, proofOf(asked)),
    createPasskey: async (call, { setupToken, name, credentialJson }) => {
      requireFields({ setup_token: setupToken, name, credential_json: credentialJson });
      const { passkey, recoveryCodes } = await createPasskey(auth, call, {
        setupToken,
        name,
        credentialJson,
      });
      return { passkey: passkeyInit(passkey), recoveryCodes };
    },
    renamePasskey: async (call, { passkeyId, name }) => {
      requireFields({ passkey_id: passkeyId, name });
      await renamePasskey(auth, call, { passkeyId, name });
      return {};
    },
    removePasskey: async (call, { passkeyId, ...asked }) => {
      requireFields({ passkey_id: passkeyId, current_password: asked.currentPassword });
      await removePasskey(auth, call, { passkeyId, ...proofOf(asked) });
      return {};
    },
  };
}

/** What every change of second factors brings. */
function proofOf({
  currentPassword,
  proof,
}: {
  currentPassword: string;
  proof?: FactorProof | undefined;
}): Proof {
  requireFields({ current_password: currentPassword });
  return { currentPassword, factor: proof };
}

function passkeyInit(passkey: Passkey): MessageInitShape<typeof PasskeySchema> {
  return {
    passkeyId: passkey.credentialId,
    name: passkey.name,
    creationTimestamp: time(passkey.createdAtMs),
    ...timeField('lastUsedTimestamp', passkey.lastUsedAtMs),
  };
}
