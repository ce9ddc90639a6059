// Stores running calls while they move from a node that shuts down to another one, or to the same one after a restart.

export interface Handover {
  /** Hash of the token with which a connection resumes the call. */
  tokenHash: string;
  gkScopeId: string;
  /** Hash of the telephone system's own ID; empty: none. */
  externalHash: string;
  expiresAtMs: number;
  /** Everything that the next node needs; sealed at rest. */
  state: Uint8Array;
}

export interface HandoverRepository {
  put(handover: Handover): Promise<void>;
  /** Whether there is one: guesses are not worth a transaction. */
  isKept(tokenHash: string): Promise<boolean>;
  /** Each is taken once; expired ones are not returned. */
  takeByToken(tokenHash: string, nowMs: number): Promise<Handover | undefined>;
  takeByExternal(gkScopeId: string, externalHash: string, nowMs: number): Promise<Handover | undefined>;
  deleteExpired(nowMs: number): Promise<void>;
}
