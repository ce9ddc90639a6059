// A person by the name that applications use; the identifier until it is known.
import type { ReactNode } from 'react';
import { call } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import { shortId } from '../../format/text.js';
import { Link } from '../../router.js';
import { ifFound, useReadContext } from '../../tenant/context.js';

export function PersonLink({ gkId }: { gkId: string }): ReactNode {
  const read = useReadContext();
  const found = useQuery(read && `person name ${gkId}`, (signal) =>
    ifFound(call('GetPersonDetails', { context: read, gkPersonId: { value: gkId } }, signal)),
  );
  return <Link to={`/people/persons/${gkId}`}>{found.data?.details?.personId || shortId(gkId)}</Link>;
}
