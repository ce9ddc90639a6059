// Rows of what stands beside the decisions of sessions: what has changed, whose marks are due, and the marks.

/** Written by the database itself, with each change of what marks depend on (migration 56). */
export interface MarkChangesTable {
  change_id: string;
  gk_scope_id: string;
  gk_session_id: string | null;
  /** What sessions of it are decided by that have no decision of their own. */
  gk_engagement_id: string | null;
  gk_processed_audio_id: string | null;
  gk_media_segment_id: string | null;
  /** Whose it is. */
  gk_voiceprint_profile_id: string | null;
  configset_key: string | null;
}

/** Sessions whose marks are to be worked out. */
export interface MarksDueTable {
  gk_session_id: string;
  gk_scope_id: string;
  created_at: number;
  /** Another one with each change: what was worked out before it does not count. */
  stamp: string;
}

/** Those that have any. */
export interface MarkedSessionsTable {
  gk_session_id: string;
  gk_scope_id: string;
  document: string;
}

/** What they are found by. */
export interface SessionMarksTable {
  gk_session_id: string;
  mark: string;
  gk_scope_id: string;
  /** Of the session. */
  created_at: number;
}
