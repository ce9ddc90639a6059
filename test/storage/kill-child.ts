// The process that test/storage/kill.test.ts kills: creates scopes through the real storage and says so on
// its standard output only after each one was acknowledged.
import { writeSync } from 'node:fs';
import { silentLog, systemClock, systemIds } from '../../src/platform.js';
import { createTenant } from '../../src/tenants/create-tenant.js';
import { openStorage } from '../../src/storage/open-storage.js';
import { tenantsStore } from '../../src/storage/tenants/tenants-store.js';

async function main(): Promise<void> {
  const [home = '', round = '', writes = ''] = process.argv.slice(2);
  const { database, keyring, audit } = await openStorage({
    home,
    databaseUrl: '',
    masterKey: '',
    clock: systemClock,
  });
  const store = tenantsStore({ database, keyring, audit, contentDeleters: [], onContentDeleted: () => {} });
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
    await createTenant(deps, call, { scopeId, profile: 'DEFAULT', expectedPersonsNumber: 1 });
    writeSync(1, `${scopeId}\n`);
  }
  writeSync(1, 'done\n');
}

void main();
