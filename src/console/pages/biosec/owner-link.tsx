// Whose voiceprint it is, and which list it came from, by name.
import type { ReactNode } from 'react';
import { call } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import { shortId } from '../../format/text.js';
import { Link } from '../../router.js';
import { ifFound, useReadContext } from '../../tenant/context.js';
import { t } from '../../text/checks.js';
import { PersonLink } from './person-link.js';

/** The owner of a print; a print that is gone says so. */
export function OwnerLink({ profile }: { profile: string }): ReactNode {
  const read = useReadContext();
  const found = useQuery(read && `print ${profile}`, (signal) =>
    ifFound(
      call(
        'GetVoiceprintProfileDetails',
        { context: read, gkVoiceprintProfileId: { value: profile } },
        signal,
      ),
    ),
  );
  const owner = found.data?.details?.gkOwnerId?.value;
  if (!owner) return found.loading ? shortId(profile) : t.goneVoiceprint;
  return found.data?.details?.ownerType === 'OWNER_TYPE_FRAUDSTER' ? (
    <FraudsterLink gkId={owner} />
  ) : (
    <PersonLink gkId={owner} />
  );
}

export function FraudsterLink({ gkId }: { gkId: string }): ReactNode {
  const read = useReadContext();
  const found = useQuery(read && `fraudster name ${gkId}`, (signal) =>
    ifFound(call('GetFraudsterDetails', { context: read, gkFraudsterId: { value: gkId } }, signal)),
  );
  return <Link to={`/people/fraudsters/${gkId}`}>{found.data?.details?.fraudsterId || shortId(gkId)}</Link>;
}

export function WatchlistLink({ gkId }: { gkId: string }): ReactNode {
  const read = useReadContext();
  const found = useQuery(read && `watchlist name ${gkId}`, (signal) =>
    ifFound(call('GetWatchlistDetails', { context: read, gkWatchlistId: { value: gkId } }, signal)),
  );
  return <Link to={`/people/watchlists/${gkId}`}>{found.data?.details?.watchlistId || shortId(gkId)}</Link>;
}

export function GroupLink({ gkId }: { gkId: string }): ReactNode {
  const read = useReadContext();
  const found = useQuery(read && `group name ${gkId}`, (signal) =>
    ifFound(call('GetGroupDetails', { context: read, gkGroupId: { value: gkId } }, signal)),
  );
  return <Link to={`/people/groups/${gkId}`}>{found.data?.details?.groupId || shortId(gkId)}</Link>;
}
