// Somebody whom a session is about, by the name that the assessment has, with a link to their page.
import type { ReactNode } from 'react';
import type { SessionPartyJson } from '../../../gen/voxgate/biosec/v1/assessment_pb.js';
import { partyName } from '../../../words/tell.js';
import { Link } from '../../router.js';
import { t as words } from '../../text/assessment.js';

export function PartyLink({ of }: { of: SessionPartyJson }): ReactNode {
  const { gkPersonId, gkFraudsterId, state, name } = of;
  const shown = partyName(words, of);
  const page = gkFraudsterId ? 'fraudsters' : 'persons';
  const gkId = (gkFraudsterId ?? gkPersonId)?.value;
  return (
    <>
      {gkId && state === 'PARTY_STATE_KNOWN' ? <Link to={`/people/${page}/${gkId}`}>{shown}</Link> : shown}
      {name ? <span className="soft"> {name}</span> : null}
    </>
  );
}
