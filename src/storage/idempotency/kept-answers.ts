// Answers of calls with an idempotency key, for a day. They are sealed: some hold a client's new secret.
import type { KeptAnswers } from '../../idempotency/ports.js';
import { DAY_MS, type Clock } from '../../platform.js';
import type { Database, Tx } from '../database.js';
import { type Keyring, placeOf, SYSTEM_TENANT_KEY } from '../sealing/keyring.js';
import { isUniqueViolation } from '../violations.js';

export interface KeptAnswersDeps {
  database: Database;
  keyring: Keyring;
  clock: Clock;
}

/** The fingerprint, then the answer. */
const FINGERPRINT_BYTES = 32;
const place = (id: string): string => placeOf('kept_answers', 'sealed', id);

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
      const opened = sealer.open(row.sealed, place(id));
      return {
        fingerprint: opened.subarray(0, FINGERPRINT_BYTES),
        answer: opened.subarray(FINGERPRINT_BYTES),
      };
    },
    async keep(id, fingerprint, work) {
      try {
        await database.asOne(work, (tx, answer) =>
          insert(deps, tx, id, Buffer.concat([fingerprint, answer])),
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
      return Number(numDeletedRows);
    },
  };
}

/** Another node has kept an answer under the same id. */
class TakenError extends Error {}

async function insert(
  { keyring, clock }: KeptAnswersDeps,
  tx: Tx,
  id: string,
  plain: Uint8Array,
): Promise<void> {
  const nowMs = clock.now();
  const sealer = await keyring.forTenant(tx, SYSTEM_TENANT_KEY);
  await tx
    .deleteFrom('kept_answers')
    .where('id', '=', id)
    .where('created_at', '<=', nowMs - DAY_MS)
    .execute();
  try {
    await tx
      .insertInto('kept_answers')
      .values({ id, created_at: nowMs, sealed: sealer.seal(plain, place(id)) })
      .execute();
  } catch (error) {
    throw isUniqueViolation(error) ? new TakenError('taken', { cause: error }) : error;
  }
}
