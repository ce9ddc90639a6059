// Judging a call as genuine takes nobody off a watchlist: says before and after that the voice is still
// there; afterwards it can be taken off.
import { useState, type ReactNode } from 'react';
import type { EnrolledAsJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { useAction } from '../../api/hooks.js';
import { Button } from '../../kit/button.js';
import { FormDialog } from '../../kit/dialog.js';
import { fill } from '../../kit/fill.js';
import { Notice } from '../../kit/notice.js';
import { toast } from '../../kit/toast.js';
import { Allowed } from '../../tenant/allowed.js';
import { useInSession } from '../../tenant/context.js';
import { t } from '../../text/sessions.js';
import { FraudsterLink, WatchlistLinks } from '../biosec/owner-link.js';
import { SessionLinks } from '../biosec/session-link.js';
import { collectionKinds } from '../people/kinds.js';

const text = t.outcome.listed;

/** Each once: several engagements may be about one voice. */
const eachOnce = (ones: readonly EnrolledAsJson[]): EnrolledAsJson[] => [
  ...new Map(ones.map((one) => [one.fraudster?.gkFraudsterId?.value, one])).values(),
];

/**
 * `sentence`: what it means. `onRemoved`: allows taking the voice off the list here; called when that is
 * done. `of`: the session whose page this is, to make clear which recording is kept for the print.
 */
export function StillListed({
  enrolledAs,
  sentence,
  of,
  onRemoved,
}: {
  enrolledAs: readonly EnrolledAsJson[];
  sentence: string;
  of?: string | undefined;
  onRemoved?: () => void;
}): ReactNode {
  const [removing, setRemoving] = useState<EnrolledAsJson>();
  if (enrolledAs.length === 0) return null;
  return (
    <>
      <Notice tone="warn">
        <p>{sentence}</p>
        <ul>
          {eachOnce(enrolledAs).map((one) => (
            <li key={one.fraudster?.gkFraudsterId?.value}>
              <Where one={one} /> {of === undefined ? null : <KeptIn one={one} of={of} />}
              {one.hasOtherRecordings ? text.known : text.alone}
              {onRemoved && !one.hasOtherRecordings && one.watchlists?.length ? (
                <Allowed to="RemoveFraudstersFromWatchlist">
                  {' '}
                  <Button
                    size="small"
                    aria-label={text.removeOf(one.fraudster?.fraudsterId ?? '')}
                    onClick={() => setRemoving(one)}
                  >
                    {text.remove}
                  </Button>
                </Allowed>
              ) : null}
            </li>
          ))}
        </ul>
      </Notice>
      {removing && onRemoved ? (
        <TakeOff
          one={removing}
          onClose={() => setRemoving(undefined)}
          onDone={() => {
            setRemoving(undefined);
            onRemoved();
          }}
        />
      ) : null}
    </>
  );
}

/** The sessions that hold the recordings; speech of live calls has none. */
function KeptIn({ one: { gkSessionIds = [] }, of }: { one: EnrolledAsJson; of: string }): ReactNode {
  if (gkSessionIds.length === 0) return null;
  if (gkSessionIds.some(({ value }) => value === of)) return <>{text.keptHere} </>;
  return <>{fill(text.keptElsewhere, { sessions: <SessionLinks of={gkSessionIds} /> })} </>;
}

function Where({ one: { fraudster, watchlists = [], isUntrained } }: { one: EnrolledAsJson }): ReactNode {
  const listed = isUntrained ? text.onUntrained : text.on;
  return fill(watchlists.length > 0 ? listed : text.onNone, {
    fraudster: (
      <FraudsterLink gkId={fraudster?.gkFraudsterId?.value ?? ''} known={fraudster?.fraudsterId} bare />
    ),
    watchlists: <WatchlistLinks lists={watchlists} />,
  });
}

/**
 * Takes it off all its lists; the voiceprint stays, so nothing is lost and no confirmation has to be typed.
 */
function TakeOff({
  one: { fraudster, watchlists = [] },
  onClose,
  onDone,
}: {
  one: EnrolledAsJson;
  onClose: () => void;
  onDone: () => void;
}): ReactNode {
  const inSession = useInSession('SESSION_TYPE_FRAUD_ANALYST');
  const name = fraudster?.fraudsterId ?? '';
  const remove = useAction(async () => {
    await inSession(async (context) => {
      const member = fraudster?.gkFraudsterId?.value ?? '';
      for (const { gkWatchlistId } of watchlists)
        await collectionKinds.watchlist.removeMember(context, gkWatchlistId?.value ?? '', member);
    });
    toast(text.removed(name));
    onDone();
  });
  const lists = watchlists.map(({ watchlistId }) => watchlistId).join(', ');
  return (
    <FormDialog
      title={text.removeOf(name)}
      submitLabel={text.remove}
      onClose={onClose}
      onSubmit={() => void remove.run()}
      busy={remove.busy}
      error={remove.error}
    >
      <p>{text.removeText(name, lists)}</p>
    </FormDialog>
  );
}
