// The queue of events that receivers have not accepted: those waiting for their next attempt, and those given
// up.
import type { Delivery, DeliveryCounts } from '../../events/webhooks/model.js';
import type { QueuedEvent } from '../../events/webhooks/ports.js';
import { flag, isSet } from '../columns.js';
import type { Db, Tx } from '../database.js';
import type { WebhookDeliveriesTable } from '../schema/events.js';

/** Rows per statement, well below the number of parameters that either database accepts. */
const ROWS_AT_ONCE = 500;

interface DeliveryQueue {
  due(webhookId: string, nowMs: number, limit: number): Promise<Delivery[]>;
  counts(webhookId: string): Promise<DeliveryCounts>;
  listDead(webhookId: string, afterSeq: number, limit: number): Promise<Delivery[]>;
  enqueue(webhookId: string, events: readonly QueuedEvent[], nowMs: number): Promise<void>;
  /** Removes it unless it was queued again after it was read. */
  remove(delivery: Delivery): Promise<void>;
  /** Likewise stores it; without `before` it is new, and an event that is already queued stays as it is. */
  put(delivery: Delivery, before: Delivery | undefined): Promise<void>;
  /** Makes waiting deliveries due now. */
  hurry(webhookId: string, nowMs: number): Promise<void>;
  /** Makes waiting deliveries wait at least until then. */
  postpone(webhookId: string, untilMs: number): Promise<void>;
  deleteDead(beforeMs: number): Promise<number>;
}

export function deliveryQueue(db: Db | Tx): DeliveryQueue {
  const ofState = (webhookId: string, isDead: boolean) =>
    db
      .selectFrom('webhook_deliveries')
      .selectAll()
      .where('webhook_id', '=', webhookId)
      .where('dead', '=', flag(isDead));
  /** Moves deliveries that are due before (or after) this time to this time. */
  async function move(webhookId: string, side: '<' | '>', atMs: number): Promise<void> {
    await db
      .updateTable('webhook_deliveries')
      .set({ next_at: atMs })
      .where('webhook_id', '=', webhookId)
      .where('dead', '=', 0)
      .where('next_at', side, atMs)
      .execute();
  }
  return {
    async due(webhookId, nowMs, limit) {
      const rows = await ofState(webhookId, false)
        .where('next_at', '<=', nowMs)
        .orderBy('next_at')
        .orderBy('seq')
        .limit(limit)
        .execute();
      return rows.map(fromRow);
    },
    async counts(webhookId) {
      const rows = await db
        .selectFrom('webhook_deliveries')
        .select(['dead', (select) => select.fn.countAll<number>().as('count')])
        .where('webhook_id', '=', webhookId)
        .groupBy('dead')
        .execute();
      const count = (isDead: boolean): number =>
        Number(rows.find(({ dead }) => isSet(dead) === isDead)?.count ?? 0);
      return { waiting: count(false), dead: count(true) };
    },
    async listDead(webhookId, afterSeq, limit) {
      const rows = await ofState(webhookId, true)
        .where('seq', '>', afterSeq)
        .orderBy('seq')
        .limit(limit)
        .execute();
      return rows.map(fromRow);
    },
    async enqueue(webhookId, events, nowMs) {
      for (let at = 0; at < events.length; at += ROWS_AT_ONCE) {
        const again = {
          attempts: 0,
          first_at: nowMs,
          last_at: nowMs,
          next_at: nowMs,
          dead: 0,
          last_fault: '',
        };
        const rows = events
          .slice(at, at + ROWS_AT_ONCE)
          .map(({ seq, atMs }) => ({ webhook_id: webhookId, seq, event_at: atMs, ...again }));
        await db
          .insertInto('webhook_deliveries')
          .values(rows)
          .onConflict((conflict) => conflict.columns(['webhook_id', 'seq']).doUpdateSet(again))
          .execute();
      }
    },
    async remove({ webhookId, seq, attempts, nextAtMs }) {
      await db
        .deleteFrom('webhook_deliveries')
        .where('webhook_id', '=', webhookId)
        .where('seq', '=', seq)
        .where('attempts', '=', attempts)
        .where('next_at', '=', nextAtMs)
        .execute();
    },
    async put(delivery, before) {
      const row = toRow(delivery);
      if (!before) {
        await db
          .insertInto('webhook_deliveries')
          .values(row)
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        return;
      }
      await db
        .updateTable('webhook_deliveries')
        .set(row)
        .where('webhook_id', '=', before.webhookId)
        .where('seq', '=', before.seq)
        .where('attempts', '=', before.attempts)
        .where('next_at', '=', before.nextAtMs)
        .execute();
    },
    hurry: (webhookId, nowMs) => move(webhookId, '>', nowMs),
    postpone: (webhookId, untilMs) => move(webhookId, '<', untilMs),
    async deleteDead(beforeMs) {
      const { numDeletedRows } = await db
        .deleteFrom('webhook_deliveries')
        .where('dead', '=', 1)
        .where('last_at', '<', beforeMs)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

function toRow(delivery: Delivery): WebhookDeliveriesTable {
  return {
    webhook_id: delivery.webhookId,
    seq: delivery.seq,
    event_at: delivery.eventAtMs,
    attempts: delivery.attempts,
    first_at: delivery.firstAtMs,
    last_at: delivery.lastAtMs,
    next_at: delivery.nextAtMs,
    dead: flag(delivery.isDead),
    last_fault: delivery.lastFault,
  };
}

function fromRow(row: WebhookDeliveriesTable): Delivery {
  return {
    webhookId: row.webhook_id,
    seq: row.seq,
    eventAtMs: row.event_at,
    attempts: row.attempts,
    firstAtMs: row.first_at,
    lastAtMs: row.last_at,
    nextAtMs: row.next_at,
    isDead: isSet(row.dead),
    lastFault: row.last_fault,
  };
}
