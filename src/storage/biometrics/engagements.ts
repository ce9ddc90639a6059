// Engagements and the analyst's verdicts on them.
import { sql, type SqlBool } from 'kysely';
import type { Engagement, Verdict } from '../../biometrics/model/sessions.js';
import type { ChangePosition } from '../../biometrics/ports/page.js';
import type { EngagementRepository } from '../../biometrics/ports/sessions.js';
import { flag, fromJson, isSet, namedInTenant, readTimes, storedTimes } from '../columns.js';
import { locksRows, type Db } from '../database.js';
import type { EngagementsTable } from '../schema/biometrics.js';
import type { Keyring, TenantSealer } from '../sealing/keyring.js';
import { modifiedBehind } from './page.js';
import { reassess } from './reassess.js';
import { openTexts, sealTexts, sealerForTexts } from './texts.js';

type Document = Pick<
  Engagement,
  'analystId' | 'configsetId' | 'decision' | 'customData' | 'completedAtMs' | 'isErased'
> & {
  verdict?: { amount?: string };
};

/** Spelled as in the index `engagements_noted`: somebody wrote something down. */
const hasTexts = sql<SqlBool>`length(texts) > 0`;

export function engagementRepository(db: Db, keyring: Keyring): EngagementRepository {
  const toRow = (engagement: Engagement): Promise<EngagementsTable> =>
    rowOf(engagement, () => keyring.forTenant(db, engagement.gkScopeId));
  async function fromRows(gkScopeId: string, rows: readonly EngagementsTable[]): Promise<Engagement[]> {
    const sealer = await sealerForTexts(keyring, db, gkScopeId, rows);
    return rows.map((row) => fromRow(row, sealer));
  }
  const one = (gkScopeId: string) =>
    db.selectFrom('engagements').selectAll().where('gk_scope_id', '=', gkScopeId);
  const noted = (gkScopeId: string) => one(gkScopeId).where(hasTexts);
  const notedBehind = (gkScopeId: string, after: ChangePosition, limit: number) =>
    noted(gkScopeId)
      .where(modifiedBehind('gk_engagement_id', after))
      .orderBy('modified_at')
      .orderBy('gk_engagement_id')
      .limit(limit);
  return {
    async insert(engagement) {
      await db
        .insertInto('engagements')
        .values(await toRow(engagement))
        .execute();
    },
    async find(gkScopeId, gkEngagementId) {
      const query = one(gkScopeId).where('gk_engagement_id', '=', gkEngagementId);
      return (await fromRows(gkScopeId, await (locksRows(db) ? query.forUpdate() : query).execute()))[0];
    },
    async findByExternalId(gkScopeId, engagementId) {
      const rows = await one(gkScopeId)
        .where('engagement_id', '=', engagementId)
        .orderBy('created_at', 'desc')
        .limit(1)
        .execute();
      return (await fromRows(gkScopeId, rows))[0];
    },
    async listByCorrelation(gkScopeId, correlationId, limit) {
      const rows = await one(gkScopeId)
        .where('correlation_id', '=', correlationId)
        .orderBy('created_at', 'desc')
        .orderBy('gk_engagement_id')
        .limit(limit)
        .execute();
      return fromRows(gkScopeId, rows);
    },
    async update(engagement) {
      const { gk_engagement_id, gk_scope_id, ...columns } = await toRow(engagement);
      const before = await db
        .selectFrom('engagements')
        .select('document')
        .where('gk_engagement_id', '=', gk_engagement_id)
        .executeTakeFirst();
      await db
        .updateTable('engagements')
        .set(columns)
        .where('gk_engagement_id', '=', gk_engagement_id)
        .where('gk_scope_id', '=', gk_scope_id)
        .execute();
      const outcome = before && fromJson<{ verdict?: Partial<Verdict> }>(before.document).verdict?.verdict;
      if (outcome !== engagement.verdict?.verdict)
        await reassess(db, gk_scope_id, { engagements: [gk_engagement_id] });
    },
    async isErased(gkEngagementId) {
      const query = db
        .selectFrom('engagements')
        .select('document')
        .where('gk_engagement_id', '=', gkEngagementId);
      const row = await (locksRows(db) ? query.forShare() : query).executeTakeFirst();
      return row !== undefined && fromJson<Document>(row.document).isErased === true;
    },
    async findMany(gkScopeId, gkEngagementIds) {
      if (gkEngagementIds.length === 0) return [];
      const rows = await db
        .selectFrom('engagements')
        .selectAll()
        .where(namedInTenant('gk_scope_id', gkScopeId))
        .where('gk_engagement_id', 'in', [...gkEngagementIds])
        .execute();
      return fromRows(gkScopeId, rows);
    },
    async countNoted(gkScopeId) {
      const row = await noted(gkScopeId)
        .clearSelect()
        .select((select) => select.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },
    async notedChanged(gkScopeId, after, limit) {
      return fromRows(gkScopeId, await notedBehind(gkScopeId, after, limit).execute());
    },
    async notedChangedIds(gkScopeId, after, limit) {
      const query = notedBehind(gkScopeId, after, limit)
        .clearSelect()
        .select(['gk_engagement_id', 'modified_at']);
      return (await query.execute()).map((row) => ({ atMs: row.modified_at, id: row.gk_engagement_id }));
    },
    async touch(gkEngagementId, atMs) {
      await db
        .updateTable('engagements')
        .set({ last_activity_at: atMs })
        .where('gk_engagement_id', '=', gkEngagementId)
        .execute();
    },
    async deleteOlder(gkScopeId, beforeMs, limit) {
      const rows = await one(gkScopeId)
        .where('last_activity_at', '<', beforeMs)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('sessions')
                .select('sessions.gk_session_id')
                .whereRef('sessions.gk_engagement_id', '=', 'engagements.gk_engagement_id'),
            ),
          ),
        )
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('media_segments')
                .select('media_segments.gk_media_segment_id')
                .whereRef('media_segments.gk_scope_id', '=', 'engagements.gk_scope_id')
                .whereRef('media_segments.gk_engagement_id', '=', 'engagements.gk_engagement_id'),
            ),
          ),
        )
        .orderBy('created_at')
        .limit(limit)
        .execute();
      if (rows.length === 0) return 0;
      const ids = rows.map((row) => row.gk_engagement_id);
      await db
        .deleteFrom('engagements')
        .where(namedInTenant('gk_scope_id', gkScopeId))
        .where('gk_engagement_id', 'in', ids)
        .execute();
      return ids.length;
    },
  };
}

async function rowOf(
  engagement: Engagement,
  sealerOf: () => Promise<TenantSealer>,
): Promise<EngagementsTable> {
  const { analystId, configsetId, decision, customData, completedAtMs, isErased, verdict } = engagement;
  const { amount, ...plainVerdict } = verdict ?? {};
  const document = {
    analystId,
    configsetId,
    decision,
    customData,
    completedAt: completedAtMs,
    isErased,
    verdict: verdict && {
      ...storedTimes(plainVerdict, 'at'),
      ...(amount !== undefined && { amount: amount.toString() }),
    },
  };
  return {
    gk_engagement_id: engagement.gkEngagementId,
    gk_scope_id: engagement.gkScopeId,
    engagement_id: engagement.engagementId,
    correlation_id: engagement.correlationId,
    is_active: flag(engagement.isActive),
    ...(await sealTexts(sealerOf, { table: 'engagements', id: engagement.gkEngagementId }, { document })),
    created_at: engagement.createdAtMs,
    modified_at: engagement.modifiedAtMs,
    last_activity_at: engagement.lastActivityAtMs,
  };
}

function fromRow(row: EngagementsTable, sealer: TenantSealer | undefined): Engagement {
  const place = { table: 'engagements', id: row.gk_engagement_id } as const;
  const opened = openTexts<{ document: object }>(sealer, place, row);
  const { verdict, ...document } = readTimes<Document>(opened.document, 'completedAt');
  const { amount, ...plainVerdict } = verdict ?? {};
  return {
    gkEngagementId: row.gk_engagement_id,
    gkScopeId: row.gk_scope_id,
    engagementId: row.engagement_id,
    correlationId: row.correlation_id,
    isActive: isSet(row.is_active),
    createdAtMs: row.created_at,
    modifiedAtMs: row.modified_at,
    lastActivityAtMs: row.last_activity_at,
    ...document,
    ...(verdict && {
      verdict: {
        ...readTimes<Omit<Verdict, 'amount'>>(plainVerdict, 'at'),
        ...(amount !== undefined && { amount: BigInt(amount) }),
      },
    }),
  };
}
