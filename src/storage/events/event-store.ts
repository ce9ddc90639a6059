// The runtime event log in the database.
import type { RuntimeEvent, StoredEvent, EventType } from '../../events/model.js';
import type { CallQuery, EventStore } from '../../events/ports.js';
import { fromJson, orNull, orUndefined, toJson } from '../columns.js';
import type { Database, Tx } from '../database.js';
import type { RuntimeEventsTable } from '../schema/events.js';

const HEAD_ID = 1;

export function eventStore(database: Database): EventStore {
  const { db } = database;
  return {
    async append(events) {
      if (events.length === 0) return;
      await database.transaction(async (tx) => {
        const before = await lockHead(tx);
        const rows = events.map((event, index) => toRow(event, before + 1 + index));
        await tx.insertInto('runtime_events').values(rows).execute();
        await tx
          .updateTable('runtime_event_head')
          .set({ seq: before + rows.length })
          .where('id', '=', HEAD_ID)
          .execute();
      });
    },
    async read({ appId, types, startMs, endMs, afterSeq, limit }) {
      let query = db.selectFrom('runtime_events').selectAll().where('seq', '>', afterSeq);
      if (appId !== undefined) query = query.where('app_id', '=', appId);
      if (types !== undefined) query = query.where('type', 'in', types);
      if (startMs !== undefined) query = query.where('at', '>=', startMs);
      if (endMs !== undefined) query = query.where('at', '<', endMs);
      return (await query.orderBy('seq').limit(limit).execute()).map(toEvent);
    },
    readCalls: async (asked) => (await callsQuery(db, asked).execute()).map(toEvent),
    async prune({ beforeMs, countMax }) {
      await db.deleteFrom('runtime_events').where('at', '<', beforeMs).execute();
      const head = await db
        .selectFrom('runtime_event_head')
        .select('seq')
        .where('id', '=', HEAD_ID)
        .executeTakeFirst();
      // Places have no gaps, so the count follows from them.
      if (head)
        await db
          .deleteFrom('runtime_events')
          .where('seq', '<=', head.seq - countMax)
          .execute();
    },
    async lastTokenAtMs(clientIds) {
      if (clientIds.length === 0) return new Map();
      const rows = await db
        .selectFrom('runtime_events')
        .select((eb) => ['client_id', eb.fn.max('at').as('at')])
        .where('client_id', 'in', clientIds)
        .where('type', '=', 'token.issued')
        .groupBy('client_id')
        .execute();
      return new Map(rows.map((row) => [row.client_id ?? '', Number(row.at)]));
    },
  };
}

function callsQuery(db: Database['db'], asked: CallQuery) {
  const { appId, clientId, method, isOk, requestId, startMs, endMs, after, limit } = asked;
  let query = db
    .selectFrom('runtime_events')
    .selectAll()
    .where('type', '=', 'call')
    .where('at', '>=', startMs);
  if (appId !== undefined) query = query.where('app_id', '=', appId);
  if (clientId !== undefined) query = query.where('client_id', '=', clientId);
  if (isOk !== undefined) query = query.where('outcome', isOk ? '=' : '!=', 'OK');
  if (requestId !== undefined) query = query.where('request_id', '=', requestId);
  // The names of operations have no characters that mean something here.
  if (method !== undefined) query = query.where('attributes', 'like', `%"method":"${method}"%`);
  if (endMs !== undefined) query = query.where('at', '<', endMs);
  if (after)
    query = query
      .where('at', '<=', after.atMs)
      .where((eb) => eb.or([eb('at', '<', after.atMs), eb('seq', '<', after.seq)]));
  return query.orderBy('at', 'desc').orderBy('seq', 'desc').limit(limit);
}

/** Waits for batches of other nodes: places are given in the order of commit, or a cursor could pass one by. */
async function lockHead(tx: Tx): Promise<number> {
  await tx
    .insertInto('runtime_event_head')
    .values({ id: HEAD_ID, seq: 0 })
    .onConflict((c) => c.column('id').doNothing())
    .execute();
  const query = tx.selectFrom('runtime_event_head').select('seq').where('id', '=', HEAD_ID);
  return (await query.forUpdate().executeTakeFirstOrThrow()).seq;
}

function toRow(event: RuntimeEvent, seq: number): RuntimeEventsTable {
  return {
    seq,
    at: event.atMs,
    type: event.type,
    app_id: orNull(event.appId),
    client_id: orNull(event.clientId),
    request_id: orNull(event.requestId),
    gk_scope_id: orNull(event.gkScopeId),
    outcome: event.outcome,
    attributes: toJson(event.attributes),
  };
}

function toEvent(row: RuntimeEventsTable): StoredEvent {
  return {
    seq: row.seq,
    atMs: row.at,
    type: row.type as EventType,
    appId: orUndefined(row.app_id),
    clientId: orUndefined(row.client_id),
    requestId: orUndefined(row.request_id),
    gkScopeId: orUndefined(row.gk_scope_id),
    outcome: row.outcome,
    attributes: fromJson<Record<string, string>>(row.attributes),
  };
}
