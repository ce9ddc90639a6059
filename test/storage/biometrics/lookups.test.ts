// What is named by an id, an owner or a session is found by that, however much its scope holds. SQLite keeps no
// statistics here, so what it plans for empty tables is what it does with a million rows.
import { afterAll, expect, it } from 'vitest';
import { CompiledQuery, type Kysely, type KyselyPlugin } from 'kysely';
import type { Repositories } from '../../../src/biometrics/ports/store.js';
import { findingRepository } from '../../../src/storage/biometrics/call-findings.js';
import { collectionRepository } from '../../../src/storage/biometrics/collections.js';
import { engagementRepository } from '../../../src/storage/biometrics/engagements.js';
import { erasureRepository } from '../../../src/storage/biometrics/erasure.js';
import { factorRepository } from '../../../src/storage/biometrics/factors.js';
import { mediaRepository } from '../../../src/storage/biometrics/media.js';
import { partyRepository } from '../../../src/storage/biometrics/parties.js';
import { processedAudioRepository } from '../../../src/storage/biometrics/processed-audios.js';
import { profileRepository } from '../../../src/storage/biometrics/profiles.js';
import { sessionRepository } from '../../../src/storage/biometrics/sessions.js';
import { openDatabase, type Db, type DialectName } from '../../../src/storage/database.js';
import { migrate } from '../../../src/storage/migrate.js';
import type { Keyring } from '../../../src/storage/sealing/keyring.js';
import { testStorage } from '../../support/storage.js';

const ids = Array.from({ length: 200 }, (_, index) => `id-${index}`);
const SCOPE = 'scope-1';

const lookups: [name: string, ask: (store: Named) => Promise<unknown>][] = [
  ['profiles.find', ({ profiles }) => profiles.find(SCOPE, 'p')],
  ['profiles.findMany', ({ profiles }) => profiles.findMany(SCOPE, ids)],
  ['profiles.listByOwner', ({ profiles }) => profiles.listByOwner(SCOPE, 'o')],
  ['profiles.listByOwners', ({ profiles }) => profiles.listByOwners(SCOPE, ids)],
  [
    'profiles.listByMembers',
    ({ profiles }) => profiles.listByMembers(SCOPE, 'list', { members: 200, after: '' }),
  ],
  [
    'profiles.listInCollection',
    ({ profiles }) => profiles.listInCollection(SCOPE, 'list', { prints: ids, owners: ids }),
  ],
  ['profiles.listByCollection', ({ profiles }) => profiles.listByCollection(SCOPE, 'list', undefined, 10)],
  ['factors.listBySession', ({ factors }) => factors.listBySession(SCOPE, 's')],
  ['factors.listByEngagement', ({ factors }) => factors.listByEngagement(SCOPE, 'e')],
  [
    'factors.listByRecordingsOf',
    ({ factors }) => factors.listByRecordingsOf({ gkScopeId: SCOPE, gkSessionId: 's' }, { limit: 10 }),
  ],
  ['factors.laterBySessions', ({ factors }) => factors.laterBySessions(SCOPE, ids)],
  ['factors.countBySessions', ({ factors }) => factors.countBySessions(SCOPE, ids)],
  ['factors.aboutSessions', ({ factors }) => factors.aboutSessions(SCOPE, ids)],
  ['sessions.list of a person', ({ sessions }) => sessions.list(SCOPE, { gkPersonId: 'p' }, { limit: 10 })],
  [
    'sessions.list of a fraudster',
    ({ sessions }) => sessions.list(SCOPE, { gkFraudsterId: 'f', bySearches: true }, { limit: 10 }),
  ],
  ['sessions.amongFound', ({ sessions }) => sessions.amongFound(SCOPE, ids, { gkFraudsterId: 'f' })],
  ['findings.madeFrom', ({ findings }) => findings.madeFrom(SCOPE, ids)],
  ['findings.enrolledFrom', ({ findings }) => findings.enrolledFrom(SCOPE, 'e')],
  ['findings.listOf', ({ findings }) => findings.listOf(SCOPE, 's')],
  ['findings.laterIn', ({ findings }) => findings.laterIn(SCOPE, ids)],
  ['media.delete', ({ media }) => media.delete(SCOPE, 'm')],
  ['collections.listsOf', ({ collections }) => collections.listsOf(SCOPE, ids)],
  ['engagements.find', ({ engagements }) => engagements.find(SCOPE, 'e')],
  ['engagements.findMany', ({ engagements }) => engagements.findMany(SCOPE, ids)],
  ['sessions.find', ({ sessions }) => sessions.find(SCOPE, 's')],
  ['sessions.listByEngagement', ({ sessions }) => sessions.listByEngagement(SCOPE, 'e')],
  ['sessions.heardBy', ({ sessions }) => sessions.heardBy(SCOPE, ids)],
  ['sessions.findMany', ({ sessions }) => sessions.findMany(SCOPE, ids)],
  ['sessions.changed', ({ sessions }) => sessions.changed(SCOPE, { atMs: 1, id: '' }, 10)],
  ['parties.changed', ({ parties }) => parties.changed(SCOPE, 'PERSON', { atMs: 1, id: '' }, 10)],
  ['parties.find', ({ parties }) => parties.find(SCOPE, 'PERSON', 'p')],
  ['parties.findMany', ({ parties }) => parties.findMany(SCOPE, ids)],
  ['media.find', ({ media }) => media.find(SCOPE, 'm')],
  ['media.hasBlob', ({ media }) => media.hasBlob(SCOPE, 'b')],
  ['media.listByPerson', ({ media }) => media.listByPerson(SCOPE, 'p')],
  ['processedAudios.find', ({ processedAudios }) => processedAudios.find(SCOPE, 'a')],
  ['erasure.engagementsAskingFor', ({ erasure }) => erasure.engagementsAskingFor(SCOPE, 'p')],
  ['erasure.askedForIn', ({ erasure }) => erasure.askedForIn('e')],
  ['erasure.isOnHold', ({ erasure }) => erasure.isOnHold('e')],
  ['erasure.checksOf', ({ erasure }) => erasure.checksOf('m')],
  ['erasure.speakersIn', ({ erasure }) => erasure.speakersIn('e')],
];

const database = openDatabase({ kind: 'sqlite', file: ':memory:' });
await migrate(database, { now: () => 0 });
const { keyring } = await testStorage(database);
for (const id of ids) await database.db.insertInto('collection_members').values(member(id)).execute();
afterAll(() => database.close());

it.each(lookups)('%s does not read the whole scope', async (_name, ask) => {
  const { db, statements } = recorded(database.db);
  await ask(repositories(db, keyring, database.dialect));
  const steps: string[] = [];
  for (const statement of statements()) {
    const explained = CompiledQuery.raw(`explain query plan ${statement.sql}`, [...statement.parameters]);
    const { rows } = await database.db.executeQuery<{ detail: string }>(explained);
    steps.push(...rows.map(({ detail }) => detail).filter((detail) => /^(SEARCH|SCAN)/.test(detail)));
  }
  expect(steps.length).toBeGreaterThan(0);
  for (const step of steps) {
    // What a part of the statement has found is read in whole, and so is the index of what 0.2.0 has just written.
    expect(step).toMatch(/^SEARCH|^SCAN here$|^SCAN factors USING INDEX factors_unfilled$/);
    expect(step).not.toMatch(/\((gk_scope_id|scope_key)=\?\)/);
  }
});

type Named = Pick<
  Repositories,
  | 'profiles'
  | 'factors'
  | 'findings'
  | 'engagements'
  | 'sessions'
  | 'parties'
  | 'collections'
  | 'media'
  | 'processedAudios'
  | 'erasure'
>;

function repositories(db: Db, keyring: Keyring, dialect: DialectName): Named {
  return {
    erasure: erasureRepository(db, keyring),
    profiles: profileRepository(db, keyring),
    factors: factorRepository(db, dialect),
    findings: findingRepository(db),
    collections: collectionRepository(db, keyring),
    engagements: engagementRepository(db, keyring),
    sessions: sessionRepository(db, keyring),
    parties: partyRepository(db, keyring),
    media: mediaRepository(db, keyring),
    processedAudios: processedAudioRepository(db, keyring),
  };
}

function member(id: string) {
  return { collection_gk_id: 'list', member_gk_id: id, gk_scope_id: SCOPE, added_at: 1 };
}

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
