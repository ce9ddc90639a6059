// Rows of prompts.

export interface LivenessPromptsTable {
  prompt_id: string;
  gk_scope_id: string;
  gk_session_id: string | null;
  gk_person_id: string | null;
  language: string;
  words: string;
  issued_at: number;
  expires_at: number;
  used_at: number | null;
}
