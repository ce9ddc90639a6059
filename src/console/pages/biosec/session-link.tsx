// A session by the name that applications gave it; a short form of its identifier where it has none.
import type { ReactNode } from 'react';
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
