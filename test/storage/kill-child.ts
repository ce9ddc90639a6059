// The process that test/storage/kill.test.ts kills: creates scopes through the real storage and says so on
// its standard output only after each one was acknowledged.
import { writeSync } from 'node:fs';
import { silentLog, systemClock, systemIds } from '../../src/platform.js';
import { createScope } from '../../src/scopes/create-scope.js';
import { openStorage } from '../../src/storage/open-storage.js';
import { scopesStore } from '../../src/storage/scopes/scopes-store.js';

async function main(): Promise<void> {
  const [home = '', round = '', writes = ''] = process.argv.slice(2);
  const { database, keyring, audit } = await openStorage({
    home,
    databaseUrl: '',
    masterKey: '',
    clock: systemClock,
  });
  const store = scopesStore({ database, keyring, audit, contentDeleters: [], onContentDeleted: () => {} });
  const deps = { store, clock: systemClock, ids: systemIds, deletionDelayMs: 0 };
  const call = {
    requestId: `round-${round}`,
    signal: new AbortController().signal,
    log: silentLog,
    caller: {
      subject: 'kill-test',
      issuer: 'test',
      clientId: 'kill-test',
      scopes: [],
      tenants: 'all' as const,
    },
  };
  for (let n = 0; n < Number(writes); n++) {
    const scopeId = `${round}-${n}`;
    await createScope(deps, call, { scopeId, profile: 'DEFAULT', expectedPersonsNumber: 1 });
    writeSync(1, `${scopeId}\n`);
  }
  writeSync(1, 'done\n');
}

void main();
