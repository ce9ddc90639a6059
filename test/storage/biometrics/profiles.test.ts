// Prints that are named by id or owner are found by that, however many their scope has. SQLite keeps no statistics
// here, so what it plans for an empty table is what it does with a million rows.
import { expect, it } from 'vitest';
import { CompiledQuery, type Kysely, type KyselyPlugin } from 'kysely';
import { profileRepository } from '../../../src/storage/biometrics/profiles.js';
import { openDatabase } from '../../../src/storage/database.js';
import { migrate } from '../../../src/storage/migrate.js';
import { testStorage } from '../../support/storage.js';

it.each([
  ['find', (prints) => prints.find('s', 'p')],
  ['findMany', (prints) => prints.findMany('s', ids)],
  ['listByOwner', (prints) => prints.listByOwner('s', 'o')],
  ['listByOwners', (prints) => prints.listByOwners('s', ids)],
  ['listByMembers', (prints) => prints.listByMembers('s', 'list', 200, '')],
  ['listInCollection', (prints) => prints.listInCollection('s', 'list', { prints: ids, owners: ids })],
  ['listByCollection', (prints) => prints.listByCollection('s', 'list', undefined, 10)],
] as [string, (prints: ReturnType<typeof profileRepository>) => Promise<unknown>][])(
  '%s does not read the whole scope',
  async (_name, ask) => {
    const database = openDatabase({ kind: 'sqlite', file: ':memory:' });
    await migrate(database, { now: () => 0 });
    const { keyring } = await testStorage(database);
    for (const id of ids) await database.db.insertInto('collection_members').values(member(id)).execute();
    const { db, statements } = recorded(database.db);
    await ask(profileRepository(db, keyring));
    const plans = [];
    for (const statement of statements()) {
      const explained = CompiledQuery.raw(`explain query plan ${statement.sql}`, [...statement.parameters]);
      const { rows } = await database.db.executeQuery<{ detail: string }>(explained);
      plans.push(...rows.map(({ detail }) => detail));
    }
    const onPrints = plans.filter((detail) => detail.includes('voiceprint_profiles'));
    expect(onPrints.length).toBeGreaterThan(0);
    for (const detail of onPrints) expect(detail).toMatch(/\((gk_owner_id|gk_voiceprint_profile_id)=\?/);
    await database.close();
  },
);

const ids = Array.from({ length: 200 }, (_, index) => `id-${index}`);
const member = (id: string) => ({
  collection_gk_id: 'list',
  member_gk_id: id,
  gk_scope_id: 's',
  added_at: 1,
});

/** The same database, and the statements that went to it. */
function recorded<T>(db: Kysely<T>) {
  const made: CompiledQuery[] = [];
  const plugin: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      made.push(db.getExecutor().compileQuery(node as never, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return { db: db.withPlugin(plugin), statements: () => made };
}
