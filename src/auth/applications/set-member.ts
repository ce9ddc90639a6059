// Adds people to an application, changes their role, or removes them. An application always keeps an owner.
import { AppError, notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { commit } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import type { ApplicationMember } from '../model.js';
import type { AuthTransaction } from '../ports.js';
import { requireManager } from '../permissions.js';
import type { TenantRole } from '../roles.js';
import { say } from '../../words/server/say.js';

interface SetMemberInput {
  applicationId: string;
  userId: string;
  role: TenantRole;
}

export async function setApplicationMember(
  deps: AuthDeps,
  call: Call,
  input: SetMemberInput,
): Promise<ApplicationMember[]> {
  const { applicationId, userId, role } = input;
  await requireManager(deps, call, applicationId);
  return commit(deps, call, async ({ tx, audit, announce }) => {
    if (!(await tx.applications.get(applicationId))) throw notFound('application', 'application_id');
    if (!(await tx.users.get(userId))) throw notFound('user', 'user_id');
    if (role !== 'owner') await refuseLastOwner(tx, applicationId, userId);
    await tx.applications.setMember(applicationId, userId, role);
    await announce('user', userId, 'refresh');
    await audit('application.set-member', { type: 'application', id: applicationId }, { userId, role });
    return tx.applications.members(applicationId);
  });
}

export async function removeApplicationMember(
  deps: AuthDeps,
  call: Call,
  input: { applicationId: string; userId: string },
): Promise<ApplicationMember[]> {
  const { applicationId, userId } = input;
  await requireManager(deps, call, applicationId);
  return commit(deps, call, async ({ tx, audit, announce }) => {
    const members = await tx.applications.members(applicationId);
    if (!members.some((member) => member.userId === userId)) throw notFound('member', 'user_id');
    await refuseLastOwner(tx, applicationId, userId);
    await tx.applications.removeMember(applicationId, userId);
    await announce('user', userId, 'refresh');
    await audit('application.remove-member', { type: 'application', id: applicationId }, { userId });
    return tx.applications.members(applicationId);
  });
}

async function refuseLastOwner(tx: AuthTransaction, applicationId: string, userId: string): Promise<void> {
  const owners = (await tx.applications.members(applicationId)).filter((member) => member.role === 'owner');
  if (owners.length === 1 && owners[0]?.userId === userId) {
    throw new AppError('PERMISSION_DENIED', say('LAST_OWNER'));
  }
}
