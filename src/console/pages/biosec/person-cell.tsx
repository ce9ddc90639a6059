// Whom a session is about, in a list: whom the caller claims to be or, where nobody said so, whose voice it was by what ran in it; both, where
// the voice was compared with somebody else.
import type { ReactNode } from 'react';
import type { SessionEntryJson, SessionFraudsterJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { t } from '../../text/sessions.js';
import { t as shell } from '../../text/shell.js';
import { claimOf, foundLaterIn, personOf, verifiedEarlier } from './session-words.js';

const { recognizedFraudster, enrolledFraudster, foundAfter, sameVoice, gonePerson } = t.list;

export function PersonCell({ entry }: { entry: SessionEntryJson }): ReactNode {
  const { id, name, how } = personOf(entry);
  const { fraudsters = [], enrolledFraudsters = [], madeFraudsters = [] } = entry;
  const later = foundLaterIn(entry);
  // A voice can match only somebody's.
  const earlier = verifiedEarlier(entry);
  const isGone = !id && !earlier && entry.details?.riskInfo?.decision === 'DECISION_AUTHENTIC';
  const others = [fraudsters, enrolledFraudsters, later, madeFraudsters];
  if (!id && !isGone && !earlier && others.every(({ length }) => length === 0)) return shell.none;
  return (
    <>
      {id ? (
        <>
          <div>{id}</div>
          <div className="small soft">{[name, how].filter(Boolean).join(', ')}</div>
        </>
      ) : null}
      {entry.hasOtherPerson ? (
        <div className="small">
          {claimOf(entry).id} <span className="soft">{claimOf(entry).how}</span>
        </div>
      ) : null}
      {earlier ? (
        <div className="small">
          {earlier} <span className="soft">{t.session.verdict.carried.person}</span>
        </div>
      ) : null}
      {isGone ? <span className="soft">{gonePerson}</span> : null}
      <Fraudsters of={fraudsters} how={recognizedFraudster} />
      <Fraudsters of={enrolledFraudsters} how={enrolledFraudster} />
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

function Fraudsters({ of, how }: { of: readonly SessionFraudsterJson[]; how: string }): ReactNode {
  return of.map(({ gkFraudsterId, fraudsterId, name }) => (
    <div key={gkFraudsterId?.value} className="small">
      {[fraudsterId, name].filter(Boolean).join(', ')} <span className="soft">{how}</span>
    </div>
  ));
}
