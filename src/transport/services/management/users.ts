// UsersManager over the token service: people, their passwords and sign-ins, and the credentials on their profile.
import type { MessageInitShape } from '@bufbuild/protobuf';
import { deleteClient } from '../../../auth/clients/delete-client.js';
import { lockClient, unlockClient } from '../../../auth/clients/lock-client.js';
import { getClient, listToolingClients } from '../../../auth/clients/read-clients.js';
import type { Client, TenantGrant as DomainGrant, UserRole as Role, UserView } from '../../../auth/model.js';
import { permissions, tenantRoles, type TenantRole } from '../../../auth/roles.js';
import { requireUserId } from '../../../auth/permissions.js';
import { createOwnToolingClient } from '../../../auth/own-credential.js';
import { listConsents, withdrawConsent } from '../../../auth/users/consents.js';
import { createUser } from '../../../auth/users/create-user.js';
import { deleteUser } from '../../../auth/users/delete-user.js';
import { getUser, listUsers } from '../../../auth/users/list-users.js';
import { listOwnSessions, revokeOwnSession } from '../../../auth/users/own-sessions.js';
import { inviteUser } from '../../../auth/sign-in/invitation.js';
import { setPassword } from '../../../auth/users/set-password.js';
import { signOutEverywhere } from '../../../auth/users/sign-out-everywhere.js';
import { updateOwnProfile } from '../../../auth/users/update-own-profile.js';
import { updateUser, type UpdateUserInput } from '../../../auth/users/update-user.js';
import { AppError, invalidFields, missingField, notFound } from '../../../errors.js';
import {
  TenantRole as GrantRole,
  ToolingCredentialType,
  UserRole,
  UsersManager,
  type TenantGrant,
  type TenantPermissionsSchema,
  type ToolingCredentialSchema,
  type User as ReadUser,
  type UserSchema,
} from '../../../gen/voxgate/management/v1/users_pb.js';
import { isAdministrator, type Call } from '../../../platform.js';
import { bindService, type Handlers, type ServiceBinding } from '../../service.js';
import type { ManagementDeps } from './clients.js';
import {
  managementAccess,
  changedFields,
  inContractNames,
  page,
  readJwks,
  requireFields,
  time,
  timeField,
} from './shared.js';
import { say } from '../../../words/server/say.js';

/** Administrators may do everything everywhere. */
function permissionsOf({ caller }: Call): MessageInitShape<typeof TenantPermissionsSchema>[] {
  if (isAdministrator(caller)) return [{ permissions: [...permissions] }];
  const { rights } = caller;
  if (!rights) return [];
  return [
    ...(rights.everywhere.size > 0 ? [{ permissions: [...rights.everywhere] }] : []),
    ...[...rights.byTenant].map(([gkScopeId, held]) => ({ gkScopeId, permissions: [...held] })),
  ];
}

/** 128 bits: nobody guesses it, and a person can still copy it. */
const MADE_PASSWORD_BYTES = 16;
const userFields = { user_name: 'username' };
const userFacts = { display_name: 'isRenamed', role: 'role', tenant_roles: 'granted' };

export function usersService(deps: ManagementDeps): ServiceBinding {
  return bindService(UsersManager, managementAccess, {
    ...userHandlers(deps),
    ...accessHandlers(deps),
    ...profileHandlers(deps),
    ...toolingHandlers(deps),
  });
}

function refuseBoth({ password, invite }: { password: string; invite: boolean }): void {
  if (invite && password !== '')
    throw invalidFields([{ field: 'invite', violation: 'FIELD_CONFLICT', ...say('ONLY_WITHOUT_PASSWORD') }]);
}

type Some<K extends keyof Handlers<typeof UsersManager>> = Pick<Handlers<typeof UsersManager>, K>;

function userHandlers({
  auth,
  namingChangeOf,
}: ManagementDeps): Some<'createUser' | 'listUsers' | 'getUser' | 'updateUser' | 'deleteUser'> {
  return {
    createUser: async (call, request) => {
      requireFields({ username: request.username, role: request.role });
      refuseBoth(request);
      const { invite } = request;
      const made = request.password === '' && !invite ? auth.ids.token(MADE_PASSWORD_BYTES) : '';
      const input = {
        userName: request.username,
        displayName: request.displayName || request.username,
        role: toRole(request.role),
        ...(!invite && { password: request.password || made }),
        tenantRoles: grantsFrom(request, []),
      };
      const user = await inContractNames(userFields, () => createUser(auth, call, input));
      const invitationUrl = invite ? await inviteUser(auth, call, user.userId) : '';
      return { user: userInit(auth.clock.now(), user), password: made, invitationUrl };
    },
    listUsers: async (call, request) => {
      const query = request.query.toLowerCase();
      const found = (await listUsers(auth, call)).filter(
        (user) => user.userName.includes(query) || user.displayName.toLowerCase().includes(query),
      );
      const { rows, nextPageToken } = page(found, (user) => user.userId, request);
      return { users: rows.map((user) => userInit(auth.clock.now(), user)), nextPageToken };
    },
    getUser: async (call, { userId }) => {
      requireFields({ user_id: userId });
      return { user: userInit(auth.clock.now(), await getUser(auth, call, { userId })) };
    },
    updateUser: async (call, request) => {
      const { userId, displayName, role } = request;
      requireFields({ user_id: userId, field_mask: request.fieldMask });
      const changed = changedFields(request.fieldMask, [
        'display_name',
        'role',
        'gk_scope_ids',
        'tenant_roles',
      ]);
      const before = changed.has('gk_scope_ids') ? await getUser(auth, call, { userId }) : undefined;
      const input = {
        userId,
        ...(changed.has('display_name') ? { displayName } : {}),
        ...(changed.has('role') ? { role: toRole(role) } : {}),
        ...(changed.has('gk_scope_ids') || changed.has('tenant_roles')
          ? { tenantRoles: grantsFrom(request, before?.tenantRoles ?? []) }
          : {}),
        ...(request.expected && { expected: readUser(request.expected) }),
      };
      const user = await namingChangeOf(userId, userFacts, () =>
        inContractNames(userFields, () => updateUser(auth, call, input)),
      );
      return { user: userInit(auth.clock.now(), user) };
    },
    deleteUser: async (call, { userId }) => {
      requireFields({ user_id: userId });
      await deleteUser(auth, call, { userId });
      return {};
    },
  };
}

/** Whether somebody can sign in, and with what. */
function accessHandlers(deps: ManagementDeps): Some<'disableUser' | 'enableUser' | 'setPassword'> {
  const { auth } = deps;
  return {
    disableUser: async (call, { userId }) => {
      requireFields({ user_id: userId });
      return { user: userInit(auth.clock.now(), await updateUser(auth, call, { userId, locked: true })) };
    },
    enableUser: async (call, { userId }) => {
      requireFields({ user_id: userId });
      return { user: userInit(auth.clock.now(), await updateUser(auth, call, { userId, locked: false })) };
    },
    setPassword: async (call, { userId, password, invite }) => {
      requireFields({ user_id: userId });
      refuseBoth({ password, invite });
      // One's own password needs the old one, which this request does not carry.
      if (call.caller.userId === userId) throw new AppError('PERMISSION_DENIED', say('OWN_PASSWORD'));
      if (invite) return { invitationUrl: await inviteUser(auth, call, userId) };
      const made = password === '' ? auth.ids.token(MADE_PASSWORD_BYTES) : '';
      const names = { new_password: 'password' };
      await inContractNames(names, () => setPassword(auth, call, { userId, newPassword: password || made }));
      return { password: made, credentials: await credentialsOf(deps, call, userId) };
    },
  };
}

function profileHandlers(
  deps: ManagementDeps,
): Some<
  | 'getMe'
  | 'updateMe'
  | 'changePassword'
  | 'listLoginSessions'
  | 'revokeLoginSession'
  | 'signOutEverywhere'
  | 'listConsents'
  | 'withdrawConsent'
> {
  const { auth } = deps;
  return {
    getMe: async (call) => {
      const user = await getUser(auth, call, { userId: requireUserId(call) });
      const { mediaDays } = deps;
      return { user: userInit(auth.clock.now(), user), permissions: permissionsOf(call), mediaDays };
    },
    updateMe: async (call, { displayName, fieldMask }) => {
      requireFields({ field_mask: fieldMask });
      changedFields(fieldMask, ['display_name']);
      return { user: userInit(auth.clock.now(), await updateOwnProfile(auth, call, { displayName })) };
    },
    changePassword: async (call, { currentPassword, newPassword }) => {
      requireFields({ current_password: currentPassword, new_password: newPassword });
      const userId = requireUserId(call);
      await setPassword(auth, call, { userId, newPassword, currentPassword });
      return { credentials: await credentialsOf(deps, call, userId) };
    },
    listLoginSessions: async (call) => {
      const sessions = await listOwnSessions(auth, call);
      return {
        sessions: sessions.map(({ sessionHash, createdAtMs, expiresAtMs, isCurrent }) => ({
          loginSessionId: sessionHash,
          isCurrent,
          creationTimestamp: time(createdAtMs),
          expiryTimestamp: time(expiresAtMs),
        })),
      };
    },
    revokeLoginSession: async (call, { loginSessionId }) => {
      requireFields({ login_session_id: loginSessionId });
      await revokeOwnSession(auth, call, { sessionHash: loginSessionId });
      return {};
    },
    signOutEverywhere: async (call, { userId }) => {
      const whose = userId === '' ? requireUserId(call) : userId;
      await signOutEverywhere(auth, call, { userId: whose });
      return { credentials: await credentialsOf(deps, call, whose) };
    },
    listConsents: async (call) => {
      const consents = await listConsents(auth, call);
      return {
        consents: consents.map(({ clientId, name, ownerUserName, scope, grantedAtMs }) => ({
          clientId,
          name,
          ownerUsername: ownerUserName,
          scopes: scope.split(' '),
          grantedTimestamp: time(grantedAtMs),
        })),
      };
    },
    withdrawConsent: async (call, { clientId }) => {
      requireFields({ client_id: clientId });
      await withdrawConsent(auth, call, { clientId });
      return {};
    },
  };
}

function toolingHandlers(
  deps: ManagementDeps,
): Some<
  | 'createToolingCredential'
  | 'listToolingCredentials'
  | 'lockToolingCredential'
  | 'unlockToolingCredential'
  | 'deleteToolingCredential'
> {
  const { auth } = deps;
  return {
    createToolingCredential: async (call, request) => {
      requireFields({ name: request.name, type: request.type });
      const { jwksJson, currentPassword, proof } = request;
      const input = {
        name: request.name,
        type: toCredentialType(request.type),
        redirectUris: request.redirectUris,
        isPublic: request.public,
        ...(jwksJson === '' ? {} : { keys: readJwks('jwks_json', jwksJson) }),
      };
      const { client, secret } = await inContractNames({ keys: 'jwks_json' }, () =>
        createOwnToolingClient(auth, call, input, { currentPassword, factor: proof }),
      );
      return { credential: credentialInit(client, undefined), clientSecret: secret ?? '' };
    },
    listToolingCredentials: async (call, { userId }) => ({
      credentials: await credentialsOf(deps, call, userId === '' ? requireUserId(call) : userId),
    }),
    lockToolingCredential: async (call, { clientId, reason }) => {
      await requireTooling(deps, call, clientId);
      return { credential: credentialInit(await lockClient(auth, call, { clientId, reason }), undefined) };
    },
    unlockToolingCredential: async (call, { clientId }) => {
      await requireTooling(deps, call, clientId);
      return { credential: credentialInit((await unlockClient(auth, call, { clientId })).client, undefined) };
    },
    deleteToolingCredential: async (call, { clientId }) => {
      await requireTooling(deps, call, clientId);
      await deleteClient(auth, call, { clientId });
      return {};
    },
  };
}

async function requireTooling({ auth }: ManagementDeps, call: Call, clientId: string): Promise<void> {
  requireFields({ client_id: clientId });
  const { client } = await getClient(auth, call, { clientId });
  if (client.kind !== 'tooling') throw notFound('credential', 'client_id');
}

/** Whoever ends somebody's access sees what can still get tokens. */
async function credentialsOf(
  deps: ManagementDeps,
  call: Call,
  userId: string,
): Promise<MessageInitShape<typeof ToolingCredentialSchema>[]> {
  const clients = await listToolingClients(deps.auth, call, { userId });
  const lastUsed = await deps.lastTokenAtMs(clients.map(({ clientId }) => clientId));
  return clients.map((client) => credentialInit(client, lastUsed.get(client.clientId)));
}

function userInit(nowMs: number, user: UserView): MessageInitShape<typeof UserSchema> {
  return {
    userId: user.userId,
    username: user.userName,
    displayName: user.displayName,
    role: userRoles[user.role],
    disabled: user.locked,
    mustChangePassword: user.mustChangePassword,
    hasSecondFactor: user.hasSecondFactor,
    invited: user.isInvited,
    gkScopeIds: user.tenantRoles.map(({ tenantId }) => tenantId),
    tenantRoles: user.tenantRoles.map(({ tenantId, role }) => ({
      gkScopeId: tenantId,
      role: grantRoles[role],
    })),
    ...timeField('lockedUntilTimestamp', user.lockedUntilMs > nowMs ? user.lockedUntilMs : undefined),
    creationTimestamp: time(user.createdAtMs),
    modificationTimestamp: time(user.updatedAtMs),
  };
}

function credentialInit(
  client: Client,
  lastUsedMs: number | undefined,
): MessageInitShape<typeof ToolingCredentialSchema> {
  return {
    clientId: client.clientId,
    name: client.name,
    type: client.grantTypes.includes('authorization_code')
      ? ToolingCredentialType.USER_ACCOUNT
      : ToolingCredentialType.SERVICE_ACCOUNT,
    redirectUris: [...client.redirectUris],
    public: client.authMethod === 'none',
    hasKeys: client.authMethod === 'private_key_jwt',
    locked: client.locked,
    creationTimestamp: time(client.createdAtMs),
    ...timeField('lastUsedTimestamp', lastUsedMs),
  };
}

const userRoles: Readonly<Record<Role, UserRole>> = {
  administrator: UserRole.ADMINISTRATOR,
  auditor: UserRole.AUDITOR,
  member: UserRole.MEMBER,
};

function toRole(role: UserRole): Role {
  const found = (['administrator', 'auditor', 'member'] as const).find((each) => userRoles[each] === role);
  if (!found) throw invalidFields([missingField('role')]);
  return found;
}

const grantRoles: Readonly<Record<TenantRole, GrantRole>> = {
  owner: GrantRole.OWNER,
  developer: GrantRole.DEVELOPER,
  operator: GrantRole.OPERATOR,
  'fraud-analyst': GrantRole.FRAUD_ANALYST,
  auditor: GrantRole.AUDITOR,
  'data-protection': GrantRole.DATA_PROTECTION,
};

/** Roles as asked for; tenants that are only named keep the role they had, or get that of a developer. */
function grantsFrom(
  { gkScopeIds, tenantRoles: asked }: { gkScopeIds: readonly string[]; tenantRoles: readonly TenantGrant[] },
  before: readonly DomainGrant[],
): DomainGrant[] {
  if (asked.length > 0) {
    return asked.map(({ gkScopeId, role }, index) => {
      const found = tenantRoles.find((each) => grantRoles[each] === role);
      if (!found) throw invalidFields([missingField(`tenant_roles[${index}].role`)]);
      return { tenantId: gkScopeId, role: found };
    });
  }
  return [...new Set(gkScopeIds)].map(
    (tenantId) => before.find((grant) => grant.tenantId === tenantId) ?? { tenantId, role: 'developer' },
  );
}

const readUser = (user: ReadUser): NonNullable<UpdateUserInput['expected']> => ({
  displayName: user.displayName,
  ...(user.role !== UserRole.UNSPECIFIED && { role: toRole(user.role) }),
  tenantRoles: grantsFrom(user, []),
});

function toCredentialType(type: ToolingCredentialType): 'user-account' | 'service-account' {
  if (type === ToolingCredentialType.USER_ACCOUNT) return 'user-account';
  if (type === ToolingCredentialType.SERVICE_ACCOUNT) return 'service-account';
  throw invalidFields([missingField('type')]);
}
