// Tables of the answers that are kept for repeated calls.

interface KeptAnswersTable {
  /** Digest of the client and its key. */
  id: string;
  created_at: number;
  sealed: Uint8Array;
}

/**
 * What a kept answer is about, by our own IDs: persons, prints, sessions, recordings, and anything else that
 * it or its request names.
 */
interface KeptAnswerNamesTable {
  named_id: string;
  answer_id: string;
  /** Time of the answer. */
  created_at: number;
}

export interface IdempotencyTables {
  kept_answers: KeptAnswersTable;
  kept_answer_names: KeptAnswerNamesTable;
}
