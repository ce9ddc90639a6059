// Maps a person at the company's identity provider to an account here. A person is identified by issuer and subject, never by
// a name that can change hands. New accounts are created on the first visit; roles follow the groups at every sign-in, so that
// leaving a group ends the rights.
import { AppError } from '../../errors.js';
import type { AuthDeps } from '../deps.js';
import { commit, type UnitOfWork } from '../commit.js';
import { displayNameFault } from '../fields.js';
import type { User } from '../model.js';
import { systemCall } from '../permissions.js';
import { recordEvent } from '../record-event.js';
import { endAccessOfUser, lockClientsOfUser } from '../users/end-access.js';
import { recordSignIn } from '../users/record-sign-in.js';
import { userNameFault } from '../users/create-user.js';
import { isLastAdministrator, refuseLastAdministrator } from '../users/update-user.js';
import { grantsInTrail } from '../users/user-view.js';
import { rolesOfGroups, type MappedRoles } from '../group-roles.js';
import type { ProviderIdentity } from '../identity-provider.js';

export type ProviderOutcome =
  | { ok: true; user: User }
  // Nobody is admitted, and why.
  | { ok: false; reason: 'no-group' | 'last-administrator' | Refused };

type Refused = 'locked' | 'name-taken' | 'unknown-user' | 'unusable-name';

export async function signInWithProvider(
  deps: AuthDeps,
  identity: ProviderIdentity,
  visit: { address: string; clientId: string },
): Promise<ProviderOutcome> {
  const found = await findPerson(deps, identity).catch(refuseLast);
  const reason = found.outcome.ok ? undefined : found.outcome.reason.replace('-', '_');
  const { userId } = found;
  await recordSignIn(deps, { ...visit, method: 'provider', userId, reason });
  if (reason === 'no_group' && userId !== undefined)
    recordEvent(deps, {
      type: 'access.ended',
      appId: undefined,
      scope: undefined,
      userId,
      method: 'provider',
      reason,
      ...visit,
    });
  return found.outcome;
}

/** Groups that would leave the server without an administrator change nothing. */
function refuseLast(thrown: unknown): Found {
  if (!(thrown instanceof AppError) || thrown.code !== 'PERMISSION_DENIED') throw thrown;
  return { outcome: { ok: false, reason: 'last-administrator' }, userId: undefined };
}

interface Found {
  outcome: ProviderOutcome;
  userId: string | undefined;
}

async function findPerson(deps: AuthDeps, identity: ProviderIdentity): Promise<Found> {
  const rules = deps.settings.provider?.rules ?? [];
  const mapped = rules.length === 0 ? undefined : rolesOfGroups(rules, identity.groups ?? new Set());
  return commit(deps, systemCall(deps), async (unit) => {
    const userId = await unit.tx.identities.find(identity.issuer, identity.subject);
    const known = userId === undefined ? undefined : await unit.tx.users.lock(userId);
    const refuse = (reason: Exclude<ProviderOutcome, { ok: true }>['reason']): Found => ({
      outcome: { ok: false, reason },
      userId: known?.userId,
    });
    if (known?.locked) return refuse('locked');
    if (rules.length > 0 && !mapped) {
      if (known) await endAccessWithoutGroup(unit, known);
      return refuse('no-group');
    }
    const person = known ?? (await linkOrCreateUser(deps, unit, identity));
    if (typeof person === 'string') return refuse(person);
    const user = mapped ? await withRoles(unit, person, mapped) : person;
    return { outcome: { ok: true, user }, userId: user.userId };
  });
}

/** A first visit: somebody whom an administrator has entered without a password, or somebody new. */
async function linkOrCreateUser(
  deps: AuthDeps,
  { tx, nowMs, audit }: UnitOfWork,
  identity: ProviderIdentity,
): Promise<User | Refused> {
  const userName = identity.userName.trim().toLowerCase();
  if (userNameFault('user_name', userName)) return 'unusable-name';
  const { issuer, subject } = identity;
  const waiting = await tx.users.findByName(userName);
  if (waiting) {
    // An account is handed over by name only if nobody else can be using it and it has no rights over others.
    const free = waiting.passwordHash === undefined && waiting.role === 'member';
    if (!free || (await tx.identities.holders(waiting.userId)).size > 0) return 'name-taken';
    if (waiting.locked) return 'locked';
    await tx.identities.insert({ issuer, subject, userId: waiting.userId, createdAtMs: nowMs });
    await audit('user.link-provider', { type: 'user', id: waiting.userId }, { userName, issuer });
    return waiting;
  }
  if (deps.settings.provider?.createUsers !== true) return 'unknown-user';
  const displayName = displayNameFault('display_name', identity.displayName)
    ? userName
    : identity.displayName;
  const user: User = {
    userId: deps.ids.uuid(),
    userName,
    displayName,
    role: 'member',
    passwordHash: undefined,
    mustChangePassword: false,
    locked: false,
    lockedUntilMs: 0,
    deviceEpoch: undefined,
    tenantRoles: [],
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
  await tx.users.insert(user);
  await tx.identities.insert({ issuer, subject, userId: user.userId, createdAtMs: nowMs });
  await audit('user.create', { type: 'user', id: user.userId }, { userName, role: user.role, issuer });
  return user;
}

/** If groups are mapped, the provider has the last word on roles. */
async function withRoles(unit: UnitOfWork, before: User, { role, tenantRoles }: MappedRoles): Promise<User> {
  const granted = (user: Pick<User, 'role' | 'tenantRoles'>): string[] => [
    user.role,
    ...grantsInTrail(user.tenantRoles).sort(),
  ];
  const user: User = { ...before, role, tenantRoles, updatedAtMs: unit.nowMs };
  if (granted(before).join(' ') === granted(user).join(' ')) return before;
  if (before.passwordHash !== undefined && role !== 'administrator')
    await refuseLastAdministrator(unit.tx, before);
  await unit.tx.users.update(user);
  await unit.announce('user', user.userId, 'refresh');
  const [, ...tenants] = granted(user);
  await unit.audit(
    'user.update',
    { type: 'user', id: user.userId },
    { role, granted: tenants, by: 'provider' },
  );
  return user;
}

/**
 * For somebody who was admitted before and is no longer in any group: rights and open access end at once, and
 * the credentials they made are locked. Only the last administrator with a password keeps the role.
 */
async function endAccessWithoutGroup(unit: UnitOfWork, before: User): Promise<void> {
  const { userId } = before;
  const keepsRole = before.passwordHash !== undefined && (await isLastAdministrator(unit.tx, before));
  if (!keepsRole) {
    await unit.tx.users.update({ ...before, role: 'member', tenantRoles: [], updatedAtMs: unit.nowMs });
    await lockClientsOfUser(unit, userId);
  }
  await endAccessOfUser(unit, userId, 'void-earlier');
  const role = keepsRole ? before.role : 'member';
  await unit.audit(
    'user.end-access',
    { type: 'user', id: userId },
    { role, by: 'provider', reason: 'no-group' },
  );
}
