// Prompts: random words that a caller is asked to say, and how an answer can fail.

/** A prompt as it is stored until some time after it could be answered. */
export interface Prompt {
  promptId: string;
  gkScopeId: string;
  /** Only this session may answer; absent: any of the tenant. */
  gkSessionId?: string;
  /** Whom the session claimed when the prompt was issued. */
  gkPersonId?: string;
  language: string;
  /** Separated by spaces. */
  words: string;
  issuedAtMs: number;
  expiresAtMs: number;
  usedAtMs?: number;
}

/** Why an answer passes, as it is remembered; the contract only says that its audio is usable. */
export const WORDS_MATCH = 'WORDS_MATCH';
export const PROMPT_PASSED = 'PROMPT_PASSED';

/** Other words were said, or not all of them, or in another order. */
export const WORDS_NO_MATCH = 'WORDS_NO_MATCH';
/** Not the voice of the reference. */
export const VOICE_NO_MATCH = 'VOICE_NO_MATCH';
export const PROMPT_EXPIRED = 'PROMPT_EXPIRED';

/** Why a readable answer fails. */
export type FailedAnswer = typeof WORDS_NO_MATCH | typeof VOICE_NO_MATCH | typeof PROMPT_EXPIRED;

/** Why a prompt cannot be answered by this call at all. */
export type RefusedPrompt =
  | 'PROMPT_UNKNOWN'
  | 'PROMPT_USED'
  | 'PROMPT_OF_OTHER_SESSION'
  | 'PROMPT_OF_OTHER_PERSON';
