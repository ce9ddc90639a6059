// The process that test/storage/upgrade.test.ts kills while it seals what an earlier version left in the clear.
import { systemClock } from '../../src/platform.js';
import { openStorage } from '../../src/storage/open-storage.js';

async function main(): Promise<void> {
  const [home = '', databaseUrl = ''] = process.argv.slice(2);
  const storage = await openStorage({ home, databaseUrl, masterKey: '', clock: systemClock });
  await storage.close();
}

void main();
