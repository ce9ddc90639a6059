// Comparisons of a voice with persons, as far as they say who called.

/** How a comparison ended, and all those with one person together. */
export type End = 'MATCHED' | 'NO_MATCH' | 'UNDECIDED';

/** How it went with the person claimed. */
export type ClaimEnd = End | 'NOT_COMPARED';

/** Which channel of a recording was heard, where somebody has said whose they are, or there are several. */
export interface HeardChannel {
  /** From 1; 0: all of them as one. */
  heard: number;
  of: number;
  /** Those on which the caller speaks; absent where nobody has said whose they are. */
  callers?: readonly number[];
  /** Of some of them nobody has said whose they are; these may be a caller's. */
  isPartlyNamed?: boolean;
}

/** The voice was compared with somebody's. */
export interface ComparedVoice {
  /** With a single print: whose it is; among several: who was recognized, if anybody was. Empty where that is not known any more. */
  person: string;
  /** With a single print. */
  isOne: boolean;
  end: End;
  /** Among several: whether the person claimed was one of them; absent where that was not noted. */
  hasClaimed?: boolean;
  channel?: HeardChannel | undefined;
}
