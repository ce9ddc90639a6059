// A session by the name that applications gave it, or by a short form of its identifier.
import { Fragment, type ReactNode } from 'react';
import type { UniqueIdJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import { shortId } from '../../format/text.js';
import { Link } from '../../router.js';
import { t } from '../../text/sessions.js';
import { useSessionsById } from './sessions-by-id.js';

export function SessionLink({
  gkId = '',
  name,
}: {
  gkId: string | undefined;
  name?: string | undefined;
}): ReactNode {
  return <Link to={`/sessions/${gkId}`}>{name || shortId(gkId)}</Link>;
}

const LINKS_SHOWN_MAX = 20;

/** Several in a sentence; their names come a moment later. */
export function SessionLinks({ of }: { of: readonly UniqueIdJson[] }): ReactNode {
  const ids = of.slice(0, LINKS_SHOWN_MAX).map(({ value = '' }) => value);
  const { data = [] } = useSessionsById(ids);
  const names = new Map(data.map(({ details }) => [details?.gkSessionId?.value, details?.sessionId]));
  return (
    <>
      {ids.map((gkId, index) => (
        <Fragment key={gkId}>
          {index > 0 ? ', ' : null}
          <SessionLink gkId={gkId} name={names.get(gkId)} />
        </Fragment>
      ))}
      {of.length > ids.length ? ` ${t.upload.more(of.length - ids.length)}` : null}
    </>
  );
}
