// Who may do what in the management operations. Administrators run the installation, and auditors may read; inside an
// application, the member's role decides. If a client acts for somebody other than its owner, both must be allowed. The
// transport has already checked for the scope platform-api.
import { AppError, notFound } from '../errors.js';
import { isAdministrator as callerIsAdministrator, type Call, type Caller, type Log } from '../platform.js';
import type { AuthDeps } from './deps.js';
import type { Client } from './model.js';
import { rightsIn, type TenantRole } from './roles.js';
import { TOOLING_SCOPE } from './scopes.js';
import { say } from '../words/server/say.js';

const SYSTEM = 'system';

/** The operator at the command line of the host, who has access to the database and the master key anyway. */
export function systemCall(deps: { settings: { issuer: string }; ids: { uuid(): string }; log: Log }): Call {
  const { issuer } = deps.settings;
  const caller: Caller = {
    subject: SYSTEM,
    issuer,
    clientId: SYSTEM,
    scopes: [TOOLING_SCOPE],
    tenants: 'all',
  };
  return { requestId: deps.ids.uuid(), caller, signal: new AbortController().signal, log: deps.log };
}

function isSystem(call: Call): boolean {
  return call.caller.subject === SYSTEM && call.caller.clientId === SYSTEM;
}

export function isAdministrator(call: Pick<Call, 'caller'>): boolean {
  return callerIsAdministrator(call.caller);
}

export function requireAdministrator(call: Pick<Call, 'caller'>): void {
  if (!isAdministrator(call)) throw new AppError('PERMISSION_DENIED', say('ADMINISTRATOR_ONLY'));
}

/** Administrators, and auditors of the installation. */
export function seesEverything(call: Pick<Call, 'caller'>): boolean {
  return call.caller.tenants === 'all';
}

export function requireOverview(call: Pick<Call, 'caller'>): void {
  if (!seesEverything(call)) throw new AppError('PERMISSION_DENIED', say('AUDITOR_ONLY'));
}

/**
 * Whether the caller has this permission anywhere: for things that belong to no tenant, such as the states of
 * agents.
 */
export function holdsAnywhere({ caller }: Pick<Call, 'caller'>, permission: string): boolean {
  const { rights } = caller;
  if (!rights) return callerIsAdministrator(caller);
  return (
    rights.everywhere.has(permission) || [...rights.byTenant.values()].some((held) => held.has(permission))
  );
}

/** Whether the caller has this permission in a tenant. */
export function holdsIn({ caller }: Call, permission: string, tenantId: string): boolean {
  const { rights } = caller;
  if (!rights) return callerIsAdministrator(caller);
  return rightsIn(rights, tenantId).has(permission);
}

/** The person behind the call; service accounts of a person count as that person. */
export function requireUserId(call: Pick<Call, 'caller'>): string {
  const { userId } = call.caller;
  if (userId === undefined) throw new AppError('PERMISSION_DENIED', say('USER_NEEDED'));
  return userId;
}

/**
 * The person behind the call, acting themselves: through the console, or with their own credential. Somebody
 * else's application that acts for them must not touch how they sign in, or it could make its access last
 * forever.
 */
export function requireSelf(call: Pick<Call, 'caller'>): string {
  const userId = requireUserId(call);
  if (call.caller.clientOwnerId !== undefined)
    throw new AppError('PERMISSION_DENIED', say('OTHERS_APPLICATION'));
  return userId;
}

/** The relation of one person behind a call to an application. */
interface ApplicationRights {
  administrator: boolean;
  /** An auditor of the installation. */
  auditor: boolean;
  role: TenantRole | undefined;
}

async function applicationRights(
  deps: AuthDeps,
  call: Call,
  applicationId: string,
): Promise<ApplicationRights[]> {
  if (isSystem(call)) return [{ administrator: true, auditor: false, role: 'owner' }];
  const { userId, clientOwnerId } = call.caller;
  const members = await deps.store.direct.applications.members(applicationId);
  const people = [userId, clientOwnerId].filter((each) => each !== undefined);
  if (people.length === 0) return [{ administrator: isAdministrator(call), auditor: false, role: undefined }];
  return Promise.all(
    people.map(async (person) => {
      const known = await deps.directory.userRights(person);
      return {
        administrator: known?.role === 'administrator',
        auditor: known?.role === 'auditor',
        role: members.find((member) => member.userId === person)?.role,
      };
    }),
  );
}

const belongs = ({ administrator, auditor, role }: ApplicationRights): boolean =>
  administrator || auditor || role !== undefined;

/** Outsiders are told the same as of something that does not exist. */
async function membersOnly(
  deps: AuthDeps,
  call: Call,
  applicationId: string,
  refusal = notFound('application', 'application_id'),
): Promise<ApplicationRights[]> {
  const found = await applicationRights(deps, call, applicationId);
  if (!found.every(belongs)) throw refusal;
  return found;
}

export async function requireMember(
  deps: AuthDeps,
  call: Call,
  applicationId: string,
  refusal?: AppError,
): Promise<void> {
  await membersOnly(deps, call, applicationId, refusal);
}

/** Owners and administrators. */
export async function requireManager(
  deps: AuthDeps,
  call: Call,
  applicationId: string,
  refusal?: AppError,
): Promise<void> {
  const found = await membersOnly(deps, call, applicationId, refusal);
  if (found.some(({ administrator, role }) => !administrator && role !== 'owner')) throw ownersOnly();
}

const readersOfCredentials: readonly TenantRole[] = ['owner', 'developer', 'auditor'];

/** People who may see the clients and events of an application. */
export async function requireReader(deps: AuthDeps, call: Call, applicationId: string): Promise<void> {
  const found = await membersOnly(deps, call, applicationId);
  const may = ({ administrator, auditor, role }: ApplicationRights): boolean =>
    administrator || auditor || (role !== undefined && readersOfCredentials.includes(role));
  if (!found.every(may)) throw new AppError('PERMISSION_DENIED', say('ROLE_IN_APPLICATION'));
}

/**
 * Owners only (docs/reference/token-contract.md#client-credentials). An administrator who needs a secret
 * becomes an owner first, which leaves a record in the audit trail.
 */
export async function requireOwner(deps: AuthDeps, call: Call, applicationId: string): Promise<void> {
  const found = await membersOnly(deps, call, applicationId);
  if (found.some(({ role }) => role !== 'owner')) throw ownersOnly();
}

function ownersOnly(): AppError {
  return new AppError('PERMISSION_DENIED', say('APPLICATION_OWNER_ONLY'));
}

export type ClientRight = 'see' | 'manage' | 'hold-secret';

/** One rule for every kind of client: the application's people, the profile's user, or the administrator. */
export async function requireClientRight(
  deps: AuthDeps,
  call: Call,
  client: Client,
  right: ClientRight,
): Promise<void> {
  if (client.kind === 'engagement') {
    if (!seesEverything(call)) throw notFound('client', 'client_id');
    return right === 'see' ? undefined : requireAdministrator(call);
  }
  if (client.kind === 'tooling') return requireToolingRight(call, client, right);
  const environment =
    client.appId === undefined ? undefined : await deps.store.direct.environments.get(client.appId);
  if (!environment) throw notFound('client', 'client_id');
  await membersOnly(deps, call, environment.applicationId, notFound('client', 'client_id'));
  const require = { see: requireReader, manage: requireManager, 'hold-secret': requireOwner }[right];
  await require(deps, call, environment.applicationId);
}

/** Somebody else's profile: an administrator may view and lock it, but never obtain the secret. */
function requireToolingRight(call: Call, client: Client, right: ClientRight): void {
  if (isSystem(call)) return;
  if (client.userId === call.caller.userId) return void requireSelf(call);
  const allowed = right === 'see' ? seesEverything(call) : isAdministrator(call) && right !== 'hold-secret';
  if (!allowed) throw notFound('client', 'client_id');
}
