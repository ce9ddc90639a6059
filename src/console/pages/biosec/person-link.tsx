// A person by the name that applications use; the identifier until it is known.
import type { ReactNode } from 'react';
import { call } from '../../api/client.js';
import { shortId } from '../../format/text.js';
import { Link } from '../../router.js';
import { useNamed } from './named.js';

/** What is known of a person. */
export function usePerson(gkId: string | undefined) {
  return useNamed(gkId && `person ${gkId}`, (context) =>
    call('GetPersonDetails', { context, gkPersonId: { value: gkId } }),
  );
}

export function PersonLink({ gkId }: { gkId: string }): ReactNode {
  const found = usePerson(gkId);
  return <Link to={`/people/persons/${gkId}`}>{found.data?.details?.personId || shortId(gkId)}</Link>;
}
