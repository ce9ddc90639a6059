// Why a session, or a recording of it, is still there although a person in it was erased; and a voice on a watchlist although it is genuine.
import type { ReactNode } from 'react';
import type { LaterCheckJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import type { AnswerOf } from '../../../client/contract.js';
import { Notice } from '../../kit/notice.js';
import { t } from '../../text/sessions.js';
import { listedIn, StillListed } from './still-listed.js';

export function KeptWhy({
  timeline,
  later,
}: {
  timeline: AnswerOf<'GetSessionTimeline'>;
  later: readonly LaterCheckJson[];
}): ReactNode {
  const { isKeptAsFraud, isKeptWithFraudster, heldRecordingCount = 0 } = timeline;
  return (
    <>
      {timeline.engagement?.verdictInfo?.verdict === 'ENGAGEMENT_VERDICT_AUTHENTIC' ? (
        <StillListed fraudsters={listedIn(later)} sentence={t.outcome.isListed} />
      ) : null}
      {isKeptAsFraud ? <Notice>{t.session.keptAsFraud}</Notice> : null}
      {isKeptWithFraudster ? <Notice>{t.session.keptWithFraudster}</Notice> : null}
      {heldRecordingCount > 0 ? <Notice>{t.session.keptOnHold(heldRecordingCount)}</Notice> : null}
    </>
  );
}
