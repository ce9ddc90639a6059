// Whose rights a token of a person carries. The console and a person's own credentials carry all of the person's; an
// application of somebody else carries the smaller of both, so that nobody gains rights by being allowed to act for
// another (RFC 9700 section 2.3). Locking either of them ends it.
import type { Caller } from '../../platform.js';
import type { AuthDeps } from '../deps.js';
import type { UserRights } from '../directory.js';
import type { Client } from '../model.js';
import { smallerRights } from '../roles.js';

export interface Person extends Pick<Caller, 'tenants' | 'rights' | 'readOnly' | 'clientOwnerId'> {
  userId: string;
}

export async function personBehind(
  deps: AuthDeps,
  clientId: string,
  userId: string,
): Promise<Person | undefined> {
  const user = await deps.directory.userRights(userId);
  if (!user || user.locked) return undefined;
  const known = await deps.directory.client(clientId);
  if (!known) return undefined;
  const owner = await ownerOf(deps, known.client, userId);
  if (owner === 'gone') return undefined;
  return owner ? delegated(user, owner) : { userId, ...reachOf(user) };
}

/** Whether the client may act for anybody at all: its owner must be there and not locked. */
export async function hasActiveOwner(deps: AuthDeps, client: Client): Promise<boolean> {
  if (client.userId === undefined) return true;
  const owner = await deps.directory.userRights(client.userId);
  return owner !== undefined && !owner.locked;
}

/** The owner, if it is not the user. */
async function ownerOf(
  deps: AuthDeps,
  client: Client,
  userId: string,
): Promise<UserRights | 'gone' | undefined> {
  if (client.userId === undefined || client.userId === userId) return undefined;
  const owner = await deps.directory.userRights(client.userId);
  return !owner || owner.locked ? 'gone' : owner;
}

function reachOf({ tenants, rights, role }: UserRights): Omit<Person, 'userId'> {
  return {
    tenants,
    ...(rights ? { rights } : {}),
    ...(role === 'auditor' ? { readOnly: true } : {}),
  };
}

function delegated(user: UserRights, owner: UserRights): Person {
  const rights = smallerRights(user.rights, owner.rights);
  const everywhere = user.tenants === 'all' && owner.tenants === 'all';
  return {
    userId: user.userId,
    clientOwnerId: owner.userId,
    tenants: everywhere ? 'all' : [...(rights?.byTenant.keys() ?? [])],
    ...(rights ? { rights } : {}),
    ...(user.role === 'auditor' || owner.role === 'auditor' ? { readOnly: true } : {}),
  };
}
