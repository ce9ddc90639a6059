// Changes the name of an environment and the tag of its models. Geographies stay: client IDs contain them.
import { refuseStale } from '../../audit/merge-change.js';
import { AppError, notFound, refuseFaults } from '../../errors.js';
import type { Call } from '../../platform.js';
import { changesOf } from '../changes.js';
import { commit } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import type { Environment } from '../model.js';
import { requireManager } from '../permissions.js';
import { environmentFaults } from './create-environment.js';
import { say } from '../../words/server/say.js';

interface UpdateEnvironmentInput {
  appId: string;
  name?: string;
  contextTag?: string;
  /** As the caller had read it: somebody else's change since then is not overwritten. */
  expected?: Pick<Environment, 'name' | 'contextTag'>;
}

export async function updateEnvironment(
  deps: AuthDeps,
  call: Call,
  input: UpdateEnvironmentInput,
): Promise<Environment> {
  const { appId } = input;
  const found = await deps.store.direct.environments.get(appId);
  const unknown = notFound('environment', 'app_id');
  if (!found) throw unknown;
  await requireManager(deps, call, found.applicationId, unknown);
  const { geographies } = found;
  const wanted = { name: input.name ?? found.name, contextTag: input.contextTag ?? found.contextTag };
  refuseFaults(environmentFaults(call, '', { ...wanted, geographies }));
  return commit(deps, call, async ({ tx, nowMs, audit, announce }) => {
    const before = await tx.environments.lock(appId);
    if (!before) throw notFound('environment', 'app_id');
    refuseStale<typeof wanted>({ name: input.name, contextTag: input.contextTag }, input.expected, before);
    // Fields that are not to be changed keep their current value.
    const { name = before.name, contextTag = before.contextTag } = input;
    const siblings = await tx.environments.list({ applicationId: before.applicationId });
    if (siblings.some((each) => each.appId !== appId && each.name === name)) {
      throw new AppError('ALREADY_EXISTS', say('ENVIRONMENT_EXISTS'));
    }
    const environment = { ...before, name, contextTag, updatedAtMs: nowMs };
    await tx.environments.update(environment);
    await announce('app', appId, 'refresh');
    await audit(
      'environment.update',
      { type: 'environment', id: appId },
      changesOf({ name: before.name, contextTag: before.contextTag }, { name, contextTag }),
      before.tenants,
    );
    return environment;
  });
}
