// A decision as a coloured word.
import type { ReactNode } from 'react';
import { Badge } from '../../kit/layout.js';
import { decisionWord } from './advice.js';

export function DecisionBadge({ decision }: { decision: string | undefined }): ReactNode {
  const { word, tone } = decisionWord(decision);
  return <Badge tone={tone}>{word}</Badge>;
}
