// Who judges a call as genuine takes nobody off a watchlist: that the voice is still there is said before and after.
import { Fragment, type ReactNode } from 'react';
import type { LaterCheckJson, SessionFraudsterJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { call } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import { fill } from '../../kit/fill.js';
import { Notice } from '../../kit/notice.js';
import { ifFound, useReadContext } from '../../tenant/context.js';
import { FraudsterLink } from '../biosec/owner-link.js';
import { isAddition } from './later.js';

/** Whose print was made from a call. */
export const listedIn = (later: readonly LaterCheckJson[]): SessionFraudsterJson[] =>
  later.filter(isAddition).flatMap(({ fraudster }) => fraudster ?? []);

/** Nothing where all of them were deleted since. `{fraudsters}` of the sentence become links. */
export function StillListed({
  fraudsters,
  sentence,
}: {
  fraudsters: readonly SessionFraudsterJson[];
  sentence: string;
}): ReactNode {
  const known = new Map(
    fraudsters.map(({ gkFraudsterId, fraudsterId }) => [gkFraudsterId?.value ?? '', fraudsterId]),
  );
  const there = useStillThere([...known.keys()]);
  if (there.length === 0) return null;
  const links = there.map((gkId, index) => (
    <Fragment key={gkId}>
      {index > 0 ? ', ' : null}
      <FraudsterLink gkId={gkId} known={known.get(gkId)} bare />
    </Fragment>
  ));
  return <Notice tone="warn">{fill(sentence, { fraudsters: links })}</Notice>;
}

/** Who may not ask is told of all of them. */
function useStillThere(gkIds: readonly string[]): readonly string[] {
  const read = useReadContext();
  const key = read && gkIds.length > 0 ? `still listed ${gkIds.join(' ')}` : undefined;
  const { data, loading } = useQuery(key, async (signal) => {
    const ask = (value: string) =>
      call('GetFraudsterDetails', { context: read, gkFraudsterId: { value } }, signal);
    const found = await Promise.all(gkIds.map((gkId) => ifFound(ask(gkId))));
    return gkIds.filter((_, at) => found[at] !== undefined);
  });
  return loading ? [] : (data ?? gkIds);
}
