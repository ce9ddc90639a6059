// Live calls that are prepared or running on some node: one row each, so that nodes find each other's calls.
import type {
  PreparedCallKey,
  LiveAsk,
  LiveCallEntry,
  LiveCallRepository,
  LiveStage,
} from '../../biometrics/ports/live-calls.js';
import { fromJson, toJson } from '../columns.js';
import type { Db } from '../database.js';
import type { LiveCallsTable } from '../schema/live-calls.js';
import type { Keyring } from '../sealing/keyring.js';

const place = (liveCallId: string): string => `live_calls/sealed/${liveCallId}`;

export function liveCallRepository(db: Db, keyring: Keyring): LiveCallRepository {
  async function opened(row: LiveCallsTable | undefined): Promise<LiveCallEntry | undefined> {
    if (!row) return undefined;
    const sealer = await keyring.forTenant(db, row.gk_scope_id);
    return {
      liveCallId: row.live_call_id,
      gkScopeId: row.gk_scope_id,
      stage: row.stage as LiveStage,
      nodeId: row.node_id,
      tokenHash: row.token_hash,
      externalHash: row.external_hash,
      expiresAtMs: row.expires_at,
      prepared: sealer.open(row.sealed, place(row.live_call_id)),
      ...(row.asked !== null && { asked: fromJson<LiveAsk>(row.asked) }),
    };
  }

  return {
    ...changes(db, opened),
    async put({ liveCallId, gkScopeId, prepared, ...entry }) {
      const sealer = await keyring.forTenant(db, gkScopeId);
      const values = {
        stage: entry.stage,
        node_id: entry.nodeId,
        token_hash: entry.tokenHash,
        external_hash: entry.externalHash,
        expires_at: entry.expiresAtMs,
        sealed: sealer.seal(prepared, place(liveCallId)),
        asked: entry.asked ? toJson(entry.asked) : null,
      };
      await db
        .insertInto('live_calls')
        .values({ live_call_id: liveCallId, gk_scope_id: gkScopeId, ...values })
        .onConflict((c) => c.column('live_call_id').doUpdateSet(values))
        .execute();
    },
    async find(liveCallId) {
      const query = db.selectFrom('live_calls').selectAll().where('live_call_id', '=', liveCallId);
      return opened(await query.executeTakeFirst());
    },
    async known(liveCallIds) {
      if (liveCallIds.length === 0) return [];
      const rows = await db
        .selectFrom('live_calls')
        .select('live_call_id')
        .where('live_call_id', 'in', [...liveCallIds])
        .execute();
      return rows.map((row) => row.live_call_id);
    },
    async running(gkScopeId) {
      const rows = await db
        .selectFrom('live_calls')
        .select('live_call_id')
        .where('gk_scope_id', '=', gkScopeId)
        .where('stage', '=', 'RUNNING')
        .execute();
      return rows.map((row) => row.live_call_id);
    },
    async runningIn(gkScopeId, gkSessionIds) {
      if (gkSessionIds.length === 0) return [];
      const rows = await db
        .selectFrom('live_outcomes as outcomes')
        .innerJoin('live_calls as calls', 'calls.live_call_id', 'outcomes.live_call_id')
        .select(['calls.live_call_id', 'calls.node_id', 'outcomes.gk_session_id'])
        .where('outcomes.gk_session_id', 'in', [...gkSessionIds])
        .where('calls.gk_scope_id', '=', gkScopeId)
        .where('calls.stage', '=', 'RUNNING')
        .execute();
      return rows.map((row) => ({
        liveCallId: row.live_call_id,
        gkScopeId,
        gkSessionId: row.gk_session_id ?? '',
        nodeId: row.node_id,
      }));
    },
    async naming(gkScopeId, { prints, gkSessionIds }) {
      const rows = await db
        .selectFrom('live_calls')
        .select(['live_call_id', 'token_hash', 'asked'])
        .where('gk_scope_id', '=', gkScopeId)
        .where('asked', 'is not', null)
        .execute();
      const [deleted, over] = [new Set(prints), new Set(gkSessionIds)];
      return rows.flatMap(({ live_call_id: liveCallId, token_hash: tokenHash, asked }) => {
        const ask = fromJson<LiveAsk>(asked ?? '');
        const isNaming = over.has(ask.gkSessionId) || ask.prints.some((print) => deleted.has(print));
        return isNaming ? [{ liveCallId, tokenHash, ...ask }] : [];
      });
    },
    async preparedAs(externalHash, nowMs) {
      const rows = await db
        .selectFrom('live_calls')
        .select(['live_call_id', 'gk_scope_id'])
        .where('external_hash', '=', externalHash)
        .where('stage', '=', 'PREPARED')
        .where('expires_at', '>', nowMs)
        .execute();
      return rows.map((row) => ({ liveCallId: row.live_call_id, gkScopeId: row.gk_scope_id }));
    },
    async canLetIn(which, nowMs) {
      return (await candidates(db, which, nowMs).executeTakeFirst()) !== undefined;
    },
    async countPrepared() {
      const { count } = await db
        .selectFrom('live_calls')
        .select((e) => e.fn.countAll().as('count'))
        .where('stage', '=', 'PREPARED')
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    async findRunning(which) {
      const query = db.selectFrom('live_calls').selectAll().where('stage', '=', 'RUNNING');
      if ('tokenHash' in which)
        return opened(await query.where('token_hash', '=', which.tokenHash).executeTakeFirst());
      const { gkScopeId, externalHash } = which;
      const ofTenant = query.where('gk_scope_id', '=', gkScopeId);
      return opened(
        await ofTenant
          .where('external_hash', '=', externalHash)
          .orderBy('expires_at', 'desc')
          .executeTakeFirst(),
      );
    },
  };
}

type Changes = Pick<
  LiveCallRepository,
  'letIn' | 'putBack' | 'begin' | 'renew' | 'hold' | 'takeExpired' | 'takeOthers' | 'delete' | 'deleteEndedOf'
>;

const stageOf = (row: Pick<LiveCallsTable, 'live_call_id' | 'stage'>) => ({
  liveCallId: row.live_call_id,
  stage: row.stage as LiveStage,
});

/** Each change is one statement that checks the stage, so that only one of two nodes succeeds. */
function changes(
  db: Db,
  opened: (row: LiveCallsTable | undefined) => Promise<LiveCallEntry | undefined>,
): Changes {
  return {
    async letIn(which, nowMs, { nodeId, untilMs }) {
      const row = await db
        .updateTable('live_calls')
        .set({ stage: 'ENTERING', node_id: nodeId, expires_at: untilMs })
        .where('live_call_id', 'in', candidates(db, which, nowMs))
        .where('stage', '=', 'PREPARED')
        .returningAll()
        .executeTakeFirst();
      return opened(row);
    },
    async putBack(liveCallId, nodeId, expiresAtMs) {
      await db
        .updateTable('live_calls')
        .set({ stage: 'PREPARED', node_id: '', expires_at: expiresAtMs })
        .where('live_call_id', '=', liveCallId)
        .where('stage', '=', 'ENTERING')
        .where('node_id', '=', nodeId)
        .execute();
    },
    async begin(liveCallId, nodeId, { tokenHash, untilMs }) {
      const { numUpdatedRows } = await db
        .updateTable('live_calls')
        .set({ stage: 'RUNNING', token_hash: tokenHash, expires_at: untilMs })
        .where('live_call_id', '=', liveCallId)
        .where('stage', '=', 'ENTERING')
        .where('node_id', '=', nodeId)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    async renew(nodeId, untilMs) {
      const { numUpdatedRows } = await db
        .updateTable('live_calls')
        .set({ expires_at: untilMs })
        .where('node_id', '=', nodeId)
        .where('stage', '=', 'RUNNING')
        .executeTakeFirst();
      return Number(numUpdatedRows);
    },
    async takeExpired(nowMs) {
      const rows = await db
        .deleteFrom('live_calls')
        .where('expires_at', '<=', nowMs)
        .returning(['live_call_id', 'stage'])
        .execute();
      return rows.map(stageOf);
    },
    async takeOthers(nodeId) {
      const rows = await db
        .deleteFrom('live_calls')
        .where('node_id', '!=', nodeId)
        .where('stage', 'in', ['RUNNING', 'ENDED'])
        .returning(['live_call_id', 'stage'])
        .execute();
      return rows.map(stageOf);
    },
    async deleteEndedOf(nodeId) {
      await db.deleteFrom('live_calls').where('node_id', '=', nodeId).where('stage', '=', 'ENDED').execute();
    },
    async hold(liveCallId, nodeId, { ended, untilMs }) {
      const { numUpdatedRows } = await db
        .updateTable('live_calls')
        .set({ stage: ended ? 'ENDED' : 'RUNNING', expires_at: untilMs })
        .where('live_call_id', '=', liveCallId)
        .where('node_id', '=', nodeId)
        .where('stage', 'in', ended ? ['RUNNING', 'ENDED'] : ['RUNNING'])
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    async delete(liveCallId, stages) {
      const all = db.deleteFrom('live_calls').where('live_call_id', '=', liveCallId);
      const query = stages ? all.where('stage', 'in', [...stages]) : all;
      return (await query.executeTakeFirst()).numDeletedRows > 0n;
    },
  };
}

function candidates(db: Db, which: PreparedCallKey, nowMs: number) {
  const prepared = db
    .selectFrom('live_calls')
    .select('live_call_id')
    .where('stage', '=', 'PREPARED')
    .where('expires_at', '>', nowMs);
  if ('tokenHash' in which) return prepared.where('token_hash', '=', which.tokenHash).limit(1);
  if ('liveCallId' in which) return prepared.where('live_call_id', '=', which.liveCallId).limit(1);
  const ofTenant = prepared.where('gk_scope_id', '=', which.gkScopeId);
  return ofTenant.where('external_hash', '=', which.externalHash).limit(1);
}
