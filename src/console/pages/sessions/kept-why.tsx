// Why a session, or a recording of it, is still there although a person in it was erased.
import type { ReactNode } from 'react';
import type { AnswerOf } from '../../../client/contract.js';
import { Notice } from '../../kit/notice.js';
import { t } from '../../text/sessions.js';

export function KeptWhy({ timeline }: { timeline: AnswerOf<'GetSessionTimeline'> }): ReactNode {
  const { isKeptAsFraud, isKeptWithFraudster, heldRecordingCount = 0 } = timeline;
  return (
    <>
      {isKeptAsFraud ? <Notice>{t.session.keptAsFraud}</Notice> : null}
      {isKeptWithFraudster ? <Notice>{t.session.keptWithFraudster}</Notice> : null}
      {heldRecordingCount > 0 ? <Notice>{t.session.keptOnHold(heldRecordingCount)}</Notice> : null}
    </>
  );
}
