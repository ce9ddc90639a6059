// A decision as a colored word.
import type { ReactNode } from 'react';
import type { DecisionJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import type { SessionDetailsForReadJson } from '../../../gen/vendor/biosec/v1/sessions/sessions_pb.js';
import { Badge } from '../../kit/layout.js';
import { t } from '../../text/checks.js';
import { t as shell } from '../../text/shell.js';
import { decisionWord } from './advice.js';
import { consoleTypes } from './operations.js';

export function DecisionBadge({ decision }: { decision: DecisionJson | undefined }): ReactNode {
  const { word, tone } = decisionWord(decision);
  return <Badge tone={tone}>{word}</Badge>;
}

/** Of a whole session: one that only collected recordings, or served the work of somebody in the console, has decided nothing. */
export function SessionDecision({ session }: { session: SessionDetailsForReadJson | undefined }): ReactNode {
  const decision = session?.riskInfo?.decision;
  const isOpen = decision === undefined || decision === 'DECISION_UNCERTAIN';
  if (session?.sessionIntent === 'SESSION_INTENT_ENROLLMENT' && isOpen) return <Badge>{t.enrollment}</Badge>;
  if (isOpen && consoleTypes.some((type) => type === session?.sessionType)) return shell.none;
  return <DecisionBadge decision={decision} />;
}
