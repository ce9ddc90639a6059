// Whom a session is about, in a list: whom the caller claims to be or, where nobody said so, whose voice it was by what ran in it.
import type { ReactNode } from 'react';
import type { SessionEntryJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { t as checks } from '../../text/checks.js';
import { t } from '../../text/sessions.js';
import { t as shell } from '../../text/shell.js';

const { roles, recognizedFraudster, foundAfter, sameVoice } = t.list;

export function personOf({ claimedPersonId, claimedPersonName = '', persons = [] }: SessionEntryJson): {
  id: string;
  name: string;
  how: string;
} {
  if (claimedPersonId) return { id: claimedPersonId, name: claimedPersonName, how: roles.claimed };
  const { personId = '', name = '', role = 'SESSION_PERSON_ROLE_UNSPECIFIED' } = persons[0] ?? {};
  return { id: personId, name, how: roles[role] };
}

/** Who or what was found after the call, in words. */
export const foundLaterIn = ({ foundLater = [] }: SessionEntryJson): string[] =>
  foundLater.map(({ check = '', fraudster }) =>
    fraudster
      ? [fraudster.fraudsterId, fraudster.name].filter(Boolean).join(', ')
      : (checks.attackNames[check] ?? check),
  );

/** How a session knows one person whom it is about. */
export function roleOf({ details, persons = [] }: SessionEntryJson, gkPersonId: string): string {
  if (details?.claimedGkPersonId?.value === gkPersonId) return roles.claimed;
  const named = persons.find((person) => person.gkPersonId?.value === gkPersonId);
  return roles[named?.role ?? 'SESSION_PERSON_ROLE_UNSPECIFIED'];
}

export function PersonCell({ entry }: { entry: SessionEntryJson }): ReactNode {
  const { id, name, how } = personOf(entry);
  const { fraudsters = [], madeFraudsters = [] } = entry;
  const later = foundLaterIn(entry);
  if (!id && fraudsters.length + later.length + madeFraudsters.length === 0) return shell.none;
  return (
    <>
      {id ? (
        <>
          <div>{id}</div>
          <div className="small soft">{[name, how].filter(Boolean).join(', ')}</div>
        </>
      ) : null}
      {fraudsters.map(({ gkFraudsterId, fraudsterId, name: ofFraudster }) => (
        <div key={gkFraudsterId?.value} className="small">
          {[fraudsterId, ofFraudster].filter(Boolean).join(', ')}{' '}
          <span className="soft">{recognizedFraudster}</span>
        </div>
      ))}
      {later.map((found) => (
        <div key={found} className="small">
          {found} <span className="soft">{foundAfter}</span>
        </div>
      ))}
      {madeFraudsters.map(({ gkFraudsterId, fraudsterId }) => (
        <div key={`made ${gkFraudsterId?.value ?? ''}`} className="small">
          {fraudsterId} <span className="soft">{sameVoice}</span>
        </div>
      ))}
    </>
  );
}
