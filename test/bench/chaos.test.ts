// @module-tag slow
// A short run of the chaos bench: the server is killed, stopped, flooded and starved under load, and nothing that it
// acknowledged is lost.
import { beforeAll, expect, it } from 'vitest';
import { checkState } from '../../bench/chaos/check.js';
import { Ledger } from '../../bench/chaos/ledger.js';
import { run } from '../../bench/chaos.js';
import { systemClock } from '../../src/platform.js';
import { openStorage } from '../../src/storage/open-storage.js';
import { builtProgram } from '../support/built-program.js';
import { temporaryFolder } from '../support/storage.js';

beforeAll(builtProgram, 120_000);

it('would find what is lost', async () => {
  const home = temporaryFolder();
  await (await openStorage({ home, databaseUrl: '', masterKey: '', clock: systemClock })).close();
  const ledger = new Ledger();
  const person = { personId: 'p', gkPersonId: 'gone', note: 'n', media: [], tied: [], prints: [] };
  ledger.persons.set('gone', person);
  ledger.media.set('m', { media: 'm', sha256: '0' });
  ledger.prints.set('v', { profile: 'v', gkPersonId: 'gone', segments: ['s'], version: 1 });
  ledger.batches.set('b', 3);
  ledger.requests.set('chaos-1', 'person created');
  const wrong = await checkState({ home, databaseUrl: '', tenantId: 'tenant' }, ledger);
  expect(wrong).toEqual([
    'person gone is lost or changed',
    'print v is lost or older than version 1',
    'segment s of print v is lost',
    'recording m is lost',
    'batch b has 0 results for 3 lines',
    '"person created" (chaos-1) is not in the audit trail',
  ]);
});

it('loses nothing acknowledged while things break', { timeout: 420_000 }, async () => {
  const { details } = await run({ seconds: 18, tiny: true, seed: 7 });
  expect(details).toMatchObject({ wrong: [], lost: 0, unexpected: {}, unexpectedEnds: 0 });
  expect(Object.keys(details?.['faults'] as object).length).toBeGreaterThan(1);
  // How many fit into the time is the machine's business; that there are some is not.
  expect(details?.['operations']).toBeGreaterThan(5);
});
