// The journal of changes to prints and memberships, one sequence per tenant. A change holds the row of the
// counter locked until it commits, so numbers become visible in order and a reader never misses one.
import type { PrintChange, PrintChangeRepository } from '../../biometrics/ports/profiles.js';
import type { Db } from '../database.js';
import { doLast } from '../last-steps.js';
import type { PrintChangesTable } from '../schema/biometrics.js';

/** A reader that has fallen further behind than this reads everything again. */
const KEPT_CHANGES = 50_000;
const PRUNE_EVERY = 1000;

/** Written by the repositories themselves, so that no operation can forget it. */
export function notePrintChange(db: Db, gkScopeId: string, change: PrintChange): Promise<void> {
  return doLast(db, { lock: 'PRINT_STAMP', key: gkScopeId, work: () => writeChange(db, gkScopeId, change) });
}

async function writeChange(db: Db, gkScopeId: string, change: PrintChange): Promise<void> {
  const { seq } = await db
    .insertInto('print_stamps')
    .values({ gk_scope_id: gkScopeId, seq: 1 })
    .onConflict((conflict) =>
      conflict.column('gk_scope_id').doUpdateSet((set) => ({ seq: set('print_stamps.seq', '+', 1) })),
    )
    .returning('seq')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('print_changes')
    .values({ gk_scope_id: gkScopeId, seq, ...toRow(change) })
    .execute();
  if (Number(seq) % PRUNE_EVERY === 0)
    await db
      .deleteFrom('print_changes')
      .where('gk_scope_id', '=', gkScopeId)
      .where('seq', '<=', Number(seq) - KEPT_CHANGES)
      .execute();
}

export function printChangeRepository(db: Db): PrintChangeRepository {
  return {
    async last(gkScopeId) {
      const row = await db
        .selectFrom('print_stamps')
        .select('seq')
        .where('gk_scope_id', '=', gkScopeId)
        .executeTakeFirst();
      return Number(row?.seq ?? 0);
    },
    async since(gkScopeId, after, limit) {
      const rows = await db
        .selectFrom('print_changes')
        .selectAll()
        .where('gk_scope_id', '=', gkScopeId)
        .where('seq', '>', after)
        .orderBy('seq')
        .limit(limit)
        .execute();
      // A gap at the start: the changes in between were pruned.
      if (rows[0] && Number(rows[0].seq) !== after + 1) return undefined;
      return rows.map(fromRow);
    },
  };
}

function toRow(change: PrintChange): Pick<PrintChangesTable, 'kind' | 'gk_id' | 'member_gk_id'> {
  switch (change.kind) {
    case 'PRINT':
      return { kind: 'PRINT', gk_id: change.gkVoiceprintProfileId, member_gk_id: '' };
    case 'MEMBER':
      return { kind: 'MEMBER', gk_id: change.collectionGkId, member_gk_id: change.memberGkId };
    case 'ALL':
      return { kind: 'ALL', gk_id: '', member_gk_id: '' };
  }
}

function fromRow({ kind, gk_id, member_gk_id }: PrintChangesTable): PrintChange {
  if (kind === 'PRINT') return { kind, gkVoiceprintProfileId: gk_id };
  if (kind === 'MEMBER') return { kind, collectionGkId: gk_id, memberGkId: member_gk_id };
  return { kind: 'ALL' };
}
