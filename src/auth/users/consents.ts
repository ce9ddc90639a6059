// The applications that the caller has allowed to act for them: lists them, and withdraws one.
import { notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { commit } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import type { Consent } from '../model.js';
import { requireSelf } from '../permissions.js';

interface ConsentView extends Consent {
  /** Name of the application. */
  name: string;
  /** User name of the person who registered it. */
  ownerUserName: string;
}

export async function listConsents(deps: AuthDeps, call: Call): Promise<ConsentView[]> {
  const consents = await deps.store.direct.grants.listConsents(requireSelf(call));
  return Promise.all(
    consents.map(async (consent) => {
      const client = (await deps.directory.client(consent.clientId))?.client;
      const owner = client?.userId === undefined ? undefined : await deps.directory.userRights(client.userId);
      return { ...consent, name: client?.name ?? '', ownerUserName: owner?.userName ?? '' };
    }),
  );
}

/** The application's tokens stop working at once on this node, within seconds on others. */
export async function withdrawConsent(
  deps: AuthDeps,
  call: Call,
  input: { clientId: string },
): Promise<void> {
  const userId = requireSelf(call);
  const { clientId } = input;
  await commit(deps, call, async ({ tx, audit, announce }) => {
    const given = await tx.grants.getConsent(userId, clientId);
    const grantIds = await tx.grants.listGrantIds({ userId, clientId });
    if (given === undefined && grantIds.length === 0) throw notFound('consent', 'client_id');
    await tx.grants.deleteConsents({ userId, clientId });
    await tx.grants.deleteCodes({ userId, clientId });
    await tx.grants.deleteRefreshTokens({ userId, clientId });
    for (const grantId of grantIds) await announce('grant', grantId, 'gone');
    await audit('user.withdraw-consent', { type: 'user', id: userId }, { clientId });
  });
}
