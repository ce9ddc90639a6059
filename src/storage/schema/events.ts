// Tables of the runtime event log.

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

/** One row: the place of the newest event. Its lock puts the batches of all nodes into one order. */
export interface RuntimeEventHeadTable {
  id: number;
  seq: number;
}

export interface EventsTables {
  runtime_events: RuntimeEventsTable;
  runtime_event_head: RuntimeEventHeadTable;
}
