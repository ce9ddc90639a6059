// One page of a long list, as every repository takes it.

/** By time of creation, or by the own ID if the list has one. */
export type ListOrder = 'newest' | 'oldest' | 'identifier' | 'identifier-reversed';

/**
 * For sessions: the store cannot sort by their contents. Sessions without a value come last, newer ones
 * first.
 */
export type ValueOrder =
  | 'number'
  | 'number-reversed'
  // By the person that the session is about.
  | 'person'
  | 'person-reversed'
  | 'decision'
  | 'decision-reversed';

export interface Page {
  limit: number;
  /** Opaque position returned with the previous page, which must have had the same order. */
  after?: string;
  /** Newest first if absent. */
  order?: ListOrder;
}

/** A place in a list by the time of the last modification. */
export interface ChangePosition {
  atMs: number;
  id: string;
}
