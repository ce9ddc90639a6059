// @module-tag slow
// A primary that dies under load and a standby that takes its place: a server that knows both addresses goes over by itself,
// nothing that was acknowledged is lost, and whoever comes in between is told to come again.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  crashPostgres,
  startPostgres,
  stopPostgres,
  type RunningPostgres,
} from '../support/postgres-server.js';
import { sharedPostgres } from '../support/postgres.js';
import { startTestServer, type RestAnswer, type TestServer } from '../support/server.js';
import { temporaryFolder } from '../support/storage.js';
import { voxgate } from '../cli/run-voxgate.js';

const WRITERS = 4;
const WRITES = 60;
const DEADLINE_MS = 8000;

const portOf = ({ url }: RunningPostgres): string => new URL(url).port;

async function ask(server: RunningPostgres, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: server.url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

// Somebody else's server cannot be crashed.
const shared = process.env['VOXGATE_TEST_POSTGRES_URL'] ? { fault: 'not ours' } : await sharedPostgres();

describe.skipIf('fault' in shared)('a failover of PostgreSQL', () => {
  let primary: RunningPostgres;
  let standby: RunningPostgres;
  let server: TestServer;

  beforeAll(async () => {
    // Both are copies of one cluster that was shut down cleanly, so the second can follow the first from its beginning.
    // A commit is acknowledged when the standby has it, too.
    primary = await startPostgres({ settings: ['synchronous_commit=on', 'synchronous_standby_names=*'] });
    standby = await startPostgres({
      settings: [`primary_conninfo=host=127.0.0.1 port=${portOf(primary)} user=postgres`],
      files: { 'standby.signal': '' },
    });
  });
  afterAll(async () => {
    await server?.stop();
    if (primary) await stopPostgres(primary.folder);
    if (standby) await stopPostgres(standby.folder);
  });

  it('loses nothing that was acknowledged', async () => {
    await expect
      .poll(() => ask(primary, 'select sync_state from pg_stat_replication'))
      .toEqual([{ sync_state: 'sync' }]);
    const home = temporaryFolder();
    const hosts = [primary, standby].map((one) => `127.0.0.1:${portOf(one)}`).join(',');
    const database = `postgres://postgres@${hosts}/postgres`;
    server = await startTestServer({ config: { home, database, 'engine.workers': 1 } });
    const readyz = async () => (await fetch(`${server.httpUrl}/readyz`)).status;

    const acknowledged: string[] = [];
    const refused: RestAnswer[] = [];
    const other: unknown[] = [];
    let isRunning = true;
    const write = async (writer: number): Promise<void> => {
      for (let n = 0; isRunning; n++) {
        const scopeId = `failover-${writer}-${n}`;
        const answer = await server.rest('POST', '/v1/scopes', {
          body: { scopeId, scopeProfile: 'SCOPE_PROFILE_DEFAULT', expectedPersonsNumber: 1 },
          headers: { 'x-request-timeout-ms': String(DEADLINE_MS) },
        });
        if (answer.status === 200) acknowledged.push(scopeId);
        else if (answer.status === 503) refused.push(answer);
        else other.push(answer.body);
        if (answer.status !== 200) await sleep(20);
      }
    };
    const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer));
    await expect.poll(() => acknowledged.length).toBeGreaterThan(WRITES);

    crashPostgres(primary);
    await expect.poll(readyz).toBe(503);
    await expect.poll(() => refused.length).toBeGreaterThan(WRITERS);
    const before = acknowledged.length;
    await ask(standby, 'select pg_promote(true, 30)');
    await expect.poll(readyz).toBe(200);
    await expect.poll(() => acknowledged.length).toBeGreaterThan(before + WRITES);
    isRunning = false;
    await Promise.all(writers);

    expect(other).toEqual([]);
    for (const { headers, body } of refused) {
      expect(headers.get('retry-after')).toBe('1');
      expect(body.status).toMatchObject({ statusCode: 'BUSY', retryInfo: { retryDelayMs: 1000 } });
    }
    const { body } = await server.rest('GET', '/v1/scopes');
    const there = new Set((body.details as { scopeId: string }[]).map((scope) => scope.scopeId));
    expect(acknowledged.filter((name) => !there.has(name))).toEqual([]);
    const verified = await voxgate(home, 'audit', 'verify', '--database', database, '--json');
    expect(JSON.parse(verified.out)).toMatchObject({ ok: true });
  });
});
