// The agent's word about the caller in a live call is recorded in the audit trail; it changes no decision.
import type { Call } from '../../platform.js';
import { audit } from '../call/audit.js';
import type { OperationDeps } from './deps.js';

export type AgentWord = 'CONFIRMED' | 'DENIED';

interface AnsweredCall {
  gkScopeId: string;
  gkEngagementId: string;
  gkSessionId: string;
  liveCallId: string;
  /** The decision at that time. */
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
