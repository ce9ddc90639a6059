// The runtime event log in the database.
import { sql, type RawBuilder } from 'kysely';
import type { RuntimeEvent, StoredEvent, EventType } from '../../events/model.js';
import type { CallQuery, EventStore } from '../../events/ports.js';
import { fromJson, orUndefined, toJson } from '../columns.js';
import type { Database, DialectName, Tx } from '../database.js';
import type { RuntimeEventsTable } from '../schema/events.js';

const HEAD_ID = 1;

export function eventStore(database: Database): EventStore {
  const { db } = database;
  return {
    async append(events) {
      if (events.length === 0) return;
      await database.transaction(async (tx) => {
        const before = await lockHead(tx);
        await insertRows[database.dialect](before, toJson(events.map(toRow))).execute(tx);
        await tx
          .updateTable('runtime_event_head')
          .set({ seq: before + events.length })
          .where('id', '=', HEAD_ID)
          .execute();
      });
    },
    async read({ appId, types, fromMs, toMs, afterSeq, limit }) {
      let query = db.selectFrom('runtime_events').selectAll().where('seq', '>', afterSeq);
      if (appId !== undefined) query = query.where('app_id', '=', appId);
      if (types !== undefined) query = query.where('type', 'in', types);
      if (fromMs !== undefined) query = query.where('at', '>=', fromMs);
      if (toMs !== undefined) query = query.where('at', '<', toMs);
      return (await query.orderBy('seq').limit(limit).execute()).map(toEvent);
    },
    readCalls: (asked) => readCalls(database, asked),
    async prune({ beforeMs, countMax }) {
      await db.deleteFrom('runtime_events').where('at', '<', beforeMs).execute();
      const head = await db
        .selectFrom('runtime_event_head')
        .select('seq')
        .where('id', '=', HEAD_ID)
        .executeTakeFirst();
      // Sequence numbers have no gaps, so they give the count.
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

/**
 * Reads each type separately, because only then does the index return them in order; all types together would
 * have to be sorted first.
 */
async function readCalls(database: Database, asked: CallQuery): Promise<StoredEvent[]> {
  const found: StoredEvent[] = [];
  for (const type of asked.types)
    found.push(...(await callsQuery(database, type, asked).execute()).map(toEvent));
  return found.sort((a, b) => b.atMs - a.atMs || b.seq - a.seq).slice(0, asked.limit);
}

const attributeIn: Record<DialectName, (name: string) => RawBuilder<string | null>> = {
  sqlite: (name) => sql`attributes ->> ${name}`,
  postgres: (name) => sql`attributes::json ->> ${name}`,
};

function callsQuery({ db, dialect }: Database, type: EventType, asked: CallQuery) {
  const { appId, clientId, attribute, isOk, requestId, fromMs, toMs, after, limit } = asked;
  let query = db.selectFrom('runtime_events').selectAll().where('type', '=', type).where('at', '>=', fromMs);
  if (appId !== undefined) query = query.where('app_id', '=', appId);
  if (clientId !== undefined) query = query.where('client_id', '=', clientId);
  if (isOk !== undefined) query = query.where('outcome', isOk ? '=' : '!=', 'OK');
  if (requestId !== undefined) query = query.where('request_id', '=', requestId);
  if (attribute) {
    const found = attributeIn[dialect](attribute.name);
    query =
      attribute.value === undefined
        ? query.where(found, 'is', null)
        : query.where(found, '=', attribute.value);
  }
  if (toMs !== undefined) query = query.where('at', '<', toMs);
  if (after)
    query = query
      .where('at', '<=', after.atMs)
      .where((eb) => eb.or([eb('at', '<', after.atMs), eb('seq', '<', after.seq)]));
  return query.orderBy('at', 'desc').orderBy('seq', 'desc').limit(limit);
}

/**
 * Waits for batches of other nodes: sequence numbers must follow the order of commits, or a cursor could skip
 * an event.
 */
async function lockHead(tx: Tx): Promise<number> {
  await tx
    .insertInto('runtime_event_head')
    .values({ id: HEAD_ID, seq: 0 })
    .onConflict((c) => c.column('id').doNothing())
    .execute();
  const query = tx.selectFrom('runtime_event_head').select('seq').where('id', '=', HEAD_ID);
  return (await query.forUpdate().executeTakeFirstOrThrow()).seq;
}

/**
 * Passes all rows as one parameter: the query builder would make an object of every value and a statement as
 * long as the batch, which cost more than all other work for a token's event.
 */
const insertRows: Record<DialectName, (before: number, rows: string) => RawBuilder<unknown>> = {
  // Converted to binary JSON first: otherwise each of the eight values would be searched for in the row's
  // text.
  sqlite: (
    before,
    rows,
  ) => sql`with listed as materialized (select key, jsonb(value) as row from json_each(${rows}))
    insert into runtime_events
    (seq, at, type, app_id, client_id, request_id, gk_scope_id, outcome, attributes)
    select ${before} + 1 + key, row ->> 0, row ->> 1, row ->> 2, row ->> 3, row ->> 4, row ->> 5, row ->> 6, row ->> 7
    from listed`,
  postgres: (before, rows) => sql`insert into runtime_events
    (seq, at, type, app_id, client_id, request_id, gk_scope_id, outcome, attributes)
    select ${before}::bigint + place, (row ->> 0)::bigint, row ->> 1, row ->> 2, row ->> 3, row ->> 4, row ->> 5, row ->> 6, row ->> 7
    from json_array_elements(${rows}::json) with ordinality as listed (row, place)`,
};

/** In the order of the columns above. */
function toRow(event: RuntimeEvent): unknown[] {
  const { atMs, type, appId, clientId, requestId, gkScopeId, outcome, attributes } = event;
  return [atMs, type, appId, clientId, requestId, gkScopeId, outcome, attributes];
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
