// Removes a person with their sessions, tooling clients and memberships; their tokens stop working.
import { AppError, notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { endGrantsOfClient } from '../clients/end-grants.js';
import { commit } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import { requireAdministrator } from '../permissions.js';
import { endAccessOfUser } from './end-access.js';
import { refuseLastAdministrator } from './update-user.js';
import { invitationOf } from './set-password.js';
import { say } from '../../words/server/say.js';

export async function deleteUser(deps: AuthDeps, call: Call, input: { userId: string }): Promise<void> {
  requireAdministrator(call);
  const { userId } = input;
  await commit(deps, call, async (unit) => {
    const { tx, audit, announce } = unit;
    const user = await tx.users.get(userId);
    if (!user) throw notFound('user', 'user_id');
    await refuseLastAdministrator(tx, user);
    for (const { applicationId, name } of await tx.applications.list({ userId })) {
      const members = await tx.applications.members(applicationId);
      const owners = members.filter((member) => member.role === 'owner');
      // An application nobody owns could never get a new secret.
      if (owners.length === 1 && owners[0]?.userId === userId) {
        throw new AppError('PERMISSION_DENIED', say('ONLY_OWNER', { application: name }));
      }
      await tx.applications.removeMember(applicationId, userId);
    }
    for (const { clientId } of await tx.clients.list({ userId, kind: 'tooling' })) {
      await tx.clients.delete(clientId);
      await endGrantsOfClient(tx, clientId);
      await announce('client', clientId, 'gone');
    }
    await endAccessOfUser(unit, userId, 'gone');
    await tx.identities.deleteOfUser(userId);
    await tx.factors.deleteOfUser(userId);
    await tx.settings.delete(invitationOf(userId));
    await tx.users.delete(userId);
    await audit('user.delete', { type: 'user', id: userId }, { userName: user.userName });
  });
}
