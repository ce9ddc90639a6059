// ApplicationsManager over the token service: applications, members, environments, tenants, client config, URNs.
// Clients have a file of their own, the rest of the same service.
import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  createApplication,
  mayCreateApplications,
  requireCreator,
} from '../../../auth/applications/create-application.js';
import { createEnvironment, type EnvironmentInput } from '../../../auth/applications/create-environment.js';
import { deleteApplication } from '../../../auth/applications/delete-application.js';
import { deleteEnvironment } from '../../../auth/applications/delete-environment.js';
import { getClientConfig } from '../../../auth/applications/get-client-config.js';
import { grantTenant, withdrawTenant } from '../../../auth/applications/grant-tenants.js';
import { getEnvironment } from '../../../auth/get-environment.js';
import { requireManager, requireReader, seesEverything } from '../../../auth/permissions.js';
import { getApplication, listApplications } from '../../../auth/applications/read-applications.js';
import { renameApplication } from '../../../auth/applications/rename-application.js';
import { removeApplicationMember, setApplicationMember } from '../../../auth/applications/set-member.js';
import { updateEnvironment } from '../../../auth/applications/update-environment.js';
import type { Environment } from '../../../auth/model.js';
import { tenantRoles, type TenantRole } from '../../../auth/roles.js';
import { invalidFields, missingField, notFound } from '../../../errors.js';
import {
  ApplicationRole,
  ApplicationsManager,
  type ApplicationSchema,
  type EnvironmentSchema,
  type NewEnvironment,
} from '../../../gen/voxgate/management/v1/applications_pb.js';
import type { Call } from '../../../platform.js';
import { bindService, type Handlers, type ServiceBinding } from '../../service.js';
import {
  clientHandlers,
  environmentFor,
  newClientInit,
  onlyGeography,
  type ManagementDeps,
} from './clients.js';
import {
  managementAccess,
  changedFields,
  inContractNames,
  page,
  requireFields,
  requireFieldsOf,
  time,
} from './shared.js';
import { urnHandlers } from './urns.js';

export function applicationsService(deps: ManagementDeps): ServiceBinding {
  return bindService(ApplicationsManager, managementAccess, {
    ...applicationHandlers(deps),
    ...tenantHandlers(deps),
    ...environmentHandlers(deps),
    ...clientHandlers(deps),
    ...urnHandlers,
  });
}

type Some<K extends keyof Handlers<typeof ApplicationsManager>> = Pick<
  Handlers<typeof ApplicationsManager>,
  K
>;

function applicationHandlers(
  deps: ManagementDeps,
): Some<
  | 'createApplication'
  | 'listApplications'
  | 'getApplication'
  | 'updateApplication'
  | 'deleteApplication'
  | 'setApplicationMember'
  | 'removeApplicationMember'
> {
  const { auth } = deps;
  return {
    createApplication: async (call, request) => {
      await requireCreator(auth, call);
      requireFields({ name: request.name });
      const input = {
        name: request.name,
        environments: request.environments.map(toEnvironmentInput),
        ...(request.ownerUserId === '' ? {} : { ownerId: request.ownerUserId }),
      };
      const names = { tenants: 'gk_scope_ids', owner_id: 'owner_user_id' };
      const { application, environments } = await inContractNames(names, () =>
        createApplication(auth, call, input),
      );
      return {
        application: await applicationInit(deps, call, application.applicationId),
        clients: environments.flatMap(({ clients }) => clients.map((each) => newClientInit(auth, each))),
      };
    },
    listApplications: async (call, request) => {
      const query = request.query.toLowerCase();
      const found = (await listApplications(auth, call)).filter((each) =>
        each.name.toLowerCase().includes(query),
      );
      const { rows, nextPageToken } = page(found, (each) => each.applicationId, request);
      const applications = [];
      for (const { applicationId } of rows)
        applications.push(await applicationInit(deps, call, applicationId));
      return { applications, nextPageToken, mayCreate: await mayCreateApplications(auth, call) };
    },
    getApplication: async (call, { applicationId }) => {
      requireFields({ application_id: applicationId });
      return { application: await applicationInit(deps, call, applicationId) };
    },
    updateApplication: async (call, { applicationId, name, expected, fieldMask }) => {
      await requireFieldsOf(
        { application_id: applicationId },
        () => requireManager(auth, call, applicationId),
        { field_mask: fieldMask },
      );
      changedFields(fieldMask, ['name']);
      const input = { applicationId, name, ...(expected && { expected }) };
      await deps.namingChangeOf(applicationId, { name: 'name' }, () => renameApplication(auth, call, input));
      return { application: await applicationInit(deps, call, applicationId) };
    },
    deleteApplication: async (call, { applicationId }) => {
      requireFields({ application_id: applicationId });
      await deleteApplication(auth, call, { applicationId });
      return {};
    },
    setApplicationMember: async (call, { applicationId, userId, role }) => {
      await requireFieldsOf(
        { application_id: applicationId },
        () => requireManager(auth, call, applicationId),
        { user_id: userId, role },
      );
      await setApplicationMember(auth, call, { applicationId, userId, role: toRole(role) });
      return { application: await applicationInit(deps, call, applicationId) };
    },
    removeApplicationMember: async (call, { applicationId, userId }) => {
      await requireFieldsOf(
        { application_id: applicationId },
        () => requireManager(auth, call, applicationId),
        { user_id: userId },
      );
      await removeApplicationMember(auth, call, { applicationId, userId });
      // Who takes themselves out sees the application no more.
      const hasLeft = call.caller.userId === userId && !seesEverything(call);
      return hasLeft ? {} : { application: await applicationInit(deps, call, applicationId) };
    },
  };
}

function tenantHandlers(deps: ManagementDeps): Some<'grantTenant' | 'revokeTenant'> {
  const { auth } = deps;
  return {
    grantTenant: async (call, { appId, gkScopeId }) => {
      requireFields({ app_id: appId, gk_scope_id: gkScopeId });
      if (!(await deps.scopeExists(gkScopeId))) throw notFound('tenant', 'gk_scope_id');
      return {
        environment: await environmentInit(deps, await grantTenant(auth, call, { appId, gkScopeId })),
      };
    },
    revokeTenant: async (call, { appId, gkScopeId }) => {
      requireFields({ app_id: appId, gk_scope_id: gkScopeId });
      return {
        environment: await environmentInit(deps, await withdrawTenant(auth, call, { appId, gkScopeId })),
      };
    },
  };
}

function environmentHandlers(
  deps: ManagementDeps,
): Some<
  | 'createEnvironment'
  | 'listEnvironments'
  | 'getEnvironment'
  | 'updateEnvironment'
  | 'deleteEnvironment'
  | 'getClientConfig'
> {
  const { auth } = deps;
  return {
    createEnvironment: async (call, { applicationId, environment }) => {
      await requireFieldsOf(
        { application_id: applicationId },
        () => requireManager(auth, call, applicationId),
        { environment },
      );
      const input = { applicationId, ...toEnvironmentInput(environment as NewEnvironment) };
      const created = await inContractNames(environmentFields, () => createEnvironment(auth, call, input));
      return {
        environment: await environmentInit(deps, created.environment),
        clients: created.clients.map((each) => newClientInit(auth, each)),
      };
    },
    listEnvironments: async (call, { applicationId }) => {
      requireFields({ application_id: applicationId });
      const { environments } = await getApplication(auth, call, { applicationId });
      return { environments: await Promise.all(environments.map((each) => environmentInit(deps, each))) };
    },
    getEnvironment: async (call, { appId }) => {
      requireFields({ app_id: appId });
      return { environment: await environmentInit(deps, await getEnvironment(auth, call, { appId })) };
    },
    updateEnvironment: async (call, { appId, name, contextTag, expected, fieldMask }) => {
      await environmentFor(deps, call, appId, requireManager, { field_mask: fieldMask });
      const changed = changedFields(fieldMask, ['name', 'context_tag']);
      const input = {
        appId,
        ...(changed.has('name') ? { name } : {}),
        ...(changed.has('context_tag') ? { contextTag } : {}),
        ...(expected && { expected }),
      };
      const environment = await deps.namingChangeOf(appId, environmentFacts, () =>
        updateEnvironment(auth, call, input),
      );
      return { environment: await environmentInit(deps, environment) };
    },
    deleteEnvironment: async (call, { appId }) => {
      requireFields({ app_id: appId });
      await deleteEnvironment(auth, call, { appId });
      return {};
    },
    getClientConfig: async (call, { appId, geography, language }) => {
      const environment = await environmentFor(deps, call, appId, requireReader);
      const blocks = await getClientConfig(auth, call, {
        appId,
        geography: geography || onlyGeography(environment),
        ...(language === '' ? {} : { language }),
      });
      return {
        configJson: fileText(blocks.config),
        asrParams: fileText(blocks.asr_params),
        nluParams: fileText(blocks.nlu_params),
        dlgParams: fileText(blocks.dlg_params),
      };
    },
  };
}

const environmentFacts = { name: 'name', context_tag: 'contextTag' };

const environmentFields = {
  name: 'environment.name',
  geographies: 'environment.geographies',
  context_tag: 'environment.context_tag',
  tenants: 'environment.gk_scope_ids',
  scopes: 'environment.allowed_scopes',
};

function fileText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function toEnvironmentInput({
  name,
  geographies,
  contextTag,
  gkScopeIds,
  allowedScopes,
}: NewEnvironment): EnvironmentInput {
  return {
    name,
    geographies,
    ...(contextTag === '' ? {} : { contextTag }),
    ...(gkScopeIds.length === 0 ? {} : { tenants: gkScopeIds }),
    ...(allowedScopes.length === 0 ? {} : { scopes: allowedScopes }),
  };
}

async function applicationInit(
  { auth, ...rest }: ManagementDeps,
  call: Call,
  applicationId: string,
): Promise<MessageInitShape<typeof ApplicationSchema>> {
  const { application, members, environments } = await getApplication(auth, call, { applicationId });
  const users = await Promise.all(members.map(({ userId }) => auth.store.direct.users.get(userId)));
  const own = members.find(({ userId }) => userId === call.caller.userId);
  return {
    applicationId,
    name: application.name,
    members: members.map(({ userId, role }, index) => ({
      userId,
      role: roles[role],
      username: users[index]?.userName ?? '',
      displayName: users[index]?.displayName ?? '',
    })),
    gkScopeIds: [...new Set(environments.flatMap((each) => each.tenants))],
    environments: await Promise.all(environments.map((each) => environmentInit({ auth, ...rest }, each))),
    callerRole: own ? roles[own.role] : ApplicationRole.UNSPECIFIED,
    creationTimestamp: time(application.createdAtMs),
    modificationTimestamp: time(application.updatedAtMs),
  };
}

async function environmentInit(
  { auth }: ManagementDeps,
  environment: Environment,
): Promise<MessageInitShape<typeof EnvironmentSchema>> {
  const { appId, applicationId, name, geographies, tenants, contextTag } = environment;
  return {
    appId,
    applicationId,
    name,
    geographies: [...geographies],
    gkScopeIds: [...tenants],
    contextTag,
    clientCount: (await auth.store.direct.clients.list({ appId })).length,
    creationTimestamp: time(environment.createdAtMs),
    modificationTimestamp: time(environment.updatedAtMs),
  };
}

const roles: Readonly<Record<TenantRole, ApplicationRole>> = {
  owner: ApplicationRole.OWNER,
  developer: ApplicationRole.DEVELOPER,
  operator: ApplicationRole.OPERATOR,
  'fraud-analyst': ApplicationRole.FRAUD_ANALYST,
  auditor: ApplicationRole.AUDITOR,
  'data-protection': ApplicationRole.DATA_PROTECTION,
};

function toRole(role: ApplicationRole): TenantRole {
  if (role === ApplicationRole.MEMBER) return 'developer';
  const found = tenantRoles.find((each) => roles[each] === role);
  if (!found) throw invalidFields([missingField('role')]);
  return found;
}
