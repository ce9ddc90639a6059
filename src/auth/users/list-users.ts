// Reads users: all of them for administrators and auditors, only oneself for everybody else.
import { notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import type { AuthDeps } from '../deps.js';
import type { UserView } from '../model.js';
import { requireOverview, seesEverything } from '../permissions.js';
import { viewUser, viewWith } from './user-view.js';

export async function listUsers(deps: AuthDeps, call: Call): Promise<UserView[]> {
  requireOverview(call);
  const { users, factors } = deps.store.direct;
  const holders = await factors.holders();
  return (await users.list()).map((user) => viewWith(user, holders));
}

export async function getUser(deps: AuthDeps, call: Call, input: { userId: string }): Promise<UserView> {
  const visible = seesEverything(call) || call.caller.userId === input.userId;
  const user = visible ? await deps.store.direct.users.get(input.userId) : undefined;
  if (!user) throw notFound('user', 'user_id');
  return viewUser(deps.store.direct, user);
}
