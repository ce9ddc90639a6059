// Fills the columns of checks that 0.2.0 stored before an upgrade: once, before anything reads them. A batch is one transaction, so nodes of
// 0.2.0 go on working meanwhile. An interrupted run begins anew at the next start and passes over what is filled. What 0.2.0 writes afterwards
// is left to whoever assesses its sessions.
import { sql } from 'kysely';
import type { Database } from '../database.js';
import { readSetting, writeSetting } from '../settings.js';
import { fillFactorColumns } from './factor-columns.js';

const FILLED = 'factors-filled';
const BATCH_ROWS = 2000;

export async function fillFactors(database: Database): Promise<void> {
  const { db, dialect } = database;
  const factors = db.selectFrom('factors').select('factor_id').orderBy('factor_id');
  for (let after = ''; (await readSetting(database, FILLED)) === undefined;) {
    const beyond = factors.where('factor_id', '>', after).offset(BATCH_ROWS - 1);
    const last = await beyond.limit(1).executeTakeFirst();
    const upTo = last ? sql`and factor_id <= ${last.factor_id}` : sql``;
    await fillFactorColumns(db, dialect, sql`decision is null and factor_id > ${after} ${upTo}`);
    if (last) after = last.factor_id;
    else await writeSetting(database, FILLED, 'yes');
  }
}
