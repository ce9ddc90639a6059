// Why a session, or a recording of it, is still there although a person in it was erased; and a voice on a watchlist although it is genuine.
import type { ReactNode } from 'react';
import type { AnswerOf } from '../../../client/contract.js';
import { Notice } from '../../kit/notice.js';
import { t } from '../../text/sessions.js';
import { StillListed } from './still-listed.js';

export function KeptWhy({
  timeline,
  onChanged,
}: {
  timeline: AnswerOf<'GetSessionTimeline'>;
  onChanged: () => void;
}): ReactNode {
  const { isKeptAsFraud, isKeptWithFraudster, heldRecordingCount = 0, enrolledAs = [] } = timeline;
  return (
    <>
      {timeline.engagement?.verdictInfo?.verdict === 'ENGAGEMENT_VERDICT_AUTHENTIC' ? (
        <StillListed enrolledAs={enrolledAs} sentence={t.outcome.listed.is} onRemoved={onChanged} />
      ) : null}
      {isKeptAsFraud ? <Notice>{t.session.keptAsFraud}</Notice> : null}
      {isKeptWithFraudster ? <Notice>{t.session.keptWithFraudster}</Notice> : null}
      {heldRecordingCount > 0 ? <Notice>{t.session.keptOnHold(heldRecordingCount)}</Notice> : null}
    </>
  );
}
