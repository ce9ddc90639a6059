// @module-tag slow
// An acknowledged write survives the death of the process at any moment: 20 processes are killed in the
// middle of their writes, 1,000 acknowledged writes altogether, on the embedded database.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { expect, it, onTestFinished } from 'vitest';
import { verifyChain } from '../../src/audit/verify-chain.js';
import { systemClock } from '../../src/platform.js';
import { openStorage } from '../../src/storage/open-storage.js';
import { temporaryFolder } from '../support/storage.js';

const ROUNDS = 20;
const ACKNOWLEDGED_PER_ROUND = 50;

it(
  'loses nothing acknowledged in 20 rounds of kill -9 and opens again each time',
  { timeout: 180_000 },
  async () => {
    const home = temporaryFolder();
    const program = await bundle();
    const acknowledged = new Set<string>();
    for (let round = 0; round < ROUNDS; round++) {
      await killAfter(
        spawn(process.execPath, [program, home, String(round), '100000'], {
          stdio: ['ignore', 'pipe', 'inherit'],
        }),
        acknowledged,
      );
    }
    expect(acknowledged.size).toBeGreaterThanOrEqual(ROUNDS * ACKNOWLEDGED_PER_ROUND);

    const storage = await openStorage({ home, databaseUrl: '', masterKey: '', clock: systemClock });
    const rows = await storage.database.db.selectFrom('scopes').select(['scope_id', 'gk_scope_id']).execute();
    const stored = new Set(rows.map((row) => row.scope_id));
    const lost = [...acknowledged].filter((scopeId) => !stored.has(scopeId));
    expect(lost).toEqual([]);
    // Each killed process may have committed one write whose acknowledgement died with it, and no more.
    expect(stored.size - acknowledged.size).toBeLessThanOrEqual(ROUNDS);
    const system = await verifyChain(storage.audit, 'system');
    expect(system).toMatchObject({ ok: true, records: stored.size });
    // State and its audit record commit together: a chain for every scope that is there, and for no other.
    const chains = (await storage.audit.chains()).filter((chain) => chain !== 'system');
    expect(chains).toEqual(rows.map((row) => row.gk_scope_id).sort());
    await storage.close();
  },
);

/** Bundled once: starting TypeScript twenty times would take longer than the test itself. */
async function bundle(): Promise<string> {
  // Below the repository, so that the bundle finds the packages that stay outside it.
  const folder = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'voxgate-kill-test');
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, `child-${process.pid}.cjs`);
  onTestFinished(() => rmSync(outfile, { force: true }));
  const entryPoints = [join(import.meta.dirname, 'kill-child.ts')];
  await build({
    entryPoints,
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['libsql', 'pg-native'],
    logLevel: 'error',
  });
  return outfile;
}

/** Lets the process write for a while, kills it without warning, and keeps what it acknowledged. */
async function killAfter(child: ChildProcess, acknowledged: Set<string>): Promise<void> {
  if (!child.stdout) throw new Error('no output');
  const exited = once(child, 'exit');
  let count = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged.add(line);
    if (++count === ACKNOWLEDGED_PER_ROUND) child.kill('SIGKILL');
  }
  const [code, signal] = (await exited) as [number | null, string | null];
  expect({ code, signal }).toEqual({ code: null, signal: 'SIGKILL' });
}
