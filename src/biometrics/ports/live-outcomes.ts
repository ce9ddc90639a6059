// Stores for a while the state of live calls and how they ended.

export interface LiveOutcome {
  liveCallId: string;
  gkScopeId: string;
  gkSessionId: string;
  expiresAtMs: number;
  /** Events; sealed at rest. */
  info: Uint8Array;
}

export interface LiveOutcomeRepository {
  /** Replaces the previous state of the same call. */
  put(outcome: LiveOutcome): Promise<void>;
  /** Expired ones are not returned. */
  find(liveCallId: string, nowMs: number): Promise<LiveOutcome | undefined>;
  /** The same for several; missing ones are left out. */
  findAll(liveCallIds: readonly string[], nowMs: number): Promise<LiveOutcome[]>;
  /** Removes scores and prints from these calls and those in these sessions; returns how many still had any. */
  forgetScores(
    gkScopeId: string,
    of: { gkSessionIds: readonly string[]; liveCallIds: readonly string[] },
  ): Promise<number>;
  deleteExpired(nowMs: number): Promise<void>;
}
