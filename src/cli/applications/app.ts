// `voxgate app`: applications, their environments, people and tenants.
import type { Command } from 'commander';
import { createApplication } from '../../auth/applications/create-application.js';
import { createEnvironment, type IssuedClient } from '../../auth/applications/create-environment.js';
import { deleteApplication } from '../../auth/applications/delete-application.js';
import { deleteEnvironment } from '../../auth/applications/delete-environment.js';
import { grantTenant, withdrawTenant } from '../../auth/applications/grant-tenants.js';
import { getApplication, listApplications } from '../../auth/applications/read-applications.js';
import { renameApplication } from '../../auth/applications/rename-application.js';
import { removeApplicationMember, setApplicationMember } from '../../auth/applications/set-member.js';
import type { Environment } from '../../auth/model.js';
import { isTenantRole, tenantRoles } from '../../auth/roles.js';
import { AppError } from '../../errors.js';
import { systemClock } from '../../platform.js';
import { tenantsOf } from '../../storage/tenants/tenants-store.js';
import type { CliIo } from '../io.js';
import { collect, list, table, text, type Flags } from '../flags.js';
import { SHOWN_ONCE, addCommand, findUser, type ManagementSession } from './management.js';
import { inEnglish } from '../../words/server/say.js';

export function registerApp(program: Command, io: CliIo): void {
  const app = program
    .command('app')
    .description('manage applications, their environments, tenants and members');

  registerApplications(app, io);
  registerEnvironments(app, io);
  registerTenants(app, io);
  registerMembers(app, io);
}

function registerApplications(app: Command, io: CliIo): void {
  registerCreate(app, io);
  addCommand(app, io, 'list', 'list all applications', async ({ auth, call }) => {
    const applications = await Promise.all(
      (await listApplications(auth, call)).map(({ applicationId }) =>
        getApplication(auth, call, { applicationId }),
      ),
    );
    return {
      value: { applications: applications.map(({ application, ...rest }) => ({ ...application, ...rest })) },
      lines: table(
        applications.map(({ application, environments }) => [
          application.applicationId,
          application.name,
          environments.map((each) => `${each.name}=${each.appId}`).join(' '),
        ]),
        'no applications',
      ),
    };
  });
  addCommand(
    app,
    io,
    'show <application_id>',
    'show one application',
    async ({ auth, call }, [applicationId = '']) => {
      const { application, members, environments } = await getApplication(auth, call, { applicationId });
      return {
        value: { ...application, members, environments },
        lines: [
          `Application  ${application.applicationId}  ${application.name}`,
          ...members.map((member) => `Member       ${member.userId}  ${member.role}`),
          ...environments.flatMap(environmentLines),
        ],
      };
    },
  );
  addCommand(
    app,
    io,
    'rename <application_id> <name>',
    'rename an application',
    async ({ auth, call }, [applicationId = '', name = '']) => {
      const value = await renameApplication(auth, call, { applicationId, name });
      return { value, lines: [`renamed to ${value.name}`] };
    },
  );
  addCommand(
    app,
    io,
    'delete <application_id>',
    'delete an application; its tokens stop working',
    async ({ auth, call }, [applicationId = '']) => {
      await deleteApplication(auth, call, { applicationId });
      return { value: { applicationId, deleted: true }, lines: ['deleted'] };
    },
  );
}

function registerCreate(app: Command, io: CliIo): void {
  withEnvironmentFlags(
    addCommand(
      app,
      io,
      'create <name>',
      'create an application with one environment and its default client',
      async (session, [name = ''], flags) => {
        const ownerId = await ownerOf(session, text(flags, 'owner'));
        const environment = await environmentInput(
          session,
          text(flags, 'environment') ?? 'development',
          flags,
        );
        const made = await createApplication(session.auth, session.call, {
          name,
          ownerId,
          environments: [environment],
        });
        const clients = made.environments.flatMap((each) => each.clients.map(clientWithSecret));
        const [first] = made.environments;
        return {
          value: {
            ...made.application,
            appId: first?.environment.appId,
            environments: made.environments.map((each) => each.environment),
            clients,
          },
          lines: [
            `Application  ${made.application.applicationId}`,
            ...made.environments.flatMap((each) => environmentLines(each.environment)),
            ...secretLines(clients),
          ],
        };
      },
    ),
  )
    .option('--owner <user>', 'user who will own it (default: the first administrator)')
    .option('--environment <name>', 'name of the first environment (default: development)');
}

function registerEnvironments(app: Command, io: CliIo): void {
  withEnvironmentFlags(
    addCommand(
      app,
      io,
      'add-environment <application_id> <name>',
      'add an environment (an application ID)',
      async (session, [applicationId = '', name = ''], flags) => {
        const input = await environmentInput(session, name, flags);
        const { environment, clients } = await createEnvironment(session.auth, session.call, {
          applicationId,
          ...input,
        });
        const shown = clients.map(clientWithSecret);
        return {
          value: { ...environment, clients: shown },
          lines: [...environmentLines(environment), ...secretLines(shown)],
        };
      },
    ),
  );

  addCommand(
    app,
    io,
    'delete-environment <app_id>',
    'delete an environment with its clients',
    async ({ auth, call }, [appId = '']) => {
      await deleteEnvironment(auth, call, { appId });
      return { value: { appId, deleted: true }, lines: ['deleted'] };
    },
  );
}

function registerTenants(app: Command, io: CliIo): void {
  addCommand(
    app,
    io,
    'grant <app_id> <tenant>',
    'give the tokens of an environment access to a tenant (scope_id or gk_scope_id)',
    async (session, [appId = '', tenant = '']) => {
      const environment = await grantTenant(session.auth, session.call, {
        appId,
        gkScopeId: await gkScopeIdOf(session, tenant),
      });
      return { value: environment, lines: environmentLines(environment) };
    },
  );

  addCommand(
    app,
    io,
    'withdraw <app_id> <tenant>',
    'revoke access to a tenant from an environment',
    async (session, [appId = '', tenant = '']) => {
      const gkScopeId = await gkScopeIdOf(session, tenant).catch(() => tenant);
      const environment = await withdrawTenant(session.auth, session.call, { appId, gkScopeId });
      return { value: environment, lines: environmentLines(environment) };
    },
  );
}

function registerMembers(app: Command, io: CliIo): void {
  addCommand(
    app,
    io,
    'set-member <application_id> <user> <role>',
    `add a user to an application, or change their role (${tenantRoles.join(', ')})`,
    async (session, [applicationId = '', user = '', role = '']) => {
      if (!isTenantRole(role))
        throw new AppError('INVALID_REQUEST', inEnglish(`the role must be one of ${tenantRoles.join(', ')}`));
      const { userId } = await findUser(session, user);
      const members = await setApplicationMember(session.auth, session.call, { applicationId, userId, role });
      return { value: { members }, lines: members.map((member) => `${member.userId}  ${member.role}`) };
    },
  );

  addCommand(
    app,
    io,
    'remove-member <application_id> <user>',
    'remove a user from an application',
    async (session, [applicationId = '', user = '']) => {
      const { userId } = await findUser(session, user);
      const members = await removeApplicationMember(session.auth, session.call, { applicationId, userId });
      return { value: { members }, lines: members.map((member) => `${member.userId}  ${member.role}`) };
    },
  );
}

function withEnvironmentFlags(command: Command): Command {
  return command
    .option('--geography <name>', 'region it is deployed in; repeat for several (default: us)', collect)
    .option(
      '--tenant <id>',
      'tenant its tokens may access (scope_id or gk_scope_id); repeat for several',
      collect,
    )
    .option('--context-tag <tag>', 'tag of its models in resource URNs');
}

async function environmentInput(session: ManagementSession, name: string, flags: Flags) {
  const geographies = list(flags, 'geography');
  const contextTag = text(flags, 'contextTag');
  const tenants: string[] = [];
  for (const tenant of list(flags, 'tenant')) tenants.push(await gkScopeIdOf(session, tenant));
  return {
    name,
    geographies: geographies.length === 0 ? ['us'] : geographies,
    tenants,
    ...(contextTag === undefined ? {} : { contextTag }),
  };
}

async function ownerOf(session: ManagementSession, named: string | undefined): Promise<string> {
  if (named !== undefined) return (await findUser(session, named)).userId;
  const administrator = (await session.auth.store.direct.users.list()).find(
    (user) => user.role === 'administrator' && !user.locked,
  );
  if (!administrator)
    throw new AppError(
      'NOT_FOUND',
      'there is no administrator yet: name an owner with --owner, or run `voxgate bootstrap`',
    );
  return administrator.userId;
}

/** Operators know tenants by the ID they chose; tokens name the one of the system. */
async function gkScopeIdOf({ storage }: ManagementSession, anyId: string): Promise<string> {
  const tenant = await tenantsOf(storage.database, systemClock).findByAnyId(anyId);
  if (!tenant) throw new AppError('NOT_FOUND', `no such tenant: ${anyId}`);
  return tenant.gkScopeId;
}

interface ShownClient {
  clientId: string;
  clientSecret: string;
}

function clientWithSecret({ client, secret }: IssuedClient): ShownClient {
  return { clientId: client.clientId, clientSecret: secret };
}

function environmentLines({ appId, name, geographies, tenants }: Environment): string[] {
  return [
    `Environment  ${name}  app ID ${appId}  geographies ${geographies.join(', ')}  tenants ${tenants.join(', ') || 'none'}`,
  ];
}

function secretLines(clients: readonly ShownClient[]): string[] {
  return [
    ...clients.flatMap((client) => [
      `Client       ${client.clientId}`,
      `Secret       ${client.clientSecret}`,
    ]),
    SHOWN_ONCE,
  ];
}
