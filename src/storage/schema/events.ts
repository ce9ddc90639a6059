// Tables of the runtime event log, and of webhooks.

export interface RuntimeEventsTable {
  seq: number;
  at: number;
  type: string;
  app_id: string | null;
  client_id: string | null;
  request_id: string | null;
  gk_scope_id: string | null;
  outcome: string;
  attributes: string;
}

/**
 * One row: the sequence number of the newest event. Its lock puts the batches of all nodes into one order.
 */
interface RuntimeEventHeadTable {
  id: number;
  seq: number;
}

export interface WebhooksTable {
  webhook_id: string;
  gk_scope_id: string;
  enabled: number;
  disabled_reason: string;
  /** Address, description, filter and secrets. */
  sealed: Uint8Array;
  after_seq: number;
  failures: number;
  failing_since: number | null;
  paused_until: number;
  created_at: number;
  modified_at: number;
}

/** Events that a receiver has not accepted. */
export interface WebhookDeliveriesTable {
  webhook_id: string;
  seq: number;
  event_at: number;
  attempts: number;
  first_at: number;
  last_at: number;
  next_at: number;
  dead: number;
  last_fault: string;
}

export interface EventsTables {
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
  runtime_events: RuntimeEventsTable;
  runtime_event_head: RuntimeEventHeadTable;
}
