// The part of a user that leaves this domain: everything but the password hash and the mark of known
// browsers.
import type { TenantGrant, User, UserView } from '../model.js';
import type { AuthRepositories } from '../ports.js';

export async function viewUser(rows: Pick<AuthRepositories, 'factors'>, user: User): Promise<UserView> {
  return viewWith(user, await rows.factors.holders(user.userId));
}

/** `holders`: people with a second factor. */
export function viewWith(user: User, holders: ReadonlySet<string>): UserView {
  const { passwordHash, deviceEpoch: _epoch, ...rest } = user;
  return { ...rest, hasPassword: passwordHash !== undefined, hasSecondFactor: holders.has(user.userId) };
}

/** Roles in tenants in the form of the audit trail. */
export const grantsInTrail = (grants: readonly TenantGrant[]): string[] =>
  grants.map(({ tenantId, role }) => `${tenantId}=${role}`);
