// What ends when a browser is signed out, wherever that was requested: there, from another browser, or by the identity
// provider.
import type { UnitOfWork } from '../commit.js';
import type { LoginSession } from '../model.js';
import { CONSOLE_CLIENT_ID } from './console-client.js';

/**
 * Ends the session and everything that the console holds for its user. Tokens do not say which browser they
 * came from: all of them end, and browsers that are still signed in get new ones automatically. Other
 * applications that the user has allowed are not affected.
 */
export async function endLoginSession(
  { tx, announce }: UnitOfWork,
  { sessionHash, userId }: LoginSession,
): Promise<void> {
  await tx.grants.deleteSession(sessionHash);
  const filter = { userId, clientId: CONSOLE_CLIENT_ID };
  const grantIds = await tx.grants.listGrantIds(filter);
  await tx.grants.deleteCodes(filter);
  await tx.grants.deleteRefreshTokens(filter);
  for (const grantId of grantIds) await announce('grant', grantId, 'gone');
}
