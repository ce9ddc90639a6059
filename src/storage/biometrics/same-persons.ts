// Pairs of persons that somebody has declared to be one person under two names.
import type { PersonPair, SamePersonRepository } from '../../biometrics/ports/same-persons.js';
import { namedInTenant } from '../columns.js';
import type { Db } from '../database.js';

/** The smaller identifier comes first. */
function rowOf({ gkPersonId, gkOtherPersonId }: PersonPair) {
  const [one = '', other = ''] = [gkPersonId, gkOtherPersonId].sort();
  return { gk_person_id: one, gk_other_person_id: other };
}

export function samePersonRepository(db: Db): SamePersonRepository {
  return {
    async list(gkScopeId) {
      const rows = await db
        .selectFrom('same_persons')
        .selectAll()
        .where('gk_scope_id', '=', gkScopeId)
        .orderBy('created_at', 'desc')
        .orderBy('gk_person_id')
        .orderBy('gk_other_person_id')
        .execute();
      return rows.map((row) => ({
        gkScopeId,
        gkPersonId: row.gk_person_id,
        gkOtherPersonId: row.gk_other_person_id,
        actor: { subject: row.actor_subject, issuer: row.actor_issuer },
        createdAtMs: row.created_at,
      }));
    },
    async count(gkScopeId) {
      const row = await db
        .selectFrom('same_persons')
        .select((select) => select.fn.countAll<number>().as('count'))
        .where('gk_scope_id', '=', gkScopeId)
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },
    async insert({ gkScopeId, actor, createdAtMs, ...pair }) {
      const { numInsertedOrUpdatedRows = 0n } = await db
        .insertInto('same_persons')
        .values({
          ...rowOf(pair),
          gk_scope_id: gkScopeId,
          actor_subject: actor.subject,
          actor_issuer: actor.issuer,
          created_at: createdAtMs,
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows > 0n;
    },
    async delete(gkScopeId, pair) {
      const row = rowOf(pair);
      const { numDeletedRows } = await db
        .deleteFrom('same_persons')
        .where('gk_person_id', '=', row.gk_person_id)
        .where('gk_other_person_id', '=', row.gk_other_person_id)
        .where(namedInTenant('gk_scope_id', gkScopeId))
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}

/** Deletes all pairs of a person, when the person is deleted. */
export async function forgetSamePersons(db: Db, gkPersonId: string): Promise<void> {
  await db
    .deleteFrom('same_persons')
    .where((where) =>
      where.or([where('gk_person_id', '=', gkPersonId), where('gk_other_person_id', '=', gkPersonId)]),
    )
    .execute();
}
