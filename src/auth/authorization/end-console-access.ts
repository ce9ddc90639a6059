// What ends when a browser is signed out, wherever that was asked for.
import type { Unit } from '../commit.js';
import { CONSOLE_CLIENT_ID } from './console-client.js';

/**
 * Everything that the console has in the name of a user. Tokens do not say from which browser they came: all go, and browsers that
 * are still signed in get new ones by themselves.
 */
export async function endAccessOfConsole({ tx, announce }: Unit, userId: string): Promise<void> {
  const filter = { userId, clientId: CONSOLE_CLIENT_ID };
  const grantIds = await tx.grants.listGrantIds(filter);
  await tx.grants.deleteCodes(filter);
  await tx.grants.deleteRefreshTokens(filter);
  for (const grantId of grantIds) await announce('grant', grantId, 'gone');
}
