// The content of a new installation: an administrator without a password, a first application with a client,
// and the token that opens the setup page. Running it twice changes nothing.
import { createApplication } from './applications/create-application.js';
import type { AuthDeps } from './deps.js';
import { systemCall } from './permissions.js';
import { createUser } from './users/create-user.js';
import { firstAdministrator, createSetupToken } from './users/first-run-setup.js';

interface BootstrapInput {
  administratorName: string;
  /** Absent: the setup token opens the page where the first password is chosen. */
  administratorPassword?: string;
  /** The password need not be replaced at the first sign-in. */
  keepPassword?: boolean;
  applicationName: string;
  environmentName: string;
  geography: string;
  /** Tenant (gk_scope_id) that the first application may reach. */
  gkScopeId: string;
}

export interface BootstrapResult {
  /** False if the installation already had applications; then nothing was created. */
  created: boolean;
  /** The administrator was made with the given password. */
  hasPassword?: boolean;
  userName?: string;
  /** Opens `<public URL>/setup?token=...` until somebody has a password. */
  setupToken?: string;
  appId?: string;
  clientId?: string;
  clientSecret?: string;
}

export async function bootstrapAuth(deps: AuthDeps, input: BootstrapInput): Promise<BootstrapResult> {
  const { users, applications } = deps.store.direct;
  const administrator = (await users.list()).find(({ role }) => role === 'administrator');
  // Somebody has begun in the console: what they have made there is theirs.
  if ((await applications.list({})).length > 0)
    return { created: false, ...(administrator && { userName: administrator.userName }) };
  const call = systemCall(deps);
  const owner =
    administrator ??
    (await createUser(deps, call, {
      ...firstAdministrator,
      userName: input.administratorName,
      // The password was printed and may be in some log, so the first sign-in with it asks for another one.
      ...(input.administratorPassword === undefined
        ? {}
        : { password: input.administratorPassword, temporary: input.keepPassword !== true }),
    }));
  const { environments } = await createApplication(deps, call, {
    name: input.applicationName,
    ownerId: owner.userId,
    environments: [
      { name: input.environmentName, geographies: [input.geography], tenants: [input.gkScopeId] },
    ],
  });
  const setupToken = await createSetupToken(deps);
  const first = environments[0];
  const issued = first?.clients[0];
  return {
    created: true,
    userName: owner.userName,
    hasPassword: administrator === undefined && input.administratorPassword !== undefined,
    ...(setupToken === undefined ? {} : { setupToken }),
    ...(first ? { appId: first.environment.appId } : {}),
    ...(issued ? { clientId: issued.client.clientId, clientSecret: issued.secret } : {}),
  };
}
