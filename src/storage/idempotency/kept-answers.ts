// Answers of calls with an idempotency key, kept for a day. They are sealed: some contain a client's new
// secret.
import type { KeptAnswers } from '../../idempotency/ports.js';
import { DAY_MS, type Clock } from '../../platform.js';
import type { Database, Tx } from '../database.js';
import { type Keyring, SYSTEM_TENANT_KEY } from '../sealing/keyring.js';
import { isUniqueViolation } from '../violations.js';
import { answersOfErased, emptyAnswers, isEmptied, namesErased, placeOfAnswer } from './erased-answers.js';

interface KeptAnswersDeps {
  database: Database;
  keyring: Keyring;
  clock: Clock;
}

/** The fingerprint comes first, then the answer. */
const FINGERPRINT_BYTES = 32;
const ROWS_AT_ONCE = 500;

export function keptAnswers(deps: KeptAnswersDeps): KeptAnswers {
  const { database, keyring, clock } = deps;
  const oldest = (): number => clock.now() - DAY_MS;
  return {
    async find(id) {
      const row = await database.db
        .selectFrom('kept_answers')
        .select('sealed')
        .where('id', '=', id)
        .where('created_at', '>', oldest())
        .executeTakeFirst();
      if (!row) return undefined;
      const sealer = await keyring.forTenant(database.db, SYSTEM_TENANT_KEY);
      const opened = sealer.open(row.sealed, placeOfAnswer(id));
      // Checked here too: a call that ran during an erasure may have stored its answer after the erasure
      // looked for answers.
      if (isEmptied(opened) || (await namesErased(database.db, id))) return 'erased';
      return {
        fingerprint: opened.subarray(0, FINGERPRINT_BYTES),
        answer: opened.subarray(FINGERPRINT_BYTES),
      };
    },
    async keep(id, fingerprint, work) {
      try {
        await database.asOne(work, (tx, { answer, names }) =>
          insert(deps, tx, { id, names, plain: Buffer.concat([fingerprint, answer]) }),
        );
        return true;
      } catch (error) {
        if (error instanceof TakenError) return false;
        throw error;
      }
    },
    async sweep() {
      const { numDeletedRows } = await database.db
        .deleteFrom('kept_answers')
        .where('created_at', '<=', oldest())
        .executeTakeFirst();
      await database.db.deleteFrom('kept_answer_names').where('created_at', '<=', oldest()).execute();
      const ofErased = await answersOfErased(database.db);
      if (ofErased.length > 0) await database.transaction((tx) => emptyAnswers(tx, keyring, ofErased));
      return Number(numDeletedRows);
    },
  };
}

/** Another node has already stored an answer under the same id. */
class TakenError extends Error {}

interface Kept {
  id: string;
  names: ReadonlySet<string>;
  plain: Uint8Array;
}

async function insert(
  { keyring, clock }: KeptAnswersDeps,
  tx: Tx,
  { id, names, plain }: Kept,
): Promise<void> {
  const nowMs = clock.now();
  const sealer = await keyring.forTenant(tx, SYSTEM_TENANT_KEY);
  const outdated = await tx
    .deleteFrom('kept_answers')
    .where('id', '=', id)
    .where('created_at', '<=', nowMs - DAY_MS)
    .executeTakeFirst();
  if (outdated.numDeletedRows > 0n)
    await tx.deleteFrom('kept_answer_names').where('answer_id', '=', id).execute();
  try {
    await tx
      .insertInto('kept_answers')
      .values({ id, created_at: nowMs, sealed: sealer.seal(plain, placeOfAnswer(id)) })
      .execute();
  } catch (error) {
    throw isUniqueViolation(error) ? new TakenError('taken', { cause: error }) : error;
  }
  const rows = [...names].map((named) => ({ named_id: named, answer_id: id, created_at: nowMs }));
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    await tx
      .insertInto('kept_answer_names')
      .values(rows.slice(at, at + ROWS_AT_ONCE))
      .execute();
}
