// A webhook: where the events of a tenant are sent, which of them, how far it has come, and how its receiver does.

export interface WebhookSecret {
  /** As Standard Webhooks writes them: whsec_ and base64. */
  value: string;
  /** Of one that is being replaced. */
  endsAtMs?: number;
}

/** What its owner decides. */
export interface WebhookSettings {
  url: string;
  description: string;
  /** Filter; empty lets everything through. */
  types: readonly string[];
  isEnabled: boolean;
}

export interface Webhook extends WebhookSettings {
  webhookId: string;
  gkScopeId: string;
  /** Why the server has switched it off by itself; empty otherwise. */
  disabledReason: string;
  /** The newest first. */
  secrets: readonly WebhookSecret[];
  progress: Progress;
  createdAtMs: number;
  modifiedAtMs: number;
}

/** What the sender writes, apart from what the owner writes: neither overwrites the other. */
export interface Progress {
  /** Place of the last event that was attempted or that the filter left out. */
  afterSeq: number;
  /** Times in a row that new events were not taken. */
  failures: number;
  failingSinceMs?: number;
  /** No new events before this. */
  pausedUntilMs: number;
}

/** An event that the receiver has not taken yet. What was taken leaves no trace but the place. */
export interface Delivery {
  webhookId: string;
  seq: number;
  /** When it happened. */
  eventAtMs: number;
  attempts: number;
  /** Of the first attempt, or of the wish to have it again. */
  firstAtMs: number;
  lastAtMs: number;
  nextAtMs: number;
  /** Given up: nothing is attempted any more. */
  isDead: boolean;
  lastFault: string;
}

export interface DeliveryCounts {
  waiting: number;
  dead: number;
}
