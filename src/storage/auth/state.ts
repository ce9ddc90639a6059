// Signing keys, changes for other nodes, one-time values, notes of servers and settings of the authorization server in the database.
import type { Change, ChangeKind, PublicJwk, SigningAlgorithm } from '../../auth/model.js';
import type {
  AuthSettingsRows,
  Changes,
  OneTimeValues,
  RateRows,
  ServerNotes,
  SigningKeyRows,
} from '../../auth/ports.js';
import { fromJson, orNull, orUndefined, toJson } from '../columns.js';
import type { Db, Tx } from '../database.js';
import type { AuthChangesTable } from '../schema/auth.js';

export function signingKeysIn(db: Db | Tx): SigningKeyRows {
  return {
    async list() {
      const rows = await db
        .selectFrom('auth_signing_keys')
        .selectAll()
        .orderBy('active_from')
        .orderBy('kid')
        .execute();
      return rows.map((row) => ({
        kid: row.kid,
        algorithm: row.algorithm as SigningAlgorithm,
        publicJwk: fromJson<PublicJwk>(row.public_jwk),
        sealedPrivateKey: row.sealed_private_key,
        createdAtMs: row.created_at,
        activeFromMs: row.active_from,
        expiresAtMs: orUndefined(row.expires_at),
      }));
    },
    async insert(key) {
      await db
        .insertInto('auth_signing_keys')
        .values({
          kid: key.kid,
          algorithm: key.algorithm,
          public_jwk: toJson(key.publicJwk),
          sealed_private_key: key.sealedPrivateKey,
          created_at: key.createdAtMs,
          active_from: key.activeFromMs,
          expires_at: orNull(key.expiresAtMs),
        })
        .execute();
    },
    async setExpiry(kid, expiresAtMs) {
      await db
        .updateTable('auth_signing_keys')
        .set({ expires_at: expiresAtMs })
        .where('kid', '=', kid)
        .execute();
    },
    async deleteExpired(nowMs) {
      await db.deleteFrom('auth_signing_keys').where('expires_at', '<=', nowMs).execute();
    },
  };
}

export function changesIn(db: Db | Tx): Changes {
  return {
    async get(kind, key) {
      const query = db.selectFrom('auth_changes').selectAll().where('kind', '=', kind).where('key', '=', key);
      const row = await query.forUpdate().executeTakeFirst();
      return row && toChange(row);
    },
    async put(change) {
      const { kind, key, version } = change;
      const rest = {
        version,
        valid_after: change.validAfterMs,
        changed_at: change.changedAtMs,
        expires_at: change.expiresAtMs,
      };
      await db
        .insertInto('auth_changes')
        .values({ kind, key, ...rest })
        .onConflict((c) => c.columns(['kind', 'key']).doUpdateSet(rest))
        .execute();
    },
    async since(changedAtMs) {
      const query = db.selectFrom('auth_changes').selectAll().where('changed_at', '>=', changedAtMs);
      return (await query.orderBy('changed_at').execute()).map(toChange);
    },
    async deleteExpired(nowMs) {
      await db.deleteFrom('auth_changes').where('expires_at', '<=', nowMs).execute();
    },
  };
}

function toChange(row: AuthChangesTable): Change {
  return {
    kind: row.kind as ChangeKind,
    key: row.key,
    validAfterMs: row.valid_after,
    version: row.version,
    changedAtMs: row.changed_at,
    expiresAtMs: row.expires_at,
  };
}

export function oneTimeValuesIn(db: Db | Tx): OneTimeValues {
  return {
    async remember(key, expiresAtMs) {
      const inserted = await db
        .insertInto('auth_one_time')
        .values({ key, expires_at: expiresAtMs })
        .onConflict((c) => c.column('key').doNothing())
        .returning('key')
        .executeTakeFirst();
      return inserted !== undefined;
    },
    async deleteExpired(nowMs) {
      await db.deleteFrom('auth_one_time').where('expires_at', '<=', nowMs).execute();
    },
  };
}

/** Sorted by key, so that two nodes never wait for each other's rows. */
function rateRows(
  values: ReadonlyMap<string, number>,
  nowMs: number,
): { key: string; taken: number; updated_at: number }[] {
  return [...values]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, taken]) => ({ key, taken, updated_at: nowMs }));
}

/** Key of a row whose `taken` is the time at which the limit is full again; no limit has a name like it. */
const wholeKey = (key: string): string => `whole-at ${key}`;

export function ratesIn(db: Db | Tx): RateRows {
  return {
    async add(taken, nowMs) {
      const rows = rateRows(taken, nowMs);
      if (rows.length === 0) return new Map();
      const totals = await db
        .insertInto('auth_rates')
        .values(rows)
        .onConflict((c) =>
          c.column('key').doUpdateSet((eb) => ({
            taken: eb('auth_rates.taken', '+', eb.ref('excluded.taken')),
            updated_at: nowMs,
          })),
        )
        .returning(['key', 'taken'])
        .execute();
      return new Map(totals.map((row) => [row.key, row.taken]));
    },
    async putOff(byMs, nowMs) {
      const moments = new Map([...byMs].map(([key, ms]) => [wholeKey(key), nowMs + Math.round(ms)]));
      if (moments.size === 0) return;
      await db
        .insertInto('auth_rates')
        .values(rateRows(moments, nowMs))
        .onConflict((c) =>
          c.column('key').doUpdateSet((eb) => ({
            taken: eb(
              'excluded.taken',
              '+',
              eb
                .case()
                .when('auth_rates.taken', '>', nowMs)
                .then(eb('auth_rates.taken', '-', nowMs))
                .else(0)
                .end(),
            ),
            updated_at: nowMs,
          })),
        )
        .execute();
    },
    async wholeAtMs(key) {
      const row = await db
        .selectFrom('auth_rates')
        .select('taken')
        .where('key', '=', wholeKey(key))
        .executeTakeFirst();
      return row?.taken;
    },
    async deleteIdle(beforeMs) {
      await db.deleteFrom('auth_rates').where('updated_at', '<', beforeMs).execute();
    },
  };
}

const SERVER_PREFIX = 'token-server.';

/** Kept among the small values of the installation. */
export function serverNotesIn(db: Db | Tx): ServerNotes {
  return {
    async write(serverId, note) {
      await db
        .insertInto('settings')
        .values({ name: SERVER_PREFIX + serverId, value: note })
        .onConflict((c) => c.column('name').doUpdateSet({ value: note }))
        .execute();
    },
    async list() {
      const rows = await db
        .selectFrom('settings')
        .select(['name', 'value'])
        .where('name', 'like', `${SERVER_PREFIX}%`)
        .execute();
      return rows.map(({ name, value }) => ({ serverId: name.slice(SERVER_PREFIX.length), note: value }));
    },
    async remove(serverId) {
      await db
        .deleteFrom('settings')
        .where('name', '=', SERVER_PREFIX + serverId)
        .execute();
    },
  };
}

/** Rows of the installation's settings table, under a prefix of their own. */
export function authSettingsIn(db: Db | Tx): AuthSettingsRows {
  const named = (name: string): string => `auth.${name}`;
  return {
    async get(name) {
      const row = await db
        .selectFrom('settings')
        .select('value')
        .where('name', '=', named(name))
        .executeTakeFirst();
      return row?.value;
    },
    async set(name, value) {
      await db
        .insertInto('settings')
        .values({ name: named(name), value })
        .onConflict((c) => c.column('name').doUpdateSet({ value }))
        .execute();
    },
    async delete(name) {
      await db.deleteFrom('settings').where('name', '=', named(name)).execute();
    },
  };
}
