// Where the decision of a session comes from, and as whom the caller was verified there.
import type { ReactNode } from 'react';
import type { CarriedDecisionJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { t } from '../../text/sessions.js';
import { PersonLink } from '../biosec/person-link.js';
import { SessionLink } from '../biosec/session-link.js';

const text = t.session.verdict.carried;

export function carriedFacts(carried: CarriedDecisionJson | undefined): [string, ReactNode][] {
  if (!carried) return [];
  return [
    ...(carried.persons ?? []).map(({ gkPersonId, personId }): [string, ReactNode] => [
      text.fact,
      <PersonLink key={gkPersonId?.value} gkId={gkPersonId?.value ?? ''} known={personId} />,
    ]),
    [text.session, <SessionLink key="session" gkId={carried.gkSessionId?.value} />],
  ];
}
