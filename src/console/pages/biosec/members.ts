// Who did it, by name: records name users and clients by identifier only.
import { get } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import { isAdministrator, useMe } from '../../auth/session.js';
import { shortId } from '../../format/text.js';
import type { Member } from './types.js';

interface KnownUser {
  userId: string;
  username: string;
  displayName?: string;
}

const clientId = /^appID:([^:]+):geo:[^:]+:clientName:(.+)$/;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Administrators may list users; everybody else knows at least themselves. */
export function useMemberNames(): (member: Member | undefined) => string {
  const me = useMe();
  const users = useQuery(isAdministrator(me) ? 'user names' : undefined, async (signal) => {
    const answer = await get<{ users?: KnownUser[] }>('/v1/management/users', { pageSize: 1000 }, signal);
    return new Map((answer.users ?? []).map((user) => [user.userId, user.displayName || user.username]));
  });
  return (member) => {
    const id = member?.externalId ?? '';
    if (id === me.userId) return 'you';
    return member?.label || member?.memberName || users.data?.get(id) || idWords(id);
  };
}

function idWords(id: string): string {
  const client = clientId.exec(id);
  if (client) return `client ${client[2] ?? ''} of application ${shortId(client[1])}`;
  if (uuid.test(id)) return `user ${shortId(id)}`;
  return id || 'the system';
}
