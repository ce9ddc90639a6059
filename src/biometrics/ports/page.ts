// One page of a long list, as every repository takes it.
export interface Page {
  limit: number;
  /** Opaque position returned with the previous page. */
  after?: string;
}
