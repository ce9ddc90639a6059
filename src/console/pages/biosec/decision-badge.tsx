// A decision as a colored word.
import type { ReactNode } from 'react';
import type { DecisionJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import type { SessionDetailsForReadJson } from '../../../gen/vendor/biosec/v1/sessions/sessions_pb.js';
import { Badge } from '../../kit/layout.js';
import { t } from '../../text/checks.js';
import { decisionWord } from './advice.js';

export function DecisionBadge({ decision }: { decision: DecisionJson | undefined }): ReactNode {
  const { word, tone } = decisionWord(decision);
  return <Badge tone={tone}>{word}</Badge>;
}

/** Of a whole session: one that only collected recordings has decided nothing about anybody. */
export function SessionDecision({ session }: { session: SessionDetailsForReadJson | undefined }): ReactNode {
  const decision = session?.riskInfo?.decision;
  const isOpen = decision === undefined || decision === 'DECISION_UNCERTAIN';
  if (session?.sessionIntent === 'SESSION_INTENT_ENROLLMENT' && isOpen) return <Badge>{t.enrollment}</Badge>;
  return <DecisionBadge decision={decision} />;
}
