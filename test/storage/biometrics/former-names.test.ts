// What 0.2.0 has stored under names that have changed since, and that no migration can rewrite because it is sealed.
import { expect, it } from 'vitest';
import type { ConfigsetRevision } from '../../../src/biometrics/model/configsets.js';
import { createBiometricsStore } from '../../../src/storage/biometrics/store.js';
import { openDatabase } from '../../../src/storage/database.js';
import { migrate } from '../../../src/storage/migrate.js';
import { testStorage } from '../../support/storage.js';

it('reads the section lookBack of a stored config set as voiceSearch', async () => {
  const opened = openDatabase({ kind: 'sqlite', file: ':memory:' });
  await migrate(opened, { now: () => 0 });
  const { database, keyring, audit } = await testStorage(opened);
  const store = createBiometricsStore(database, keyring, audit);
  const revision: ConfigsetRevision = {
    gkConfigsetRevisionId: 'revision',
    gkScopeId: 'tenant',
    configsetId: 'SCOPE',
    type: 'OPERATIONAL',
    configClass: 'CONFIGSET',
    state: 'ACTIVE',
    content: '{ "lookBack": { "hasLegalBasis": true } }',
    description: 'lookBack',
    createdBy: '',
    updatedBy: '',
    createdAtMs: 1,
    modifiedAtMs: 1,
  };
  await store.transaction((tx) => tx.configsets.insert(revision));
  expect(await store.read.configsets.findActive('tenant', 'CONFIGSET', 'SCOPE')).toMatchObject({
    content: '{ "voiceSearch": { "hasLegalBasis": true } }',
    description: 'lookBack',
  });
  await opened.close();
});
