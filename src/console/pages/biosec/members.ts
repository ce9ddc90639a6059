// Names of acting members: records identify users and clients by identifier only.
import type { MemberJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import { call } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import { useMe } from '../../api/session.js';
import { shortId } from '../../format/text.js';
import { useMay } from '../../tenant/rights.js';
import { t } from '../../text/checks.js';

const clientId = /^appID:([^:]+):geo:[^:]+:clientName:(.+)$/;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The server names existing members; administrators and auditors may list users, and all users know
 * themselves.
 */
export function useMemberNames(): (member: MemberJson | undefined) => string {
  const me = useMe();
  const may = useMay();
  const users = useQuery(may('overview') ? 'user names' : undefined, async (signal) => {
    const answer = await call('ListUsers', { pageSize: 1000 }, signal);
    return new Map(
      (answer.users ?? []).map((user) => [user.userId ?? '', user.displayName || user.username || '']),
    );
  });
  return (member) => {
    const id = member?.externalId ?? '';
    if (id === me.userId) return t.you;
    return member?.label || member?.memberName || users.data?.get(id) || idWords(id);
  };
}

function idWords(id: string): string {
  const client = clientId.exec(id);
  if (client) return t.clientOf(client[2] ?? '', shortId(client[1]));
  if (uuid.test(id)) return t.user(shortId(id));
  if (id === 'unknown') return t.nobody;
  return id === '' || id === 'system' ? t.system : id;
}
