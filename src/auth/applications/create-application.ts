// Creates an application with its first environments. Its creator owns it.
import { AppError, notFound, refuseFaults } from '../../errors.js';
import type { Call } from '../../platform.js';
import { commit } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import { displayNameFault } from '../fields.js';
import type { Application, Environment } from '../model.js';
import { isAdministrator, requireSelf } from '../permissions.js';
import { addEnvironment, environmentFaults } from './create-environment.js';
import type { EnvironmentInput, IssuedClient } from './create-environment.js';

interface CreateApplicationInput {
  name: string;
  /** May be empty: environments can be added later. */
  environments: readonly EnvironmentInput[];
  /** The first owner; only an administrator may name somebody other than the caller. */
  ownerId?: string;
}

interface CreatedApplication {
  application: Application;
  environments: Array<{ environment: Environment; clients: IssuedClient[] }>;
}

const ENVIRONMENTS_MAX = 16;

export async function createApplication(
  deps: AuthDeps,
  call: Call,
  input: CreateApplicationInput,
): Promise<CreatedApplication> {
  const ownerId = ownerOf(call, input.ownerId);
  refuseFaults([
    displayNameFault('name', input.name),
    ...input.environments.flatMap((each, index) => environmentFaults(call, `environments[${index}]`, each)),
  ]);
  const names = new Set(input.environments.map((each) => each.name));
  if (names.size !== input.environments.length || names.size > ENVIRONMENTS_MAX) {
    throw new AppError(
      'INVALID_REQUEST',
      `an application can have at most ${ENVIRONMENTS_MAX} environments, each with a different name`,
    );
  }
  return commit(deps, call, async (unit) => {
    const { tx, nowMs, audit, announce } = unit;
    if (!(await tx.users.get(ownerId))) throw notFound('user', 'owner_id');
    const application: Application = {
      applicationId: deps.ids.uuid(),
      name: input.name,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    };
    await tx.applications.insert(application);
    await tx.applications.setMember(application.applicationId, ownerId, 'owner');
    await audit(
      'application.create',
      { type: 'application', id: application.applicationId },
      { name: input.name, ownerId },
    );
    const environments = [];
    for (const each of input.environments) {
      environments.push(await addEnvironment(deps, unit, application.applicationId, each));
    }
    await announce('user', ownerId, 'refresh');
    return { application, environments };
  });
}

function ownerOf(call: Call, named: string | undefined): string {
  if (call.caller.readOnly === true)
    throw new AppError('PERMISSION_DENIED', 'an auditor may not change anything');
  if (named === undefined || named === call.caller.userId) return requireSelf(call);
  if (!isAdministrator(call))
    throw new AppError('PERMISSION_DENIED', 'only an administrator may name another owner');
  return named;
}
