// A person by the name that applications use; the identifier until the name is known.
import type { ReactNode } from 'react';
import { call } from '../../api/client.js';
import { fullName, shortId } from '../../format/text.js';
import { Link } from '../../router.js';
import { useNamed } from './named.js';

/** The details of a person. */
function usePerson(gkId: string | undefined) {
  return useNamed(gkId && `person ${gkId}`, (context) =>
    call('GetPersonDetails', { context, gkPersonId: { value: gkId } }),
  );
}

/** `bare`: within a sentence, without the name beside it; `known`: the own ID, if the page already has it. */
export function PersonLink({
  gkId,
  bare = false,
  known,
}: {
  gkId: string;
  bare?: boolean;
  known?: string | undefined;
}): ReactNode {
  const details = usePerson(gkId).data?.details;
  const name = bare ? '' : fullName(details);
  return (
    <>
      <Link to={`/people/persons/${gkId}`}>{details?.personId || known || shortId(gkId)}</Link>
      {name ? <span className="soft"> {name}</span> : null}
    </>
  );
}
