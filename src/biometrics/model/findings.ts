// What became known about a call after it had ended.
import type { AuditActor } from '../../audit/model.js';
import type { FactorKind } from './sessions.js';

/** A search through stored calls has found the fraudster in it, or the fraudster's print was made from it. */
export type FindingOperation = 'FindCalls' | 'AddVoiceToWatchlist';

export interface CallFinding {
  gkScopeId: string;
  /** The call. */
  gkSessionId: string;
  gkFraudsterId: string;
  operation: FindingOperation;
  gkVoiceprintProfileId: string;
  /** Absent where it is known from the audit trail alone. */
  gkMediaSegmentId?: string;
  /** Of a search that ran by itself. */
  gkJobId?: string;
  gkWatchlistId?: string;
  /** In which somebody did it. */
  madeInGkSessionId?: string;
  actor: AuditActor;
  requestId?: string;
  createdAtMs: number;
}

/** A fraudster whose print has speech of an engagement in it. */
export interface EnrolledFrom {
  gkFraudsterId: string;
  /** And speech of others. */
  hasOthers: boolean;
  /** The sessions of the engagement that it is from; none where it was heard live. */
  gkSessionIds: readonly string[];
}

/** What a list tells of it. */
export interface LaterFinding {
  kind: FactorKind;
  /** Absent for the signs of an attack. */
  gkFraudsterId?: string;
  atMs: number;
}
