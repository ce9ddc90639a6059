// One step of the schema. A step runs once, inside the transaction of the whole migration.
import type { Kysely } from 'kysely';
import type { DialectName } from '../database.js';

interface MigrationKit {
  dialect: DialectName;
  /** Column type for bytes, which the two databases name differently. */
  bytes: 'blob' | 'bytea';
}

export interface Migration {
  version: number;
  name: string;
  /**
   * Programs that do not know this step stop working once it has run: the second of two steps, see
   * docs/HACKING.md.
   */
  breaksOlder?: true;
  /** Untyped on purpose: the schema types describe the newest version, a step may see an older one. */
  up(db: Kysely<unknown>, kit: MigrationKit): Promise<void>;
}
