// A session by the name that applications gave it, or by a short form of its identifier.
import { Fragment, type ReactNode } from 'react';
import type { UniqueIdJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import { shortId } from '../../format/text.js';
import { Link } from '../../router.js';

export function SessionLink({
  gkId = '',
  name,
}: {
  gkId: string | undefined;
  name?: string | undefined;
}): ReactNode {
  return <Link to={`/sessions/${gkId}`}>{name || shortId(gkId)}</Link>;
}

/** Several in a sentence. */
export const SessionLinks = ({ of }: { of: readonly UniqueIdJson[] }): ReactNode =>
  of.map(({ value = '' }, index) => (
    <Fragment key={value}>
      {index > 0 ? ', ' : null}
      <SessionLink gkId={value} />
    </Fragment>
  ));
