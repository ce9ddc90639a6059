// Removes an application with its environments and clients.
import { notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { commit } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import { requireManager } from '../permissions.js';
import { removeEnvironment } from './delete-environment.js';

export async function deleteApplication(
  deps: AuthDeps,
  call: Call,
  input: { applicationId: string },
): Promise<void> {
  const { applicationId } = input;
  await requireManager(deps, call, applicationId);
  await commit(deps, call, async (unit) => {
    const { tx, audit, announce } = unit;
    const application = await tx.applications.get(applicationId);
    if (!application) throw notFound('application', 'application_id');
    for (const environment of await tx.environments.list({ applicationId }))
      await removeEnvironment(unit, environment);
    for (const { userId } of await tx.applications.members(applicationId)) {
      await tx.applications.removeMember(applicationId, userId);
      await announce('user', userId, 'refresh');
    }
    await tx.applications.delete(applicationId);
    await audit('application.delete', { type: 'application', id: applicationId }, { name: application.name });
  });
}
