// SQLite in several processes at once: a server and a command beside it.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../src/storage/database.js';
import { migrate } from '../../src/storage/migrate.js';
import { builtProgram } from '../support/built-program.js';
import { temporaryFolder } from '../support/storage.js';

beforeAll(builtProgram, 120_000);

/** What a short-lived process reads: it opens the file, asks and closes it properly. */
function readElsewhere(file: string): string[] {
  const program = `
    import { openDatabase } from './dist/storage/database.js';
    const database = openDatabase({ kind: 'sqlite', file: process.argv[1] });
    const rows = await database.db.selectFrom('settings').select('name').execute();
    await database.close();
    console.log(JSON.stringify(rows.map(({ name }) => name)));`;
  const flags = ['--input-type=module', '-e', program, file];
  const root = join(import.meta.dirname, '../..');
  return JSON.parse(execFileSync(process.execPath, flags, { cwd: root, encoding: 'utf8' })) as string[];
}

it('loses nothing to a process that comes and goes, also where the file was opened before', async () => {
  const file = join(temporaryFolder(), 'voxgate.db');
  // As a start with bootstrap does.
  const before = openDatabase({ kind: 'sqlite', file });
  await migrate(before, { now: () => 0 });
  await before.close();
  const database = openDatabase({ kind: 'sqlite', file });
  const write = (name: string) => database.db.insertInto('settings').values({ name, value: '' }).execute();
  await write('first');
  expect(readElsewhere(file)).toContain('first');
  await write('second');
  expect(readElsewhere(file)).toContain('second');
  await database.close();
  expect(readElsewhere(file)).toEqual(expect.arrayContaining(['first', 'second']));
});
