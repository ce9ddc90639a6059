// Reads users: all of them for administrators and auditors, only oneself for everybody else.
import { notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import type { AuthDeps } from '../deps.js';
import type { UserView } from '../model.js';
import { requireOverview, seesEverything } from '../permissions.js';
import { viewUser, viewsOf } from './user-view.js';

export async function listUsers(deps: AuthDeps, call: Call): Promise<UserView[]> {
  requireOverview(call);
  const rows = deps.store.direct;
  return viewsOf(rows, await rows.users.list());
}

export async function getUser(deps: AuthDeps, call: Call, input: { userId: string }): Promise<UserView> {
  const visible = seesEverything(call) || call.caller.userId === input.userId;
  const user = visible ? await deps.store.direct.users.get(input.userId) : undefined;
  if (!user) throw notFound('user', 'user_id');
  return viewUser(deps.store.direct, user);
}
