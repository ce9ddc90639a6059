// What ends when a browser is signed out, wherever that was requested: there, from another browser, or by the identity
// provider.
import type { UnitOfWork } from '../commit.js';
import type { LoginSession } from '../model.js';
import { CONSOLE_CLIENT_ID } from './console-client.js';

/**
 * With the session everything that the console has in the name of its user. Tokens do not say from which browser they came: all
 * go, and browsers that are still signed in get new ones by themselves. What the user has allowed other applications stays.
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
