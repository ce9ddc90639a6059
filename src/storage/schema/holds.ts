// Rows of evidence holds.

export interface EvidenceHoldsTable {
  gk_hold_id: string;
  gk_scope_id: string;
  gk_person_id: string | null;
  gk_media_segment_id: string | null;
  /** Sealed: free text. */
  reason: Uint8Array;
  actor_subject: string;
  actor_issuer: string;
  placed_at: number;
  ends_at: number | null;
}
