// Who may do what in the management operations. Administrators run the installation; owners hold the secrets of
// their application; members look on. The transport has already checked for the scope platform-api.
import { AppError, notFound } from '../errors.js';
import type { Call, Caller, Log } from '../platform.js';
import type { AuthDeps } from './deps.js';
import type { Client, MemberRole } from './model.js';
import { TOOLING_SCOPE } from './scopes.js';

const SYSTEM = 'system';

/** The operator at the command line of the host, who holds the database and the master key anyway. */
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

export function isSystem(call: Call): boolean {
  return call.caller.subject === SYSTEM && call.caller.clientId === SYSTEM;
}

export function isAdministrator(call: Call): boolean {
  return call.caller.tenants === 'all';
}

export function requireAdministrator(call: Call): void {
  if (!isAdministrator(call)) throw new AppError('PERMISSION_DENIED', 'only an administrator may do this');
}

/** The person behind the call; service accounts of a person count as that person. */
export function requireUserId(call: Call): string {
  const { userId } = call.caller;
  if (userId === undefined) throw new AppError('PERMISSION_DENIED', 'this requires a user account');
  return userId;
}

/** The caller's role in an application; undefined for outsiders. */
export async function memberRole(
  deps: AuthDeps,
  call: Call,
  applicationId: string,
): Promise<MemberRole | undefined> {
  const { userId } = call.caller;
  if (userId === undefined) return undefined;
  const members = await deps.store.direct.applications.members(applicationId);
  return members.find((member) => member.userId === userId)?.role;
}

/** Outsiders are told that there is no such application: its existence is none of their business. */
export async function requireMember(deps: AuthDeps, call: Call, applicationId: string): Promise<void> {
  if (isAdministrator(call)) return;
  if ((await memberRole(deps, call, applicationId)) === undefined)
    throw notFound('application', 'application_id');
}

/** Owners and administrators. */
export async function requireManager(deps: AuthDeps, call: Call, applicationId: string): Promise<void> {
  await requireMember(deps, call, applicationId);
  if (isAdministrator(call)) return;
  if ((await memberRole(deps, call, applicationId)) !== 'owner') {
    throw new AppError('PERMISSION_DENIED', 'only an owner of the application may do this');
  }
}

/**
 * Owners only (docs/reference/token-contract.md#client-credentials). An administrator who needs a
 * secret makes themselves an owner first, which leaves a line in the audit trail.
 */
export async function requireOwner(deps: AuthDeps, call: Call, applicationId: string): Promise<void> {
  if (isSystem(call)) return;
  await requireMember(deps, call, applicationId);
  if ((await memberRole(deps, call, applicationId)) !== 'owner') {
    throw new AppError('PERMISSION_DENIED', 'only an owner of the application may do this');
  }
}

type ClientRight = 'see' | 'manage' | 'hold-secret';

/** One rule for every kind of client: the application's people, the profile's user, or the administrator. */
export async function requireClientRight(
  deps: AuthDeps,
  call: Call,
  client: Client,
  right: ClientRight,
): Promise<void> {
  if (client.kind === 'engagement') return requireAdministrator(call);
  if (client.kind === 'tooling') {
    if (client.userId === call.caller.userId || isSystem(call)) return;
    // Somebody else's profile: an administrator may look and lock, but never obtain the secret.
    if (isAdministrator(call) && right !== 'hold-secret') return;
    throw notFound('client', 'client_id');
  }
  const environment =
    client.appId === undefined ? undefined : await deps.store.direct.environments.get(client.appId);
  if (!environment) throw notFound('client', 'client_id');
  const require = { see: requireMember, manage: requireManager, 'hold-secret': requireOwner }[right];
  await require(deps, call, environment.applicationId);
}
