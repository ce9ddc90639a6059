// Whom a session is about, in a list: whom the caller claims to be or, where nobody said so, whose voice it was by what ran in it.
import type { ReactNode } from 'react';
import type { SessionEntryJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { t } from '../../text/sessions.js';
import { t as shell } from '../../text/shell.js';

const { roles } = t.list;

export function personOf({ claimedPersonId, persons = [] }: SessionEntryJson): { id: string; how: string } {
  if (claimedPersonId) return { id: claimedPersonId, how: roles.claimed };
  const { personId = '', role = 'SESSION_PERSON_ROLE_UNSPECIFIED' } = persons[0] ?? {};
  return { id: personId, how: roles[role] };
}

/** How a session knows one person whom it is about. */
export function roleOf({ details, persons = [] }: SessionEntryJson, gkPersonId: string): string {
  if (details?.claimedGkPersonId?.value === gkPersonId) return roles.claimed;
  const named = persons.find((person) => person.gkPersonId?.value === gkPersonId);
  return roles[named?.role ?? 'SESSION_PERSON_ROLE_UNSPECIFIED'];
}

export function PersonCell({ entry }: { entry: SessionEntryJson }): ReactNode {
  const { id, how } = personOf(entry);
  if (!id) return shell.none;
  return (
    <>
      <div>{id}</div>
      <div className="small soft">{how}</div>
    </>
  );
}
