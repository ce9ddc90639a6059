// Runtime events: what an application did and how it was answered. They are for the people who run the application;
// the audit trail is another thing, complete and chained. Never in here: secrets, tokens, voice data, names of people.

export type EventType =
  | 'token.issued'
  | 'token.refused'
  | 'token.revoked'
  | 'sign-in.succeeded'
  | 'sign-in.failed'
  | 'bearer.refused'
  /** Somebody answered the question whether an application may act for them. */
  | 'consent.granted'
  | 'consent.denied'
  /** Somebody whom the identity provider no longer lets in lost everything they had open. */
  | 'access.ended'
  /** Unproven callers beyond what the log takes in a minute; how many is in `count`. */
  | 'authentications.suppressed'
  | 'call'
  | 'decision';

export interface RuntimeEvent {
  type: EventType;
  atMs: number;
  /** Environment (application ID) it belongs to; absent when none could be proven, and then only for administrators. */
  appId: string | undefined;
  clientId: string | undefined;
  requestId?: string | undefined;
  /** Tenant that was touched. */
  gkScopeId?: string | undefined;
  /** Status code, OAuth error or decision. */
  outcome: string;
  attributes: Readonly<Record<string, string>>;
}

/** An event in its place: `seq` rises in the order of commit, without gaps, over all nodes. */
export interface StoredEvent extends RuntimeEvent {
  seq: number;
}

/** Fire and forget; never throws and never waits. */
export interface EventSink {
  record(event: RuntimeEvent): void;
}
