// What the recognizer of prompted words can score, and what it says about an answer.

/** Languages with a recognizer that was measured; the model card has the figures. */
export const promptLanguages = ['en'] as const;
export type PromptLanguage = (typeof promptLanguages)[number];

/** The words of a prompt, by language; a prompt is a sequence of them. Nothing else can be scored. */
export const promptWords: Readonly<Record<PromptLanguage, { readonly digits: readonly string[] }>> = {
  en: { digits: ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'] },
};

/** One expected word. */
export interface WordHeard {
  expected: string;
  /** What was most probably said in its place; absent if it was nothing that the recognizer knows. */
  heard?: string;
  /** Natural-log likelihood ratio: this word against anything else in its place. */
  score: number;
  startMs: number;
  endMs: number;
}

export interface WordsHeard {
  language: PromptLanguage;
  /** Calibrated natural-log likelihood ratio: exactly these words in this order against anything else. */
  score: number;
  /** One per expected word, in order. */
  words: WordHeard[];
  /** The most probable words whatever was expected, separated by spaces. */
  detectedText: string;
  /**
   * Natural-log likelihood ratio: joined from pieces of other recordings against said at once. Absent where
   * it cannot be judged.
   */
  spliceScore?: number;
}
