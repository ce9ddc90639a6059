// Where prompts are kept.
import type { Prompt } from '../model/prompts.js';

export interface PromptRepository {
  /** Forgets those of the tenant that nobody will ask about any more. */
  insert(prompt: Prompt, forgetBeforeMs: number): Promise<void>;
  /** Newest first. */
  listByWords(gkScopeId: string, words: string, limit: number): Promise<Prompt[]>;
  /** False if it was used before. */
  use(promptId: string, atMs: number): Promise<boolean>;
  forgetPerson(gkScopeId: string, gkPersonId: string): Promise<void>;
}
