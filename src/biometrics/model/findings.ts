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
  /** Absent if it is known only from the audit trail. */
  gkMediaSegmentId?: string;
  /** For an automatic search. */
  gkJobId?: string;
  gkWatchlistId?: string;
  /** The session in which somebody did it. */
  madeInGkSessionId?: string;
  actor: AuditActor;
  requestId?: string;
  createdAtMs: number;
}

/** A fraudster whose print contains speech of an engagement. */
export interface EnrolledFrom {
  gkFraudsterId: string;
  /** It also contains speech of other engagements. */
  hasOthers: boolean;
  /** The sessions of the engagement that it comes from; empty if it was heard live. */
  gkSessionIds: readonly string[];
}

/** What a list says about it. */
export interface LaterFinding {
  kind: FactorKind;
  /** Absent for signs of an attack. */
  gkFraudsterId?: string;
  /** Only searches through stored calls have found this fraudster. */
  isBySearch?: true;
  atMs: number;
}
