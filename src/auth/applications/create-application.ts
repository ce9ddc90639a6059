// Creates an application with its first environments. Its creator owns it.
import { AppError, notFound, refuseFaults } from '../../errors.js';
import type { Call } from '../../platform.js';
import { commit } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import { displayNameFault } from '../fields.js';
import type { Application, Environment } from '../model.js';
import { isAdministrator, requireSelf } from '../permissions.js';
import type { AuthRepositories, AuthTransaction } from '../ports.js';
import {
  ENVIRONMENTS_MAX,
  addEnvironment,
  environmentFaults,
  scopesOfFirstClients,
} from './create-environment.js';
import type { EnvironmentInput, IssuedClient } from './create-environment.js';
import { say } from '../../words/server/say.js';

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

export async function createApplication(
  deps: AuthDeps,
  call: Call,
  input: CreateApplicationInput,
): Promise<CreatedApplication> {
  const ownerId = ownerOf(call, input.ownerId);
  await requireCreator(deps, call);
  refuseFaults([
    displayNameFault('name', input.name),
    ...input.environments.flatMap((each, index) => environmentFaults(call, `environments[${index}]`, each)),
  ]);
  const names = new Set(input.environments.map((each) => each.name));
  if (names.size !== input.environments.length || names.size > ENVIRONMENTS_MAX) {
    throw new AppError('INVALID_REQUEST', say('TOO_MANY_ENVIRONMENTS', { max: ENVIRONMENTS_MAX }));
  }
  const scopesOf = new Map<EnvironmentInput, readonly string[]>();
  for (const each of input.environments) scopesOf.set(each, await scopesOfFirstClients(deps, call, each));
  return commit(deps, call, async (unit) => {
    const { tx, nowMs, audit, announce } = unit;
    if (!(await tx.users.lock(ownerId))) throw notFound('user', 'owner_id');
    if (!isAdministrator(call)) await refuseBeyondQuota(deps, tx, ownerId);
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
      environments.push(
        await addEnvironment(deps, unit, application.applicationId, each, scopesOf.get(each) ?? []),
      );
    }
    await announce('user', ownerId, 'refresh');
    return { application, environments };
  });
}

export async function requireCreator(deps: AuthDeps, call: Call): Promise<void> {
  if (await mayCreateApplications(deps, call)) return;
  throw new AppError('PERMISSION_DENIED', say('ASK_ADMINISTRATOR'));
}

/** Administrators, and owners of an application where the operator leaves it to them: an administrator has named them. */
export async function mayCreateApplications(deps: AuthDeps, call: Call): Promise<boolean> {
  if (isAdministrator(call)) return true;
  const { userId, readOnly } = call.caller;
  if (readOnly === true || userId === undefined || deps.settings.applications.creators !== 'owners')
    return false;
  return (await ownedBy(deps.store.direct, userId)) > 0;
}

/** The owner's row is locked, so that two requests at the same time cannot both be the last one. */
async function refuseBeyondQuota(deps: AuthDeps, tx: AuthTransaction, ownerId: string): Promise<void> {
  const { perOwner } = deps.settings.applications;
  if ((await ownedBy(tx, ownerId)) >= perOwner)
    throw new AppError('QUOTA_EXCEEDED', say('TOO_MANY_APPLICATIONS', { max: perOwner }));
}

async function ownedBy({ applications }: AuthRepositories, userId: string): Promise<number> {
  return [...(await applications.rolesOf(userId)).values()].filter((role) => role === 'owner').length;
}

function ownerOf(call: Call, named: string | undefined): string {
  if (call.caller.readOnly === true) throw new AppError('PERMISSION_DENIED', say('AUDITOR_MAY_NOT'));
  if (named === undefined || named === call.caller.userId) return requireSelf(call);
  if (!isAdministrator(call)) throw new AppError('PERMISSION_DENIED', say('OWNER_BY_ADMINISTRATOR'));
  return named;
}
