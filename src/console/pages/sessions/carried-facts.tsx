// The session that a decision comes from, the person as whom the caller was verified there, and what was found there since.
import type { ReactNode } from 'react';
import type {
  CarriedDecisionJson,
  SessionFraudsterJson,
} from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import type { DecisionJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import { dateTime } from '../../format/text.js';
import { fill } from '../../kit/fill.js';
import { t } from '../../text/sessions.js';
import { FraudsterLink } from '../biosec/owner-link.js';
import { PersonLink } from '../biosec/person-link.js';
import { SessionLink } from '../biosec/session-link.js';
import { foundLaterIn } from '../biosec/session-words.js';

const text = t.session.verdict.carried;

export function carriedFacts(
  carried: CarriedDecisionJson | undefined,
  decision: DecisionJson | undefined,
): [string, ReactNode][] {
  if (!carried) return [];
  return [
    ...(carried.persons ?? []).map(({ gkPersonId, personId }): [string, ReactNode] => [
      decision === 'DECISION_NO_MATCH' ? text.factUnlike : text.fact,
      <PersonLink key={gkPersonId?.value} gkId={gkPersonId?.value ?? ''} known={personId} />,
    ]),
    ...(carried.fraudsters ?? []).map(({ gkFraudsterId, fraudsterId }): [string, ReactNode] => [
      text.factFraudster,
      <FraudsterLink key={gkFraudsterId?.value} gkId={gkFraudsterId?.value ?? ''} known={fraudsterId} />,
    ]),
    ...(carried.gkSessionId?.value
      ? [
          [text.session, <SessionLink key="session" gkId={carried.gkSessionId.value} />] as [
            string,
            ReactNode,
          ],
          ...sinceFacts(carried, carried.gkSessionId.value),
        ]
      : []),
  ];
}

function sinceFacts(
  { foundLater = [], madeFraudsters = [] }: CarriedDecisionJson,
  gkSessionId: string,
): [string, ReactNode][] {
  const session = <SessionLink gkId={gkSessionId} />;
  return [
    ...foundLater.map((finding): [string, ReactNode] => [
      t.session.foundLater,
      fill(text.foundThere(dateTime(finding.time)), {
        session,
        found: finding.fraudster ? (
          <Fraudster of={finding.fraudster} />
        ) : (
          foundLaterIn({ foundLater: [finding] }).join()
        ),
      }),
    ]),
    ...madeFraudsters.map((one): [string, ReactNode] => [
      t.session.caller,
      fill(text.enrolledThere, { session, fraudster: <Fraudster of={one} /> }),
    ]),
  ];
}

const Fraudster = ({ of: { gkFraudsterId, fraudsterId } }: { of: SessionFraudsterJson }): ReactNode => (
  <FraudsterLink gkId={gkFraudsterId?.value ?? ''} known={fraudsterId} />
);
