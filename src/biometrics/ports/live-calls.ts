// What nodes know about each other's live calls: which are prepared and which run where, what one node asks of another, and
// the tokens of agents.

/**
 * `PREPARED`: waiting for its audio. `ENTERING`: admitted, but not yet begun. `RUNNING`: a node listens to it and keeps
 * renewing the entry. `MOVING`: on its way to another node. `ENDED`: over, but still in the memory of its node for a while.
 */
export type LiveStage = 'PREPARED' | 'ENTERING' | 'RUNNING' | 'MOVING' | 'ENDED';

/** The session a call is in and whom it asks for, by which it is found when a person is erased. */
export interface LiveAsk {
  gkEngagementId: string;
  gkSessionId: string;
  /** All prints that it names, for any purpose. */
  prints: readonly string[];
}

export type NamingCall = Pick<LiveCallEntry, 'liveCallId' | 'tokenHash'> & LiveAsk;

export type RunningCall = Pick<LiveCallEntry, 'liveCallId' | 'gkScopeId' | 'nodeId'>;

export interface LiveCallEntry {
  liveCallId: string;
  gkScopeId: string;
  stage: LiveStage;
  /** Empty while it is only prepared. */
  nodeId: string;
  /**
   * Hash of the token that admits a connection: the stream token until the call has begun, then the one to
   * resume with.
   */
  tokenHash: string;
  /** Hash of the telephone system's own ID; empty: none. */
  externalHash: string;
  /** After this time, nobody holds it any longer. */
  expiresAtMs: number;
  /** What a prepared call is for; sealed at rest. */
  prepared: Uint8Array;
  /** Absent in rows written by nodes of an earlier version. */
  asked?: LiveAsk;
}

/** Identifies the prepared call to be admitted. */
export type PreparedCallKey =
  | { tokenHash: string }
  // By the caller's own ID for it.
  | { gkScopeId: string; externalHash: string }
  | { liveCallId: string };

export interface LiveCallRepository {
  /** Replaces an earlier entry of the same call. */
  put(entry: LiveCallEntry): Promise<void>;
  find(liveCallId: string): Promise<LiveCallEntry | undefined>;
  /** Which of these exist. */
  known(liveCallIds: readonly string[]): Promise<string[]>;
  /** Those of a tenant that some node listens to. */
  running(gkScopeId: string): Promise<string[]>;
  /** Those in one of these sessions, and which node listens to them. */
  runningIn(
    gkScopeId: string,
    gkSessionIds: readonly string[],
  ): Promise<(RunningCall & { gkSessionId: string })[]>;
  /** Those of a tenant that name one of the prints, or are in one of the sessions. */
  naming(
    gkScopeId: string,
    of: { prints: readonly string[]; gkSessionIds: readonly string[] },
  ): Promise<NamingCall[]>;
  /** Unexpired prepared calls of any tenant with this ID of the telephone system. */
  preparedAs(externalHash: string, nowMs: number): Promise<{ liveCallId: string; gkScopeId: string }[]>;
  countPrepared(): Promise<number>;
  /** Whether there is one to admit: guesses are not worth a transaction. */
  canLetIn(which: PreparedCallKey, nowMs: number): Promise<boolean>;
  /** Admits a prepared call on this node until the given time. Each is admitted once; undefined if there is none, or if it came too late. */
  letIn(
    which: PreparedCallKey,
    nowMs: number,
    at: { nodeId: string; untilMs: number },
  ): Promise<LiveCallEntry | undefined>;
  /** Undoes `letIn`. */
  putBack(liveCallId: string, nodeId: string, expiresAtMs: number): Promise<void>;
  /** Marks the call as begun and held by this node until the given time. False if it was not admitted there, or has ended in the meantime. */
  begin(liveCallId: string, nodeId: string, held: { tokenHash: string; untilMs: number }): Promise<boolean>;
  /** Renews all calls that the node listens to; returns how many. */
  renew(nodeId: string, untilMs: number): Promise<number>;
  /** Removes calls that other nodes listen to, or have in memory. */
  takeOthers(nodeId: string): Promise<Pick<LiveCallEntry, 'liveCallId' | 'stage'>[]>;
  /**
   * Renews one call that the node listens to or, if it has ended, has in memory. False if the node no longer holds it; if it does,
   * no other node can take it before this transaction ends.
   */
  hold(liveCallId: string, nodeId: string, until: { ended: boolean; untilMs: number }): Promise<boolean>;
  /** Where a running call is, by the token to resume with or by the telephone system's ID. */
  findRunning(
    which: { tokenHash: string } | { gkScopeId: string; externalHash: string },
  ): Promise<LiveCallEntry | undefined>;
  /** Removes entries that nobody holds any longer; each is returned to only one caller. */
  takeExpired(nowMs: number): Promise<Pick<LiveCallEntry, 'liveCallId' | 'stage'>[]>;
  /** All calls that a node has in memory and that are over. */
  deleteEndedOf(nodeId: string): Promise<void>;
  /** True if there was one; `stages`: only in one of these. */
  delete(liveCallId: string, stages?: readonly LiveStage[]): Promise<boolean>;
}

export interface LiveRequest {
  requestId: string;
  liveCallId: string;
  gkScopeId: string;
  /** The node that is asked. */
  nodeId: string;
  expiresAtMs: number;
  /** Sealed at rest, as is the answer. */
  asked: Uint8Array;
}

export interface LiveRequestRepository {
  put(request: LiveRequest): Promise<void>;
  /** Requests that a node has not answered. */
  waitingFor(nodeId: string, nowMs: number): Promise<LiveRequest[]>;
  answer(request: LiveRequest, answer: Uint8Array): Promise<void>;
  /** Undefined while there is none. */
  findAnswer(requestId: string): Promise<Uint8Array | undefined>;
  delete(requestId: string): Promise<void>;
  deleteExpired(nowMs: number): Promise<void>;
}

interface AgentToken {
  tokenHash: string;
  liveCallId: string;
  gkScopeId: string;
  expiresAtMs: number;
  /** The caller on whose behalf it acts; sealed at rest. */
  caller: Uint8Array;
}

export interface AgentTokenRepository {
  put(token: AgentToken): Promise<void>;
  find(tokenHash: string): Promise<AgentToken | undefined>;
  count(): Promise<number>;
  deleteExpired(nowMs: number): Promise<void>;
}
