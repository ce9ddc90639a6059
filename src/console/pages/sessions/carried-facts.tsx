// The session that a decision comes from, and the person as whom the caller was verified there.
import type { ReactNode } from 'react';
import type { CarriedDecisionJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import type { DecisionJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import { t } from '../../text/sessions.js';
import { FraudsterLink } from '../biosec/owner-link.js';
import { PersonLink } from '../biosec/person-link.js';
import { SessionLink } from '../biosec/session-link.js';

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
        ]
      : []),
  ];
}
