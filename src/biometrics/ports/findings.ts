// What became known about calls afterwards: by searches through stored calls, by somebody who made a fraudster from one, and
// by checks of their recordings in other sessions.
import type { CallFinding, EnrolledFrom, LaterFinding } from '../model/findings.js';

/** With the speech in which it was found. */
export interface HeardFinding extends CallFinding {
  gkProcessedAudioId: string;
}

export interface FindingRepository {
  /** For each call and fraudster, the first finding counts. Nothing is recorded about speech that was deleted. */
  note(findings: readonly HeardFinding[]): Promise<void>;
  /** Oldest first. */
  listOf(gkScopeId: string, gkSessionId: string): Promise<CallFinding[]>;
  /**
   * What was found in each of these calls after it, each fraudster and each kind of attack once, by the check
   * or search that found them first; calls without findings are left out.
   */
  laterIn(gkScopeId: string, gkSessionIds: readonly string[]): Promise<Map<string, LaterFinding[]>>;
  /**
   * The fraudsters whose print was made from each of these calls afterwards, in any way except by enrolling in
   * the call itself; calls without any are left out.
   */
  madeFrom(gkScopeId: string, gkSessionIds: readonly string[]): Promise<Map<string, string[]>>;
  /**
   * The fraudsters whose print now contains speech of an engagement, however it was enrolled; oldest first.
   */
  enrolledFrom(gkScopeId: string, gkEngagementId: string): Promise<EnrolledFrom[]>;
  /** Except whose print was made from it, while that print exists: it says something about the fraudster and about nobody else. */
  forgetSession(gkSessionId: string): Promise<void>;
}
