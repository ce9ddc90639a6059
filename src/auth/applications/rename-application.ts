// Gives an application another name.
import { refuseStale } from '../../audit/merge-change.js';
import { notFound, refuseFaults } from '../../errors.js';
import type { Call } from '../../platform.js';
import { changesOf } from '../changes.js';
import { commit } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import { displayNameFault } from '../fields.js';
import type { Application } from '../model.js';
import { requireManager } from '../permissions.js';

export async function renameApplication(
  deps: AuthDeps,
  call: Call,
  input: { applicationId: string; name: string; expected?: Pick<Application, 'name'> },
): Promise<Application> {
  await requireManager(deps, call, input.applicationId);
  refuseFaults([displayNameFault('name', input.name)]);
  return commit(deps, call, async ({ tx, nowMs, audit }) => {
    const before = await tx.applications.lock(input.applicationId);
    if (!before) throw notFound('application', 'application_id');
    refuseStale<Pick<Application, 'name'>>({ name: input.name }, input.expected, before);
    const application = { ...before, name: input.name, updatedAtMs: nowMs };
    await tx.applications.update(application);
    const detail = changesOf({ name: before.name }, { name: input.name });
    await audit('application.rename', { type: 'application', id: input.applicationId }, detail);
    return application;
  });
}
