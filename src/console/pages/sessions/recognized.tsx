// Judging an engagement as genuine takes back every alarm in it: says before who was recognized in which of
// its sessions, and what is lost.
import type { ReactNode } from 'react';
import type { UniqueIdJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import type { EngagementFraudsterJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { fill } from '../../kit/fill.js';
import { Notice } from '../../kit/notice.js';
import { t } from '../../text/sessions.js';
import { FraudsterLink } from '../biosec/owner-link.js';
import { SessionLinks } from '../biosec/session-link.js';

const text = t.outcome.recognized;

/** Each once, with all sessions: several may be of one engagement, or about one voice. */
function eachOnce(ones: readonly EngagementFraudsterJson[]): EngagementFraudsterJson[] {
  const found = new Map<string, EngagementFraudsterJson>();
  for (const { fraudster, gkSessionIds = [] } of ones) {
    const key = fraudster?.gkFraudsterId?.value ?? '';
    const all = [...(found.get(key)?.gkSessionIds ?? []), ...gkSessionIds];
    found.set(key, { ...(fraudster && { fraudster }), gkSessionIds: distinct(all) });
  }
  return [...found.values()];
}

const distinct = (ids: readonly UniqueIdJson[]): UniqueIdJson[] => [
  ...new Map(ids.map((id) => [id.value, id])).values(),
];

/** `sentence`: what the outcome means. */
export function Recognized({
  fraudsters,
  sentence,
}: {
  fraudsters: readonly EngagementFraudsterJson[];
  sentence: string;
}): ReactNode {
  if (fraudsters.length === 0) return null;
  return (
    <Notice tone="warn">
      <p>{sentence}</p>
      <ul>
        {eachOnce(fraudsters).map(({ fraudster, gkSessionIds = [] }) => (
          <li key={fraudster?.gkFraudsterId?.value ?? ''}>
            {fill(fraudster ? text.who : text.somebody, {
              fraudster: (
                <FraudsterLink
                  gkId={fraudster?.gkFraudsterId?.value ?? ''}
                  known={fraudster?.fraudsterId}
                  bare
                />
              ),
              sessions: <SessionLinks of={gkSessionIds} />,
            })}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
