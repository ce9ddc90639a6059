// Rows of live calls, and of what nodes know and ask about each other's.

export interface LiveHandoversTable {
  token_hash: string;
  gk_scope_id: string;
  external_hash: string;
  expires_at: number;
  state: Uint8Array;
}

export interface LiveOutcomesTable {
  live_call_id: string;
  gk_scope_id: string;
  expires_at: number;
  info: Uint8Array;
  /** Null in rows of earlier versions. */
  gk_session_id: string | null;
}

/** A live call that is prepared or running on some node; `sealed` is the purpose of a prepared one. */
export interface LiveCallsTable {
  live_call_id: string;
  gk_scope_id: string;
  stage: string;
  node_id: string;
  token_hash: string;
  external_hash: string;
  expires_at: number;
  sealed: Uint8Array;
  /** JSON: the session and the prints. Null in rows of earlier versions. */
  asked: string | null;
}

/** A request from one node to another about a call. */
export interface LiveRequestsTable {
  request_id: string;
  live_call_id: string;
  gk_scope_id: string;
  node_id: string;
  expires_at: number;
  asked: Uint8Array;
  answer: Uint8Array | null;
}

export interface LiveAgentTokensTable {
  token_hash: string;
  live_call_id: string;
  gk_scope_id: string;
  expires_at: number;
  caller: Uint8Array;
}
