// Ends what people had allowed a client to do for them: codes, refresh tokens and consents. Everybody is asked again.
import type { AuthTransaction } from '../ports.js';

export async function endGrantsOfClient({ grants }: AuthTransaction, clientId: string): Promise<void> {
  await grants.deleteCodes({ clientId });
  await grants.deleteRefreshTokens({ clientId });
  await grants.deleteConsents({ clientId });
}
