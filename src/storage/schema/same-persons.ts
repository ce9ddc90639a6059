// Rows of pairs of persons who are one person under two names.

/** The smaller identifier comes first, so that a pair is stored once. */
export interface SamePersonsTable {
  gk_person_id: string;
  gk_other_person_id: string;
  gk_scope_id: string;
  actor_subject: string;
  actor_issuer: string;
  created_at: number;
}
