// The marks of sessions worked out from everything that lies in a database, whatever is stored of them.
import { workOutMarks } from '../../src/biometrics/activity/work-out-marks.js';
import { ConfigsetCache } from '../../src/biometrics/configsets/cache.js';
import type { MarkName } from '../../src/biometrics/model/sessions.js';
import { markNames } from '../../src/biometrics/rules/session-marks.js';
import { systemClock, systemIds } from '../../src/platform.js';
import { createBiometricsStore } from '../../src/storage/biometrics/store.js';
import { openStorage } from '../../src/storage/open-storage.js';

export async function marksAfresh(
  at: { home: string; databaseUrl: string },
  gkScopeId: string,
  gkSessionIds: readonly string[],
): Promise<Map<string, MarkName[]>> {
  const storage = await openStorage({ ...at, masterKey: '', clock: systemClock });
  try {
    const store = createBiometricsStore(storage.database, storage.keyring, storage.audit);
    const deps = {
      ...{ clock: systemClock, ids: systemIds, store, configsetCache: new ConfigsetCache() },
      tenants: { isUsable: async () => true },
      jobs: { wake: () => {} },
    };
    const sessions = await store.read.sessions.findMany(gkScopeId, gkSessionIds);
    const marks = await workOutMarks(deps, gkScopeId, sessions);
    return new Map([...marks].map(([id, one]) => [id, markNames(one)]));
  } finally {
    await storage.close();
  }
}
