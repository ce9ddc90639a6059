// What the event log asks of its store.
import type { EventType, RuntimeEvent, StoredEvent } from './model.js';

interface EventQuery {
  /** One application ID; absent reads all of them. */
  appId?: string;
  types?: readonly string[];
  fromMs?: number;
  /** Exclusive. */
  toMs?: number;
  afterSeq: number;
  limit: number;
}

/** Requests of clients; members that are absent narrow nothing. */
export interface CallQuery {
  types: readonly EventType[];
  appId?: string;
  clientId?: string;
  /** With this value; without the attribute where it has none. */
  attribute?: { name: string; value: string | undefined };
  isOk?: boolean;
  requestId?: string;
  fromMs: number;
  /** Exclusive. */
  toMs?: number;
  /** Only what comes behind this one, from the newest to the oldest. */
  after?: { atMs: number; seq: number };
  limit: number;
}

export interface EventStore {
  /** All or nothing, in this order. */
  append(events: readonly RuntimeEvent[]): Promise<void>;
  /** By rising seq. */
  read(query: EventQuery): Promise<StoredEvent[]>;
  /** Newest first. */
  readCalls(query: CallQuery): Promise<StoredEvent[]>;
  /** Drops what is older than `beforeMs`, and of the rest what exceeds `countMax`, oldest first. */
  prune(limits: { beforeMs: number; countMax: number }): Promise<void>;
  /** Newest token of each of these clients; clients without one are left out. */
  lastTokenAtMs(clientIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
}
