// Whom a session is about, in a row of a list: the voice and the person claimed first, then what was found since.
import type { ReactNode } from 'react';
import type { SessionEntryJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { shownParties } from '../../../words/tell.js';
import { t as words } from '../../text/assessment.js';
import { t as shell } from '../../text/shell.js';

export function PersonCell({ entry: { assessment = {} } }: { entry: SessionEntryJson }): ReactNode {
  const [first, ...others] = shownParties(words, assessment);
  if (!first) return shell.none;
  return (
    <div className="who">
      <div>{first.name}</div>
      <div className="small soft">{[first.party?.name, first.role].filter(Boolean).join(', ')}</div>
      {others.map(({ name, role }) => (
        <div key={`${name} ${role}`} className="small">
          {name} <span className="soft">{role}</span>
        </div>
      ))}
    </div>
  );
}
