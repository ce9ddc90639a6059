// What else is known about the caller: other sessions of the case, the person, the fraudster and the number.
import type { ReactNode } from 'react';
import type { SessionFraudsterJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { isWithheld, numberKey, numberQuery } from '../../format/text.js';
import { t } from '../../text/sessions.js';
import { History } from '../biosec/history.js';
import { usePerson } from '../biosec/person-link.js';

/** Each section only if it is known. */
export function RelatedSessions({
  ani,
  person,
  fraudsters,
  caseNumber,
  id,
}: {
  ani: string | undefined;
  person: string | undefined;
  fraudsters: readonly SessionFraudsterJson[];
  caseNumber: string | undefined;
  id: string;
}): ReactNode {
  const personId = usePerson(person).data?.details?.personId;
  return (
    <>
      {caseNumber ? (
        <History
          title={t.history.ofCase(caseNumber)}
          caseNumber={caseNumber}
          current={id}
          match={(entry) => entry.caseNumber === caseNumber}
        />
      ) : null}
      {personId && person ? (
        <History title={t.history.person(personId)} query={personId} gkPersonId={person} current={id} />
      ) : null}
      {fraudsters.map(({ gkFraudsterId, fraudsterId = '' }) => (
        <History
          key={gkFraudsterId?.value}
          title={t.history.fraudster(fraudsterId)}
          query={fraudsterId}
          gkFraudsterId={gkFraudsterId?.value ?? ''}
          current={id}
        />
      ))}
      {ani && !isWithheld(ani) ? (
        <History
          title={t.history.number(ani)}
          query={numberQuery(ani)}
          current={id}
          match={({ details }) => numberKey(details?.ani) === numberKey(ani)}
        />
      ) : null}
    </>
  );
}
