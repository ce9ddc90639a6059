// A decision as a coloured word.
import type { ReactNode } from 'react';
import { Badge } from '../../kit/layout.js';
import { decisionWord } from './advice.js';

export function DecisionBadge({ decision }: { decision: string | undefined }): ReactNode {
  const { word, tone } = decisionWord(decision);
  return <Badge tone={tone}>{word}</Badge>;
}

/** Of a whole session: one that only collected takes has decided nothing about anybody. */
export function SessionDecision({
  session,
}: {
  session: { sessionIntent?: string; riskInfo?: { decision?: string } } | undefined;
}): ReactNode {
  const decision = session?.riskInfo?.decision;
  const isOpen = decision === undefined || decision === 'DECISION_UNCERTAIN';
  if (session?.sessionIntent === 'SESSION_INTENT_ENROLLMENT' && isOpen) return <Badge>Enrollment</Badge>;
  return <DecisionBadge decision={decision} />;
}
