// @module-tag slow
// Several nodes that start at the same moment on one empty database.
import { expect, it } from 'vitest';
import { bootstrap } from '../../src/compose/bootstrap.js';
import { openStorage } from '../../src/compose/storage.js';
import { configWith } from '../../src/config.js';
import { silentLog, systemClock, systemIds } from '../../src/platform.js';
import { forEachDatabase } from '../support/database.js';
import { temporaryFolder, TEST_MASTER_KEY } from '../support/storage.js';

await forEachDatabase(({ locate }) => {
  it('make one administrator, one scope and one application', async () => {
    const where = await locate();
    const made = await Promise.all(
      [1, 2, 3].map(async () => {
        const config = configWith({
          home: temporaryFolder(),
          database: where.kind === 'postgres' ? where.url : `file:${where.file}`,
          'sealing.masterKey': TEST_MASTER_KEY,
        });
        const storage = await openStorage(config, systemClock);
        try {
          return await bootstrap({ config, clock: systemClock, ids: systemIds, log: silentLog }, storage);
        } finally {
          await storage.close();
        }
      }),
    );
    expect(new Set(made.map(({ application }) => application.client_id)).size).toBe(1);
    expect(made.filter(({ application }) => application.client_secret !== undefined)).toHaveLength(1);
  });
});
