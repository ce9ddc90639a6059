// Webhooks in the database. Address, filter and secrets are sealed for the tenant; the sender's state has
// columns of its own, so that sender and owner do not overwrite each other.
import type { AuditAppender } from '../../audit/ports.js';
import type { Webhook, WebhookSecret } from '../../events/webhooks/model.js';
import type { WebhookRepository, WebhookStore } from '../../events/webhooks/ports.js';
import { flag, isSet, optional, orNull, readTimes, storedTimes } from '../columns.js';
import { locksRows, type Database, type Db, type Tx } from '../database.js';
import type { WebhooksTable } from '../schema/events.js';
import { placeOf, type Keyring } from '../sealing/keyring.js';
import { openJson, sealJson } from '../sealing/sealed-json.js';
import { deliveryQueue } from './webhook-deliveries.js';

interface WebhookStoreDeps {
  database: Database;
  keyring: Keyring;
  audit: { within(tx: Tx): AuditAppender };
}

type Sealed = Pick<Webhook, 'url' | 'description' | 'types' | 'secrets'>;

export function webhookStore({ database, keyring, audit }: WebhookStoreDeps): WebhookStore {
  const queue = deliveryQueue(database.db);
  return {
    read: repository(database.db, keyring),
    transaction: (work) =>
      database.transaction((tx) => work({ ...repository(tx, keyring), audit: audit.within(tx) })),
    withWork: (nowMs, limit) => withWork(database, nowMs, limit),
    due: (webhookId, nowMs, limit) => queue.due(webhookId, nowMs, limit),
    deleteDead: (beforeMs) => queue.deleteDead(beforeMs),
    commit: ({ webhookId, progress: before }, { progress, delivered, failed, isBack, quietUntilMs }, nowMs) =>
      database.transaction(async (tx) => {
        const moved = await tx
          .updateTable('webhooks')
          .set({
            after_seq: progress.afterSeq,
            failures: progress.failures,
            failing_since: orNull(progress.failingSinceMs),
            paused_until: progress.pausedUntilMs,
          })
          .where('webhook_id', '=', webhookId)
          .where('after_seq', '=', before.afterSeq)
          .executeTakeFirst();
        if (moved.numUpdatedRows === 0n) return false;
        const waiting = deliveryQueue(tx);
        for (const delivery of delivered) await waiting.remove(delivery);
        for (const { before: queued, now } of failed) await waiting.put(now, queued);
        if (isBack) await waiting.hurry(webhookId, nowMs);
        if (quietUntilMs !== undefined) await waiting.postpone(webhookId, quietUntilMs);
        return true;
      }),
  };
}

/** Deletes the rows of a tenant that is being emptied. */
export async function deleteWebhooks(tx: Tx, gkScopeId: string): Promise<void> {
  const own = tx.selectFrom('webhooks').select('webhook_id').where('gk_scope_id', '=', gkScopeId);
  await tx.deleteFrom('webhook_deliveries').where('webhook_id', 'in', own).execute();
  await tx.deleteFrom('webhooks').where('gk_scope_id', '=', gkScopeId).execute();
}

function withWork({ db }: Database, nowMs: number, limit: number) {
  return db
    .selectFrom('webhooks')
    .leftJoin('audit_heads', 'audit_heads.scope_key', 'webhooks.gk_scope_id')
    .select(['webhooks.webhook_id as webhookId', 'webhooks.gk_scope_id as gkScopeId'])
    .where('webhooks.enabled', '=', 1)
    .where((where) =>
      where.or([
        where.and([
          where('webhooks.paused_until', '<=', nowMs),
          where('audit_heads.seq', '>', where.ref('webhooks.after_seq')),
        ]),
        where.exists(
          where
            .selectFrom('webhook_deliveries')
            .select('webhook_deliveries.seq')
            .whereRef('webhook_deliveries.webhook_id', '=', 'webhooks.webhook_id')
            .where('webhook_deliveries.dead', '=', 0)
            .where('webhook_deliveries.next_at', '<=', nowMs),
        ),
      ]),
    )
    .limit(limit)
    .execute();
}

function repository(db: Db | Tx, keyring: Keyring): WebhookRepository {
  const queue = deliveryQueue(db);

  async function sealedOf(webhook: Webhook): Promise<Uint8Array> {
    const { webhookId, gkScopeId, url, description, types, secrets } = webhook;
    const kept = secrets.map((secret) => storedTimes(secret, 'endsAt'));
    const sealer = await keyring.forTenant(db, gkScopeId);
    return sealJson(sealer, place(webhookId), { url, description, types, secrets: kept });
  }

  async function opened(rows: readonly WebhooksTable[]): Promise<Webhook[]> {
    const [first] = rows;
    if (!first) return [];
    const sealer = await keyring.forTenant(db, first.gk_scope_id);
    return rows.map((row) => fromRow(row, openJson<Sealed>(sealer, place(row.webhook_id), row.sealed)));
  }

  const ofTenant = (gkScopeId: string) =>
    db.selectFrom('webhooks').selectAll().where('gk_scope_id', '=', gkScopeId);

  return {
    async find(gkScopeId, webhookId) {
      const query = ofTenant(gkScopeId).where('webhook_id', '=', webhookId);
      return (await opened(await (locksRows(db) ? query.forUpdate() : query).execute()))[0];
    },
    async list(gkScopeId) {
      return opened(await ofTenant(gkScopeId).orderBy('created_at').orderBy('webhook_id').execute());
    },
    async newestSeq(gkScopeId) {
      const head = await db
        .selectFrom('audit_heads')
        .select('seq')
        .where('scope_key', '=', gkScopeId)
        .executeTakeFirst();
      return head?.seq ?? 0;
    },
    async insert(webhook) {
      const { webhookId, gkScopeId, progress, createdAtMs } = webhook;
      await db
        .insertInto('webhooks')
        .values({
          webhook_id: webhookId,
          gk_scope_id: gkScopeId,
          after_seq: progress.afterSeq,
          failures: progress.failures,
          failing_since: orNull(progress.failingSinceMs),
          paused_until: progress.pausedUntilMs,
          created_at: createdAtMs,
          ...ownColumns(webhook, await sealedOf(webhook)),
        })
        .execute();
    },
    async update(webhook) {
      await db
        .updateTable('webhooks')
        .set(ownColumns(webhook, await sealedOf(webhook)))
        .where('webhook_id', '=', webhook.webhookId)
        .execute();
    },
    async delete(webhookId) {
      for (const table of ['webhook_deliveries', 'webhooks'] as const)
        await db.deleteFrom(table).where('webhook_id', '=', webhookId).execute();
    },
    async forgetFailures(webhookId, nowMs) {
      await db
        .updateTable('webhooks')
        .set({ failures: 0, failing_since: null, paused_until: 0 })
        .where('webhook_id', '=', webhookId)
        .execute();
      await queue.hurry(webhookId, nowMs);
    },
    counts: (webhookId) => queue.counts(webhookId),
    listDead: (webhookId, afterSeq, limit) => queue.listDead(webhookId, afterSeq, limit),
    enqueue: (webhookId, events, nowMs) => queue.enqueue(webhookId, events, nowMs),
  };
}

const place = (webhookId: string): string => placeOf('webhooks', 'sealed', webhookId);

function ownColumns({ isEnabled, disabledReason, modifiedAtMs }: Webhook, sealed: Uint8Array) {
  return { enabled: flag(isEnabled), disabled_reason: disabledReason, sealed, modified_at: modifiedAtMs };
}

function fromRow(row: WebhooksTable, { url, description, types, secrets }: Sealed): Webhook {
  return {
    webhookId: row.webhook_id,
    gkScopeId: row.gk_scope_id,
    url,
    description,
    types,
    secrets: secrets.map((secret) => readTimes<WebhookSecret>(secret, 'endsAt')),
    isEnabled: isSet(row.enabled),
    disabledReason: row.disabled_reason,
    progress: {
      afterSeq: row.after_seq,
      failures: row.failures,
      ...optional('failingSinceMs', row.failing_since),
      pausedUntilMs: row.paused_until,
    },
    createdAtMs: row.created_at,
    modifiedAtMs: row.modified_at,
  };
}
