// What the keeper of answers asks of the storage.

export interface KeptAnswer {
  /** Of the request that was answered. */
  fingerprint: Uint8Array;
  answer: Uint8Array;
}

export interface KeptAnswers {
  /** Only those that are not older than a day. */
  find(id: string): Promise<KeptAnswer | undefined>;
  /**
   * Does the work and keeps its answer: what the work changes and the answer are durable together or not at all. Work that
   * throws is not remembered. False when somebody else kept an answer meanwhile; then nothing of this work remains.
   */
  keep(id: string, fingerprint: Uint8Array, work: () => Promise<Uint8Array>): Promise<boolean>;
  /** Removes those that are too old; answers how many. */
  sweep(): Promise<number>;
}
