// What webhooks ask of their store.
import type { AuditAppender } from '../../audit/ports.js';
import type { Delivery, DeliveryCounts, Progress, Webhook } from './model.js';

export interface WebhookRepository {
  find(gkScopeId: string, webhookId: string): Promise<Webhook | undefined>;
  /** Oldest first. */
  list(gkScopeId: string): Promise<Webhook[]>;
  /** Place of the tenant's newest event. */
  newestSeq(gkScopeId: string): Promise<number>;
  insert(webhook: Webhook): Promise<void>;
  /** All but its progress. */
  update(webhook: Webhook): Promise<void>;
  delete(webhookId: string): Promise<void>;
  /** Its owner has seen to it: what failed counts no more, and what waits is tried at once. */
  forgetFailures(webhookId: string, nowMs: number): Promise<void>;
  counts(webhookId: string): Promise<DeliveryCounts>;
  /** Given up, by rising place. */
  listDead(webhookId: string, afterSeq: number, limit: number): Promise<Delivery[]>;
  /** From now on these wait, whether or not they were delivered or given up before. */
  enqueue(webhookId: string, events: readonly QueuedEvent[], nowMs: number): Promise<void>;
}

export interface QueuedEvent {
  seq: number;
  atMs: number;
}

/** What came of one round of attempts. */
export interface RoundResult {
  progress: Progress;
  /** Of the queue, as they were read. */
  delivered: readonly Delivery[];
  /** As they are from now on, and of the queue as they were read. */
  failed: readonly { now: Delivery; before: Delivery | undefined }[];
  /** The receiver is back: what waits need not wait for its time. */
  isBack: boolean;
  /** The receiver asks to be left alone until then: nothing that waits is sent sooner. */
  quietUntilMs?: number;
}

export interface WebhookStore {
  read: WebhookRepository;
  transaction<T>(work: (tx: WebhookRepository & { audit: AuditAppender }) => Promise<T>): Promise<T>;
  /** Those of all tenants that are on and have something to send at this time. */
  withWork(nowMs: number, limit: number): Promise<{ gkScopeId: string; webhookId: string }[]>;
  due(webhookId: string, nowMs: number, limit: number): Promise<Delivery[]>;
  /**
   * All of it or nothing; false where somebody else has moved the place meanwhile. An entry of the queue that was changed
   * after it was read stays as it is.
   */
  commit(webhook: Webhook, result: RoundResult, nowMs: number): Promise<boolean>;
  /** Forgets what was given up before this time. */
  deleteDead(beforeMs: number): Promise<number>;
}
