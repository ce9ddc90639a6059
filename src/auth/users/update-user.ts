// Changes a person's name, role, tenants or lock. The last administrator who can sign in cannot be removed.
import { refuseStale } from '../../audit/merge-change.js';
import { AppError, notFound, refuseFaults } from '../../errors.js';
import type { Call } from '../../platform.js';
import { changesOf } from '../changes.js';
import { commit } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import { displayNameFault, tenantRoleFaults } from '../fields.js';
import type { TenantGrant, User, UserRole, UserView } from '../model.js';
import type { AuthTransaction } from '../ports.js';
import { requireAdministrator } from '../permissions.js';
import { keyOfName } from './attempts.js';
import { endAccessOfClients, endAccessOfUser } from './end-access.js';
import { grantsInTrail, viewUser } from './user-view.js';
import { say } from '../../words/server/say.js';

export interface UpdateUserInput {
  userId: string;
  displayName?: string;
  role?: UserRole;
  tenantRoles?: readonly TenantGrant[];
  /** true stops sign-in and every token of the user; false also ends a lock-out after wrong passwords. */
  locked?: boolean;
  /** As the caller had read it: somebody else's change since then is not overwritten. */
  expected?: Partial<Pick<User, 'displayName' | 'role' | 'tenantRoles'>>;
}

export async function updateUser(deps: AuthDeps, call: Call, input: UpdateUserInput): Promise<UserView> {
  requireAdministrator(call);
  refuseFaults([
    input.displayName === undefined ? undefined : displayNameFault('display_name', input.displayName),
    ...tenantRoleFaults('tenant_roles', input.tenantRoles ?? []),
  ]);
  return commit(deps, call, async (unit) => {
    const { tx, nowMs, audit, announce } = unit;
    const before = await tx.users.lock(input.userId);
    if (!before) throw notFound('user', 'user_id');
    refuseStale(comparable(input), input.expected && comparable(input.expected), comparable(before));
    const user: User = {
      ...before,
      displayName: input.displayName ?? before.displayName,
      role: input.role ?? before.role,
      tenantRoles: input.tenantRoles ? [...input.tenantRoles] : before.tenantRoles,
      locked: input.locked ?? before.locked,
      ...(input.locked === false ? { lockedUntilMs: 0 } : {}),
      updatedAtMs: nowMs,
    };
    if (user.locked || user.role !== 'administrator') await refuseLastAdministrator(tx, before);
    await tx.users.update(user);
    if (input.locked === false) await tx.failures.clear(keyOfName(deps, user.userName));
    if (user.locked && !before.locked) {
      await endAccessOfUser(unit, user.userId, 'void-all');
      await endAccessOfClients(unit, user.userId);
    } else if (!user.locked && before.locked) {
      await announce('user', user.userId, 'reopen');
    } else {
      await announce('user', user.userId, 'refresh');
    }
    const tenants = user.tenantRoles.map(({ tenantId }) => tenantId);
    const isRenamed = user.displayName !== before.displayName;
    const changes = changesOf({ ...factsOf(before), isRenamed: false }, { ...factsOf(user), isRenamed });
    await audit('user.update', { type: 'user', id: user.userId }, changes, tenants);
    return viewUser(tx, user);
  });
}

/** The order of roles in tenants does not matter. */
const comparable = ({ displayName, role, tenantRoles }: Partial<User>) => ({
  displayName,
  role,
  tenantRoles: tenantRoles && Object.fromEntries(tenantRoles.map((grant) => [grant.tenantId, grant.role])),
});

/** What a record says about a user; names of people are not kept in it. */
const factsOf = ({ role, locked, tenantRoles }: User) => ({
  role,
  locked,
  granted: grantsInTrail(tenantRoles),
});

/** Throws if no other administrator could sign in afterwards. */
export async function refuseLastAdministrator(tx: AuthTransaction, user: User): Promise<void> {
  if (await isLastAdministrator(tx, user)) throw new AppError('PERMISSION_DENIED', say('LAST_ADMINISTRATOR'));
}

export async function isLastAdministrator(tx: AuthTransaction, user: User): Promise<boolean> {
  if (user.role !== 'administrator' || user.locked) return false;
  return !(await tx.users.list()).some(
    (other) =>
      other.userId !== user.userId && other.role === 'administrator' && !other.locked && other.passwordHash,
  );
}
