// Ends what somebody has going: signed-in browsers, codes, refresh tokens, consents and access tokens. One place, so that
// locking, a new password, signing out everywhere and deletion end the same things.
import { endGrantsOfClient } from '../clients/end-grants.js';
import type { Unit } from '../commit.js';
import type { ChangeEffect } from '../tokens/change-feed.js';

/** `effect` says what happens to access tokens that are out. */
export async function endAccessOfUser(
  { tx, announce }: Unit,
  userId: string,
  effect: ChangeEffect,
): Promise<void> {
  await tx.grants.deleteSessionsOfUser(userId);
  await tx.grants.deleteCodes({ userId });
  await tx.grants.deleteRefreshTokens({ userId });
  await tx.grants.deleteConsents({ userId });
  await announce('user', userId, effect);
}

/** What anybody had allowed the user's applications to do for them. */
export async function endAccessOfClients({ tx, announce }: Unit, userId: string): Promise<void> {
  for (const { clientId, locked } of await tx.clients.list({ userId, kind: 'tooling' })) {
    await endGrantsOfClient(tx, clientId);
    await announce('client', clientId, locked ? 'refresh' : 'void-earlier');
  }
}

/** What somebody made to act in their name stops, and nobody acts through it any more, until it is unlocked. */
export async function lockClientsOfUser({ tx, nowMs, announce, audit }: Unit, userId: string): Promise<void> {
  for (const client of await tx.clients.list({ userId, kind: 'tooling' })) {
    const { clientId } = client;
    if (client.locked) continue;
    await tx.clients.update({ ...client, locked: true, updatedAtMs: nowMs });
    await endGrantsOfClient(tx, clientId);
    await announce('client', clientId, 'void-all');
    await audit('client.lock', { type: 'client', id: clientId }, { reason: 'owner-turned-out' });
  }
}
