// Table of the answers that are kept for repeated calls.

export interface KeptAnswersTable {
  /** Digest of the client and its key. */
  id: string;
  created_at: number;
  sealed: Uint8Array;
}

export interface IdempotencyTables {
  kept_answers: KeptAnswersTable;
}
