// What the keeper of answers asks of the storage.

export interface KeptAnswer {
  /** Of the request that was answered. */
  fingerprint: Uint8Array;
  answer: Uint8Array;
}

export interface NewAnswer {
  answer: Uint8Array;
  /** Our own IDs in request and answer: when one of them is of a person who is erased, the answer goes too. */
  names: ReadonlySet<string>;
}

export interface KeptAnswers {
  /** Only those that are not older than a day. `erased`: the call was done, but its answer was about a person who is erased. */
  find(id: string): Promise<KeptAnswer | 'erased' | undefined>;
  /**
   * Does the work and keeps its answer: what the work changes and the answer are durable together or not at all. Work that
   * throws is not remembered. False when somebody else kept an answer meanwhile; then nothing of this work remains.
   */
  keep(id: string, fingerprint: Uint8Array, work: () => Promise<NewAnswer>): Promise<boolean>;
  /** Removes those that are too old; answers how many. Empties those about persons who were erased while they were kept. */
  sweep(): Promise<number>;
}
