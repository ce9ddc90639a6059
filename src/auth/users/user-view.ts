// The part of a user that leaves this domain: everything but the password hash and the mark of known
// browsers.
import type { TenantGrant, User, UserView } from '../model.js';
import type { AuthRepositories } from '../ports.js';

type Rows = Pick<AuthRepositories, 'factors' | 'identities'>;

export async function viewUser(rows: Rows, user: User): Promise<UserView> {
  return (await viewsOf(rows, [user], user.userId))[0] as UserView;
}

/** `only`: the one user whom they are. */
export async function viewsOf(rows: Rows, users: readonly User[], only?: string): Promise<UserView[]> {
  const withFactor = await rows.factors.holders(only);
  const withIdentity = await rows.identities.holders(only);
  return users.map(({ passwordHash, deviceEpoch: _epoch, ...rest }) => ({
    ...rest,
    hasPassword: passwordHash !== undefined,
    hasSecondFactor: withFactor.has(rest.userId),
    isInvited: passwordHash === undefined && !withIdentity.has(rest.userId),
  }));
}

/** Roles in tenants in the form of the audit trail. */
export const grantsInTrail = (grants: readonly TenantGrant[]): string[] =>
  grants.map(({ tenantId, role }) => `${tenantId}=${role}`);
