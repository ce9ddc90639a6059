// Rows of what sessions mean (docs/adr/0092-one-assessment.md).

export interface SessionAssessmentsTable {
  gk_session_id: string;
  gk_scope_id: string;
  gk_engagement_id: string;
  /** The session's. */
  created_at: number;
  headline: string;
  /** As of now. */
  decision: string | null;
  /** 1: it has no decision of its own, or an inherited one. */
  follows_engagement: number;
  /** 0.2.0 changes sessions without assessing them. */
  modified_at: number;
}

/** One row per caveat. */
export interface SessionCaveatsTable {
  gk_session_id: string;
  caveat: string;
  gk_scope_id: string;
  created_at: number;
}

/** What is stored of these sessions may be outdated. */
export interface UnassessedSessionsTable {
  gk_session_id: string;
  gk_scope_id: string;
  created_at: number;
}
