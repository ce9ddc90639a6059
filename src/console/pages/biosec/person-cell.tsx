// The person in a list of sessions: whom the caller claims to be or, if nobody was claimed, whose voice it
// was according to the checks; both, if the voice was compared with somebody else.
import type { ReactNode } from 'react';
import type { SessionEntryJson, SessionFraudsterJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { t } from '../../text/sessions.js';
import { t as shell } from '../../text/shell.js';
import { decidedEarlierOf, foundLaterIn, fraudsterWords, peopleIn } from './session-words.js';

const { carried: earlierText } = t.session.verdict;
const { recognizedFraudster, enrolledFraudster, foundAfter, sameVoice, gonePerson } = t.list;

export function PersonCell({ entry }: { entry: SessionEntryJson }): ReactNode {
  const [first, ...others] = peopleIn(entry);
  const { fraudsters = [], enrolledFraudsters = [], madeFraudsters = [] } = entry;
  const later = foundLaterIn(entry);
  // A match is always with somebody.
  const { carried } = entry;
  const earlier = decidedEarlierOf(entry);
  const decision = entry.details?.riskInfo?.decision;
  const isGone = !first && !earlier && decision === 'DECISION_AUTHENTIC';
  const laterThere = foundLaterIn(carried ?? {});
  const { fraudsters: foundThere = [], madeFraudsters: madeThere = [] } = carried ?? {};
  const own = [fraudsters, enrolledFraudsters, later, madeFraudsters];
  const found = [...own, foundThere, laterThere, madeThere];
  if (!first && !isGone && !earlier && found.every(({ length }) => length === 0)) return shell.none;
  return (
    <div className="who">
      {first ? (
        <>
          <div>{first.id}</div>
          <div className="small soft">{[first.name, first.how].filter(Boolean).join(', ')}</div>
        </>
      ) : null}
      {others.map(({ id, how }) => (
        <div key={`${id} ${how}`} className="small">
          {id} <span className="soft">{how}</span>
        </div>
      ))}
      {earlier ? (
        <div className="small">
          {earlier}{' '}
          <span className="soft">
            {decision === 'DECISION_NO_MATCH' ? earlierText.unlike : earlierText.person}
          </span>
        </div>
      ) : null}
      <Fraudsters of={foundThere} how={earlierText.fraudster} />
      {isGone ? <span className="soft">{gonePerson}</span> : null}
      <Fraudsters of={fraudsters} how={recognizedFraudster} />
      <Fraudsters of={enrolledFraudsters} how={enrolledFraudster} />
      <Found what={later} how={foundAfter} />
      <Fraudsters of={madeFraudsters} how={sameVoice} />
      <Found what={laterThere} how={earlierText.foundAfter} />
      <Fraudsters of={madeThere} how={earlierText.sameVoice} />
    </div>
  );
}

function Found({ what, how }: { what: readonly string[]; how: string }): ReactNode {
  return what.map((found) => (
    <div key={found} className="small">
      {found} <span className="soft">{how}</span>
    </div>
  ));
}

function Fraudsters({ of, how }: { of: readonly SessionFraudsterJson[]; how: string }): ReactNode {
  return of.map((fraudster) => (
    <div key={fraudster.gkFraudsterId?.value} className="small">
      {fraudsterWords(fraudster)} <span className="soft">{how}</span>
    </div>
  ));
}
