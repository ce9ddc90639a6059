// Rows of findings about calls, made after the call.

/** Something that became known about a call after it. */
export interface CallFindingsTable {
  gk_session_id: string;
  gk_fraudster_id: string;
  operation: string;
  gk_scope_id: string;
  gk_voiceprint_profile_id: string;
  /** Null in rows that were filled in from the audit trail. */
  gk_media_segment_id: string | null;
  gk_job_id: string | null;
  gk_watchlist_id: string | null;
  made_in_session: string | null;
  actor_subject: string;
  actor_issuer: string;
  request_id: string | null;
  created_at: number;
}
