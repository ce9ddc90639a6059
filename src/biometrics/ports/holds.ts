// Evidence holds: who wants which recordings kept, why, and until when.
import type { AuditActor } from '../../audit/model.js';

export interface Hold {
  gkHoldId: string;
  gkScopeId: string;
  /** All recordings of this person, also those to come; otherwise one recording. */
  gkPersonId?: string;
  gkMediaSegmentId?: string;
  reason: string;
  actor: AuditActor;
  placedAtMs: number;
  endsAtMs?: number;
}

export interface HoldRepository {
  insert(hold: Hold): Promise<void>;
  find(gkScopeId: string, gkHoldId: string): Promise<Hold | undefined>;
  /** Newest first: those on a person and on their recordings, or all. */
  list(gkScopeId: string, gkPersonId: string | undefined, limit: number): Promise<Hold[]>;
  count(gkScopeId: string): Promise<number>;
  /** Across all tenants, those that end before a time. */
  listEnded(beforeMs: number, limit: number): Promise<Hold[]>;
  /** False if somebody was faster. */
  delete(gkScopeId: string, gkHoldId: string): Promise<boolean>;
}
