// Adds a person. Without a password they cannot sign in until one is set for them.
import { AppError, refuseFaults } from '../../errors.js';
import type { FieldFault } from '../../errors.js';
import type { Call } from '../../platform.js';
import { commit } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import { displayNameFault, tenantRoleFaults } from '../fields.js';
import type { TenantGrant, User, UserRole, UserView } from '../model.js';
import { passwordFault } from '../passwords.js';
import { requireAdministrator } from '../permissions.js';
import { grantsInTrail, viewUser } from './user-view.js';
import { say } from '../../words/server/say.js';

interface CreateUserInput {
  userName: string;
  displayName: string;
  role: UserRole;
  password?: string;
  /** False: the person has chosen it themselves. Otherwise their first sign-in asks for a new one. */
  temporary?: boolean;
  tenantRoles?: readonly TenantGrant[];
}

export async function createUser(deps: AuthDeps, call: Call, input: CreateUserInput): Promise<UserView> {
  requireAdministrator(call);
  const userName = input.userName.trim().toLowerCase();
  const { displayName, role, password, temporary = true, tenantRoles = [] } = input;
  refuseFaults([
    userNameFault('user_name', userName),
    displayNameFault('display_name', displayName),
    password === undefined ? undefined : passwordFault('password', password, userName),
    ...tenantRoleFaults('tenant_roles', tenantRoles),
  ]);
  // Hashed before the transaction: scrypt must not block the database.
  const passwordHash = password === undefined ? undefined : await deps.passwords.hash(password);
  return commit(deps, call, async ({ tx, nowMs, audit }) => {
    if (await tx.users.findByName(userName)) {
      throw new AppError('ALREADY_EXISTS', 'there is already a user with this name', {
        fields: [{ field: 'user_name', violation: 'FIELD_CONFLICT', ...say('IN_USE') }],
      });
    }
    const user: User = {
      userId: deps.ids.uuid(),
      userName,
      displayName,
      role,
      passwordHash,
      mustChangePassword: passwordHash !== undefined && temporary,
      locked: false,
      lockedUntilMs: 0,
      deviceEpoch: undefined,
      tenantRoles: [...tenantRoles],
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    };
    await tx.users.insert(user);
    const tenants = tenantRoles.map(({ tenantId }) => tenantId);
    const granted = grantsInTrail(tenantRoles);
    const detail = { userName, role, ...(granted.length > 0 && { granted }) };
    await audit('user.create', { type: 'user', id: user.userId }, detail, tenants);
    return viewUser(tx, user);
  });
}

export function userNameFault(field: string, value: string): FieldFault | undefined {
  if (/^[a-z0-9][a-z0-9._@+-]{0,127}$/.test(value)) return undefined;
  return { field, violation: 'INVALID_FORMAT', ...say('NOT_A_USER_NAME', { max: 128 }) };
}
