// What the agent in a live call says about the caller is recorded in the audit trail; it changes no decision.
import type { Call } from '../../platform.js';
import { audit } from '../call/audit.js';
import type { OperationDeps } from './deps.js';

export type AgentWord = 'CONFIRMED' | 'DENIED';

interface AnsweredCall {
  gkScopeId: string;
  gkEngagementId: string;
  gkSessionId: string;
  liveCallId: string;
  /** What had been decided by then. */
  state: string;
}

export async function recordAgentWord(
  { store }: OperationDeps,
  call: Call,
  { gkScopeId, gkEngagementId, gkSessionId, liveCallId, state }: AnsweredCall,
  word: AgentWord,
): Promise<void> {
  await store.transaction((tx) =>
    audit(tx, call, {
      type: 'SESSION_EVENT',
      operation: 'ConfirmOrDenyCaller',
      gkScopeId,
      gkEngagementId,
      gkSessionId,
      detail: { liveCallId, word, state },
    }),
  );
}
