// Evidence holds, and what they mean for a recording: it is on hold by its own mark, by a hold of its own, or by one on a person
// to whom it is linked.
import { sql, type RawBuilder, type Selectable, type SqlBool } from 'kysely';
import type { Hold, HoldRepository } from '../../biometrics/ports/holds.js';
import { namedInTenant, optional, orNull } from '../columns.js';
import type { Db } from '../database.js';
import type { EvidenceHoldsTable } from '../schema/holds.js';
import type { Keyring, TenantSealer } from '../sealing/keyring.js';

/** For queries on `media_segments`. */
export const isOnHold = (): RawBuilder<SqlBool> =>
  sql<SqlBool>`(media_segments.legal_hold = 1
    or exists (select 1 from evidence_holds own
      where own.gk_media_segment_id = media_segments.gk_media_segment_id)
    or exists (select 1 from voice_ties link
      join evidence_holds of_person on of_person.gk_person_id = link.gk_person_id
      where link.gk_media_segment_id = media_segments.gk_media_segment_id))`;

const placeOf = (gkHoldId: string): string => `evidence_holds/reason/${gkHoldId}`;

export function holdRepository(db: Db, keyring: Keyring): HoldRepository {
  const fromRow = (row: Selectable<EvidenceHoldsTable>, sealer: TenantSealer): Hold => ({
    gkHoldId: row.gk_hold_id,
    gkScopeId: row.gk_scope_id,
    ...optional('gkPersonId', row.gk_person_id),
    ...optional('gkMediaSegmentId', row.gk_media_segment_id),
    reason: new TextDecoder().decode(sealer.open(row.reason, placeOf(row.gk_hold_id))),
    actor: { subject: row.actor_subject, issuer: row.actor_issuer },
    placedAtMs: Number(row.placed_at),
    ...optional('endsAtMs', row.ends_at === null ? null : Number(row.ends_at)),
  });
  const fromRows = (rows: readonly Selectable<EvidenceHoldsTable>[]): Promise<Hold[]> =>
    Promise.all(rows.map(async (row) => fromRow(row, await keyring.forTenant(db, row.gk_scope_id))));
  const all = () => db.selectFrom('evidence_holds').selectAll();
  return {
    async insert(hold) {
      const sealer = await keyring.forTenant(db, hold.gkScopeId);
      await db
        .insertInto('evidence_holds')
        .values({
          gk_hold_id: hold.gkHoldId,
          gk_scope_id: hold.gkScopeId,
          gk_person_id: orNull(hold.gkPersonId),
          gk_media_segment_id: orNull(hold.gkMediaSegmentId),
          reason: sealer.seal(new TextEncoder().encode(hold.reason), placeOf(hold.gkHoldId)),
          actor_subject: hold.actor.subject,
          actor_issuer: hold.actor.issuer,
          placed_at: hold.placedAtMs,
          ends_at: orNull(hold.endsAtMs),
        })
        .execute();
    },
    async find(gkScopeId, gkHoldId) {
      const rows = await all()
        .where('gk_hold_id', '=', gkHoldId)
        .where(namedInTenant('gk_scope_id', gkScopeId))
        .execute();
      return (await fromRows(rows))[0];
    },
    async list(gkScopeId, gkPersonId, limit) {
      const theirs = db
        .selectFrom('voice_ties')
        .select('gk_media_segment_id')
        .where('gk_person_id', '=', gkPersonId ?? '');
      const rows = await all()
        .where('gk_scope_id', '=', gkScopeId)
        .$if(gkPersonId !== undefined, (query) =>
          query.where((where) =>
            where.or([
              where('gk_person_id', '=', gkPersonId ?? ''),
              where('gk_media_segment_id', 'in', theirs),
            ]),
          ),
        )
        .orderBy('placed_at', 'desc')
        .orderBy('gk_hold_id')
        .limit(limit)
        .execute();
      return fromRows(rows);
    },
    async count(gkScopeId) {
      const row = await db
        .selectFrom('evidence_holds')
        .select((select) => select.fn.countAll<number>().as('count'))
        .where('gk_scope_id', '=', gkScopeId)
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },
    async listEnded(beforeMs, limit) {
      const rows = await all().where('ends_at', '<=', beforeMs).orderBy('ends_at').limit(limit).execute();
      return fromRows(rows);
    },
    async delete(gkScopeId, gkHoldId) {
      const { numDeletedRows } = await db
        .deleteFrom('evidence_holds')
        .where('gk_hold_id', '=', gkHoldId)
        .where(namedInTenant('gk_scope_id', gkScopeId))
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}
