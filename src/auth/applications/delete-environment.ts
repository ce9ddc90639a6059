// Removes an environment with all its clients; their tokens stop working within seconds.
import { AppError, notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { commit } from '../commit.js';
import type { UnitOfWork } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import type { Environment } from '../model.js';
import { requireManager } from '../permissions.js';
import { say } from '../../words/server/say.js';

export async function deleteEnvironment(deps: AuthDeps, call: Call, input: { appId: string }): Promise<void> {
  const environment = await deps.store.direct.environments.get(input.appId);
  const unknown = notFound('environment', 'app_id');
  if (!environment) throw unknown;
  await requireManager(deps, call, environment.applicationId, unknown);
  await commit(deps, call, async (unit) => {
    const present = await unit.tx.environments.list({ applicationId: environment.applicationId });
    if (present.length <= 1) {
      throw new AppError('PERMISSION_DENIED', say('LAST_ENVIRONMENT'));
    }
    await removeEnvironment(unit, environment);
  });
}

/** The part shared with deleting an application; runs inside its transaction. */
export async function removeEnvironment(
  { tx, audit, announce }: UnitOfWork,
  environment: Environment,
): Promise<void> {
  const { appId, tenants, name } = environment;
  for (const { clientId } of await tx.clients.list({ appId })) {
    await tx.clients.delete(clientId);
    await announce('client', clientId, 'gone');
    await audit('client.delete', { type: 'client', id: clientId }, { appId });
  }
  await tx.environments.delete(appId);
  await announce('app', appId, 'gone');
  await audit('environment.delete', { type: 'environment', id: appId }, { name }, tenants);
}
