// Rows of the marks beside the decisions of sessions: what has changed, whose marks are due, and the marks
// themselves.

/** Written by the database itself, with each change to data that marks depend on (migration 56). */
export interface MarkChangesTable {
  change_id: string;
  gk_scope_id: string;
  gk_session_id: string | null;
  /** Sessions of this engagement without a decision of their own are affected. */
  gk_engagement_id: string | null;
  gk_processed_audio_id: string | null;
  gk_media_segment_id: string | null;
  /** The owner of this print changed. */
  gk_voiceprint_profile_id: string | null;
  configset_key: string | null;
}

/** Sessions whose marks are to be worked out. */
export interface MarksDueTable {
  gk_session_id: string;
  gk_scope_id: string;
  created_at: number;
  /** Replaced with each change: marks that were worked out under an older stamp do not count. */
  stamp: string;
}

/** Sessions that have any marks. */
export interface MarkedSessionsTable {
  gk_session_id: string;
  gk_scope_id: string;
  document: string;
}

/** One row per mark, for finding sessions by mark. */
export interface SessionMarksTable {
  gk_session_id: string;
  mark: string;
  gk_scope_id: string;
  /** The session's. */
  created_at: number;
}
