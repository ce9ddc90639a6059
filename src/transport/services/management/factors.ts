// SecondFactorsManager over the token service.
import {
  beginOwnTotp,
  confirmOwnTotp,
  readOwnFactors,
  removeOwnTotp,
  renewRecoveryCodes,
} from '../../../auth/factors/own-factors.js';
import { resetFactors } from '../../../auth/factors/reset-factors.js';
import { SecondFactorsManager } from '../../../gen/voxgate/management/v1/factors_pb.js';
import { qrCode } from '../../qr-code.js';
import { bindService, type ServiceBinding } from '../../service.js';
import type { ManagementDeps } from './clients.js';
import { managementAccess, requireFields, timeField } from './shared.js';

export function secondFactorsService({ auth }: Pick<ManagementDeps, 'auth'>): ServiceBinding {
  return bindService(SecondFactorsManager, managementAccess, {
    getSecondFactors: async (call) => {
      const { totpCreatedAtMs, recoveryCodesLeft, required } = await readOwnFactors(auth, call);
      return { ...timeField('authenticatorTimestamp', totpCreatedAtMs), recoveryCodesLeft, required };
    },
    beginAuthenticator: async (call, { currentPassword }) => {
      requireFields({ current_password: currentPassword });
      const { setupToken, secret, uri } = await beginOwnTotp(auth, call, { currentPassword });
      const { path, size } = qrCode(uri);
      return { setupToken, secret, otpauthUri: uri, qrPath: path, qrSize: size };
    },
    confirmAuthenticator: async (call, { setupToken, code }) => {
      requireFields({ setup_token: setupToken, code });
      return { recoveryCodes: await confirmOwnTotp(auth, call, { setupToken, code }) };
    },
    removeAuthenticator: async (call, { currentPassword }) => {
      requireFields({ current_password: currentPassword });
      await removeOwnTotp(auth, call, { currentPassword });
      return {};
    },
    renewRecoveryCodes: async (call, { currentPassword }) => {
      requireFields({ current_password: currentPassword });
      return { recoveryCodes: await renewRecoveryCodes(auth, call, { currentPassword }) };
    },
    resetSecondFactors: async (call, { userId }) => {
      requireFields({ user_id: userId });
      await resetFactors(auth, call, { userId });
      return {};
    },
  });
}
