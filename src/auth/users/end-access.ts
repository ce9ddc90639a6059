// Ends all access that somebody has: signed-in browsers, codes, refresh tokens, consents and access tokens. One place, so that
// locking, a new password, signing out everywhere and deletion end the same things.
import { CONSOLE_CLIENT_ID } from '../authorization/console-client.js';
import { signInOfGrant, signInOfSession } from '../grant-id.js';
import { endGrantsOfClient } from '../clients/end-grants.js';
import type { UnitOfWork } from '../commit.js';
import type { ChangeEffect } from '../node-state/change-feed.js';

/**
 * `effect` says what happens to issued access tokens. The browser of the sign-in `kept` stays signed in, and
 * its console gets new tokens automatically.
 */
export async function endAccessOfUser(
  unit: UnitOfWork,
  userId: string,
  effect: ChangeEffect,
  kept?: string,
): Promise<void> {
  const { tx, announce } = unit;
  await endSessions(unit, userId, kept);
  const stays = kept === undefined ? [] : await consoleGrants(unit, userId, (of) => of === kept);
  const grantIds = stays.length === 0 ? [] : await tx.grants.listGrantIds({ userId });
  if (stays.length === 0) await tx.grants.deleteRefreshTokens({ userId });
  for (const grantId of grantIds) {
    if (!stays.includes(grantId)) await tx.grants.deleteRefreshTokens({ grantId });
  }
  await tx.grants.deleteCodes({ userId });
  await tx.grants.deleteConsents({ userId });
  await tx.users.forgetDevices(userId, unit.newMark());
  await announce('user', userId, effect);
}

/**
 * After a change of somebody's sign-in data: everybody who signed in before has to prove the new one. The
 * sign-in `kept` stays, and so do other applications that the user has allowed.
 */
export async function endOtherSignIns(
  unit: UnitOfWork,
  userId: string,
  kept: string | undefined,
): Promise<void> {
  const { tx, announce, audit } = unit;
  const ended = await endSessions(unit, userId, kept);
  await tx.grants.deleteCodes({ userId, clientId: CONSOLE_CLIENT_ID });
  for (const grantId of await consoleGrants(unit, userId, (of) => kept === undefined || of !== kept)) {
    await tx.grants.deleteRefreshTokens({ grantId });
    await announce('grant', grantId, 'gone');
  }
  if (ended > 0) await audit('user.sign-out-elsewhere', { type: 'user', id: userId }, { sessions: ended });
}

async function endSessions({ tx }: UnitOfWork, userId: string, kept: string | undefined): Promise<number> {
  const sessions = await tx.grants.listSessions(userId);
  const others = sessions.filter(({ sessionHash }) => signInOfSession(sessionHash) !== kept);
  for (const { sessionHash } of others) await tx.grants.deleteSession(sessionHash);
  return others.length;
}

async function consoleGrants(
  { tx }: UnitOfWork,
  userId: string,
  isMeant: (signIn: string | undefined) => boolean,
): Promise<string[]> {
  const grantIds = await tx.grants.listGrantIds({ userId, clientId: CONSOLE_CLIENT_ID });
  return grantIds.filter((grantId) => isMeant(signInOfGrant(grantId)));
}

/** Ends what anybody had allowed the user's applications to do for them. */
export async function endAccessOfClients({ tx, announce }: UnitOfWork, userId: string): Promise<void> {
  for (const { clientId, locked } of await tx.clients.list({ userId, kind: 'tooling' })) {
    await endGrantsOfClient(tx, clientId);
    await announce('client', clientId, locked ? 'refresh' : 'void-earlier');
  }
}

/**
 * Locks the clients that the user made to act in their name; nobody acts through them until they are
 * unlocked.
 */
export async function lockClientsOfUser(
  { tx, nowMs, announce, audit }: UnitOfWork,
  userId: string,
): Promise<void> {
  for (const client of await tx.clients.list({ userId, kind: 'tooling' })) {
    const { clientId } = client;
    if (client.locked) continue;
    await tx.clients.update({ ...client, locked: true, updatedAtMs: nowMs });
    await endGrantsOfClient(tx, clientId);
    await announce('client', clientId, 'void-all');
    await audit('client.lock', { type: 'client', id: clientId }, { reason: 'owner-turned-out' });
  }
}
