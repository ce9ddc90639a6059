// The owner of a voiceprint, and the list it came from, by name.
import { Fragment, type ReactNode } from 'react';
import type { NamedWatchlistJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { call } from '../../api/client.js';
import { fullName, shortId } from '../../format/text.js';
import { Link } from '../../router.js';
import { t } from '../../text/checks.js';
import { PersonLink } from './person-link.js';
import { useNamed } from './named.js';

/** The details of a print. */
export function usePrint(profile: string | undefined) {
  return useNamed(profile && `print ${profile}`, (context) =>
    call('GetVoiceprintProfileDetails', { context, gkVoiceprintProfileId: { value: profile } }),
  );
}

/** The fraudster whose print it was, as the attributes of a check have it once the print is deleted. */
interface FormerOwner {
  gkFraudsterId?: string;
  fraudsterId?: string;
}

/** The owner of a print; a deleted print is shown as such, unless it is known whose it was. */
export function OwnerLink({
  profile,
  bare = false,
  former,
}: {
  profile: string;
  bare?: boolean;
  former?: FormerOwner | undefined;
}): ReactNode {
  const found = usePrint(profile);
  const owner = found.data?.details?.gkOwnerId?.value;
  if (!owner) {
    if (found.loading) return shortId(profile);
    const { gkFraudsterId, fraudsterId } = former ?? {};
    return gkFraudsterId ? (
      <FraudsterLink gkId={gkFraudsterId} known={fraudsterId} bare={bare} />
    ) : (
      t.goneVoiceprint
    );
  }
  return found.data?.details?.ownerType === 'OWNER_TYPE_FRAUDSTER' ? (
    <FraudsterLink gkId={owner} bare={bare} />
  ) : (
    <PersonLink gkId={owner} bare={bare} />
  );
}

/** The same, with the tag of the print: a person may have several. */
export function PrintLink({
  profile,
  former,
}: {
  profile: string;
  former?: FormerOwner | undefined;
}): ReactNode {
  const tag = usePrint(profile).data?.details?.tag;
  return (
    <>
      <OwnerLink profile={profile} former={former} />
      {tag ? <span className="soft"> {t.printTag(tag)}</span> : null}
    </>
  );
}

/** The details of a fraudster. */
export function useFraudster(gkId: string | undefined) {
  return useNamed(gkId && `fraudster ${gkId}`, (context) =>
    call('GetFraudsterDetails', { context, gkFraudsterId: { value: gkId } }),
  );
}

export function FraudsterLink({
  gkId,
  bare = false,
  known,
}: {
  gkId: string;
  bare?: boolean;
  /** The own ID, if the page already has it; a deleted fraudster has no page. */
  known?: string | undefined;
}): ReactNode {
  const { data } = useFraudster(gkId);
  if (data === null && known) return t.deletedName(known);
  const details = data?.details;
  const name = bare ? '' : fullName(details);
  return (
    <>
      <Link to={`/people/fraudsters/${gkId}`}>{details?.fraudsterId || known || shortId(gkId)}</Link>
      {name ? <span className="soft"> {name}</span> : null}
    </>
  );
}

interface ListProps {
  gkId: string;
  /** Its name, if it has been deleted. */
  known?: string | undefined;
}

export function WatchlistLink({ gkId, known }: ListProps): ReactNode {
  const found = useNamed(`watchlist ${gkId}`, (context) =>
    call('GetWatchlistDetails', { context, gkWatchlistId: { value: gkId } }),
  );
  if (!found.data && known) return t.deletedName(known);
  return <Link to={`/people/watchlists/${gkId}`}>{found.data?.details?.watchlistId || shortId(gkId)}</Link>;
}

export function GroupLink({ gkId, known }: ListProps): ReactNode {
  const found = useNamed(`group ${gkId}`, (context) =>
    call('GetGroupDetails', { context, gkGroupId: { value: gkId } }),
  );
  if (!found.data && known) return t.deletedName(known);
  return <Link to={`/people/groups/${gkId}`}>{found.data?.details?.groupId || shortId(gkId)}</Link>;
}

/** Several, by names that are known already. */
export const WatchlistLinks = ({ lists }: { lists: readonly NamedWatchlistJson[] }): ReactNode =>
  lists.map(({ gkWatchlistId, watchlistId }, index) => (
    <Fragment key={gkWatchlistId?.value}>
      {index > 0 ? ', ' : null}
      <Link to={`/people/watchlists/${gkWatchlistId?.value ?? ''}`}>{watchlistId}</Link>
    </Fragment>
  ));
