// One page of a long list, as every repository takes it.

/** By the time of creation, or by the own ID where the list has one. */
export type ListOrder = 'newest' | 'oldest' | 'identifier' | 'identifier-reversed';

export interface Page {
  limit: number;
  /** Opaque position returned with the previous page, which must have had the same order. */
  after?: string;
  /** Newest first if absent. */
  order?: ListOrder;
}
