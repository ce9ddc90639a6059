// @module-tag slow
// PostgreSQL cut off, silent, gone and back again, seen by the callers of a running server: no fault ends the
// process, callers are told to come again while there is time, and all is well again by itself.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client as HealthClient, credentials, type ServiceError } from '@grpc/grpc-js';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { configWith } from '../../src/config.js';
import type { Log } from '../../src/platform.js';
import { type Database, type DatabaseOptions, openDatabase } from '../../src/storage/database.js';
import { parseAddresses } from '../../src/storage/postgres/hosts.js';
import type { DatabaseEvent } from '../../src/storage/postgres/pool.js';
import { Platform, utterance } from '../biometrics/support.js';
import { type FreshPostgres, freshPostgresDatabase } from '../support/fresh-postgres.js';
import { administer, sharedPostgres } from '../support/postgres.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { tcpProxy, type TcpProxy } from '../support/tcp-proxy.js';

const postgres = await sharedPostgres();
const SERVER_URL = 'url' in postgres ? postgres.url : '';
if (SERVER_URL === '' && process.env['CI']) throw new Error('PostgreSQL is needed and did not start');

let fresh: FreshPostgres;
let proxy: TcpProxy;

function through(url: string, port = proxy.port): string {
  const changed = new URL(url);
  changed.port = String(port);
  return changed.toString();
}

describe.skipIf(SERVER_URL === '')('PostgreSQL in trouble', () => {
  beforeAll(async () => {
    fresh = await freshPostgresDatabase(SERVER_URL);
    proxy = await tcpProxy(Number(new URL(SERVER_URL).port));
  });
  afterAll(async () => {
    await proxy?.end();
    await fresh?.drop();
  });
  // Whatever a test broke and, failing, did not mend.
  afterEach(() => proxy.mend());

  describe('behind a running server', () => {
    let server: TestServer;
    const lines: { level: string; message: string }[] = [];
    const log: Log = {
      debug: () => {},
      info: () => {},
      warn: (_fields, message) => lines.push({ level: 'warn', message }),
      error: (_fields, message) => lines.push({ level: 'error', message }),
      child: () => log,
    };
    beforeAll(async () => {
      const { url } = await fresh.newSchema();
      server = await startTestServer({
        config: { database: through(url), 'engine.workers': 1 },
        overrides: { log },
      });
    });
    afterAll(() => server?.stop());
    beforeEach(async () => {
      await until(async () => (await readyz()) === 200);
      lines.splice(0);
    });

    const makeScope = (name: string, timeoutMs = 15_000) =>
      server.rest('POST', '/v1/scopes', {
        body: { scopeId: name, scopeProfile: 'SCOPE_PROFILE_DEFAULT', expectedPersonsNumber: 1 },
        headers: { 'x-request-timeout-ms': String(timeoutMs) },
      });
    const list = () => server.rest('GET', '/v1/scopes', { headers: { 'x-request-timeout-ms': '15000' } });
    const until = async (what: () => Promise<boolean>): Promise<void> => {
      for (let tries = 0; tries < 1500; tries++) {
        if (await what()) return;
        await sleep(20);
      }
      throw new Error('it never came to that');
    };
    const readyz = async () => (await fetch(`${server.httpUrl}/readyz`)).status;

    it('survives that connections are cut under load, and loses nothing that was acknowledged', async () => {
      const acknowledged: string[] = [];
      const other: unknown[] = [];
      let running = true;
      const writer = async (id: number): Promise<void> => {
        for (let n = 0; running; n++) {
          const name = `cut-${id}-${n}`;
          const { status, body } = await makeScope(name);
          if (status === 200) acknowledged.push(name);
          else if (status !== 503 || body.status?.statusCode !== 'BUSY') other.push(body);
          else await sleep(20);
        }
      };
      const writers = [1, 2, 3, 4].map(writer);
      for (let round = 0; round < 18; round++) {
        // Each time it must have come back first.
        const before = acknowledged.length;
        await until(async () => acknowledged.length > before);
        proxy.cut();
      }
      running = false;
      await Promise.all(writers);
      expect(other).toEqual([]);
      const there = new Set((await list()).body.details.map((scope: { scopeId: string }) => scope.scopeId));
      expect(acknowledged.filter((name) => !there.has(name))).toEqual([]);
    });

    it('answers BUSY with a time to come again, says so once, and follows in readiness and health', async () => {
      await proxy.close();
      const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => makeScope(`gone-${n}`)));
      for (const { status, headers, body } of answers) {
        expect(status).toBe(503);
        expect(headers.get('retry-after')).toBe('1');
        expect(body.status).toMatchObject({
          statusCode: 'BUSY',
          retryInfo: { retryDelayMs: 1000 },
          diagnosticDetails: [{ code: 'DATABASE_UNAVAILABLE' }],
        });
        // Where the database is, is nobody's business.
        expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|ECONN/);
      }
      expect(await readyz()).toBe(503);
      await until(async () => (await health(server.grpcAddress)) === 'NOT_SERVING');
      await sleep(2500);
      expect(lines.filter(({ level }) => level === 'error')).toEqual([
        { level: 'error', message: 'the database is not available; calls are refused until it is' },
      ]);
      await proxy.open();
      await until(async () => (await readyz()) === 200);
      await until(async () => (await health(server.grpcAddress)) === 'SERVING');
      expect((await makeScope('back')).status).toBe(200);
      const said = lines.map(({ message }) => message).filter((message) => !message.includes('was lost'));
      expect(said).toEqual([
        'the database is not available; calls are refused until it is',
        'the database is available again',
      ]);
    });

    it('says in /readyz and to callers that the database takes no writes, and blames nothing else', async () => {
      const name = new URL((await fresh.newSchema()).url).pathname.slice(1);
      const takesWrites = (does: boolean): Promise<void> =>
        administer(
          SERVER_URL,
          `alter database ${name} set default_transaction_read_only = ${does ? 'off' : 'on'}`,
        );
      await takesWrites(false);
      onTestFinished(() => takesWrites(true));
      proxy.cut();
      const reasons = async () => (await server.rest('GET', '/readyz')).body.reasons as object;
      await expect.poll(reasons, { interval: 50 }).toEqual({ database: 'accepts no writes' });
      const { status, body } = await makeScope('refused');
      expect(status).toBe(503);
      expect(body.status).toMatchObject({
        statusCode: 'BUSY',
        retryInfo: { retryDelayMs: 1000 },
        diagnosticDetails: [{ code: 'READ_ONLY' }, { code: 'DATABASE_UNAVAILABLE' }],
      });
      await takesWrites(true);
      await until(async () => (await readyz()) === 200);
      expect((await makeScope('taken')).status).toBe(200);
    });

    it('answers BUSY before the deadline when the database goes silent, and is well again afterwards', async () => {
      proxy.freezeAll();
      const answers = await Promise.all([list(), makeScope('silent', 10_000), makeScope('silent-2', 10_000)]);
      for (const { status, body } of answers) {
        expect(body.status.statusCode).toBe('BUSY');
        expect(status).toBe(503);
      }
      expect(await readyz()).toBe(503);
      proxy.thaw();
      await until(async () => (await readyz()) === 200);
      expect((await makeScope('after-silence')).status).toBe(200);
    });

    it('finds out when only its own connections have gone silent, and asks again over new ones', async () => {
      expect((await list()).status).toBe(200);
      proxy.freezeExisting();
      // Whoever is told to come again, as on a busy machine, is served the second time.
      const patiently = async (ask: typeof list) => {
        const answer = await ask();
        return answer.status === 503 ? ask() : answer;
      };
      const answers = await Promise.all([
        patiently(list),
        patiently(list),
        patiently(() => makeScope('forgotten')),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
      proxy.thaw();
    });

    it('keeps the bytes of an upload whose commit it has not heard of', async () => {
      const platform = await Platform.on(server, 'commit-unknown');
      const context = await platform.open();
      const { body } = await platform.post('/v1/audios/upload-url', { context, container: 'CONTAINER_WAV' });
      const put = async (): Promise<number> =>
        (await fetch(body.mediaUploadUrl, { method: 'PUT', body: new Uint8Array(utterance('anna', 1)) }))
          .status;
      proxy.onClientData = (data) => data.includes('commit');
      expect(await put()).toBe(503);
      proxy.onClientData = undefined;
      await until(async () => (await readyz()) === 200);
      const { gkMediaSegmentId } = body;
      const processed = () => platform.post('/v1/audios/process', { context, gkMediaSegmentId });
      await until(async () => (await processed()).body.status.statusCode === 'OK');
      // The same bytes may be sent again.
      expect(await put()).toBe(201);
    });

    it('tells a client that asks for a token that it is unavailable, not that it is wrong', async () => {
      await proxy.close();
      const answer = await server.rest('POST', '/oauth2/token', {
        token: null,
        headers: {
          authorization: `Basic ${Buffer.from('nobody:nothing').toString('base64')}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        rawBody: 'grant_type=client_credentials',
      });
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).toBe('1');
      await proxy.open();
      await until(async () => (await readyz()) === 200);
    });
  });

  describe('behind an open database', () => {
    async function open(
      options: Partial<DatabaseOptions> = {},
    ): Promise<Database & { events: DatabaseEvent[] }> {
      const { url } = await fresh.newSchema();
      const events: DatabaseEvent[] = [];
      const database = openDatabase({
        kind: 'postgres',
        url: through(url),
        onEvent: (event: DatabaseEvent) => events.push(event),
        ...options,
      } as DatabaseOptions);
      onTestFinished(() => database.close());
      return { ...database, events };
    }
    const ask = (database: Database, query: string) => sql.raw(query).execute(database.db);

    it('says that a change may have been made when the connection is lost while it commits', async () => {
      const database = await open();
      await ask(database, 'create table t (n integer)');
      proxy.onClientData = (data) => data.includes('commit');
      const change = database.transaction((tx) => sql`insert into t values (1)`.execute(tx));
      await expect(change).rejects.toMatchObject({
        code: 'BUSY',
        diagnostics: [{ code: 'COMMIT_UNKNOWN' }, { code: 'DATABASE_UNAVAILABLE' }],
      });
      proxy.onClientData = undefined;
      expect((await ask(database, 'select n from t')).rows).toEqual([{ n: 1 }]);
    });

    it('runs a transaction again whose connection is lost on the way', async () => {
      const database = await open();
      await ask(database, 'create table t (n integer)');
      let runs = 0;
      await database.transaction(async (tx) => {
        await sql`insert into t values (1)`.execute(tx);
        if (++runs === 1) proxy.cut();
        await sql`insert into t values (2)`.execute(tx);
      });
      expect(runs).toBe(2);
      expect((await ask(database, 'select n from t order by n')).rows).toEqual([{ n: 1 }, { n: 2 }]);
    });

    it('never asks a single change twice', async () => {
      const database = await open();
      await ask(database, 'create table t (n integer)');
      proxy.onClientData = (data) => data.includes('insert into t');
      await expect(ask(database, 'insert into t values (1)')).rejects.toMatchObject({ code: 'BUSY' });
      proxy.onClientData = undefined;
      expect((await ask(database, 'select n from t')).rows).toEqual([{ n: 1 }]);
    });

    it('ends a statement that takes too long', async () => {
      const database = await open(configWith({ 'postgres.statementTimeoutMs': 200 }).postgres);
      await expect(ask(database, 'select pg_sleep(20)')).rejects.toMatchObject({
        code: 'BUSY',
        message: 'the database took too long',
      });
      expect(database.events).toEqual([]);
    });

    it('answers BUSY where a lock is waited for too long, outside a transaction as within one', async () => {
      const { url } = await fresh.newSchema();
      const database = await open({ url: through(url) });
      await ask(database, 'create table t as select 1 as n');
      const holder = new pg.Client({ connectionString: url });
      await holder.connect();
      onTestFinished(() => holder.end());
      await holder.query('begin; select n from t for update');
      await expect(ask(database, 'update t set n = 2')).rejects.toMatchObject({
        code: 'BUSY',
        message: 'the database is busy',
        cause: { code: '55P03' },
      });
    });

    it('leaves a slow statement alone that the server is working on', async () => {
      const database = await open();
      expect((await ask(database, 'select 7 as n from pg_sleep(4)')).rows).toEqual([{ n: 7 }]);
      expect(database.events).toEqual([]);
    });

    it('opens no more connections than it may', async () => {
      const database = await open(configWith({ 'postgres.poolMax': 2 }).postgres);
      const before = proxy.connections();
      await Promise.all(Array.from({ length: 8 }, () => ask(database, 'select pg_sleep(0.05)')));
      expect(proxy.connections() - before).toBeLessThanOrEqual(2);
    });

    it('takes the next host when one does not answer or takes no writes', async () => {
      const { url } = await fresh.newSchema();
      const dead = await tcpProxy(1);
      await dead.end();
      const several = through(url).replace(
        /@127\.0\.0\.1:\d+/,
        `@127.0.0.1:${dead.port},127.0.0.1:${proxy.port}`,
      );
      expect(several).toContain(',');
      const database = await open({ url: several });
      expect((await ask(database, 'select 1 as n')).rows).toEqual([{ n: 1 }]);
    });

    it('refuses a server that takes no writes', async () => {
      const { url } = await fresh.newSchema();
      const readOnly = new URL(through(url));
      readOnly.searchParams.set(
        'options',
        `${readOnly.searchParams.get('options') ?? ''} -c default_transaction_read_only=on`,
      );
      const database = await open({ url: readOnly.toString() });
      await expect(ask(database, 'select 1')).rejects.toMatchObject({ code: 'BUSY' });
      const reasons = database.events.map((event) => event.kind === 'down' && event.cause.message);
      expect(reasons).toEqual([`127.0.0.1:${proxy.port}: the server accepts no writes`]);
    });
  });
});

describe('addresses of PostgreSQL', () => {
  it.each([
    ['postgres://u:p@a:1,b:2/n', ['postgres://u:p@a:1/n', 'postgres://u:p@b:2/n'], false],
    ['postgresql://a,b', ['postgresql://a', 'postgresql://b'], false],
    ['postgres://[::1]:5432/n?target_session_attrs=any', ['postgres://[::1]:5432/n'], true],
    ['postgres:///n?host=/run/postgresql', ['postgres:///n?host=%2Frun%2Fpostgresql'], false],
    ['postgres://a/n?options=-c%20search_path%3Ds', ['postgres://a/n?options=-c%20search_path%3Ds'], false],
  ])('reads %s', (url, urls, readOnlyWillDo) => {
    expect(parseAddresses(url)).toMatchObject({ urls, readOnlyWillDo });
  });

  it.each([
    'postgres://a,,b/n',
    'postgres://a:b:c/n',
    'postgres://a/n?target_session_attrs=never',
    'mysql://a',
  ])('refuses %s', (url) => {
    expect(() => parseAddresses(url)).toThrow();
  });
});

/** grpc.health.v1.Health/Check by hand: an empty request, and one number in the answer. */
function health(address: string): Promise<'SERVING' | 'NOT_SERVING'> {
  const client = new HealthClient(address, credentials.createInsecure());
  return new Promise<'SERVING' | 'NOT_SERVING'>((resolve, reject) => {
    client.makeUnaryRequest(
      '/grpc.health.v1.Health/Check',
      () => Buffer.alloc(0),
      (bytes: Buffer) => (bytes[1] === 1 ? 'SERVING' : 'NOT_SERVING'),
      null,
      (error: ServiceError | null, answer?: 'SERVING' | 'NOT_SERVING') =>
        error ? reject(error) : resolve(answer as 'SERVING'),
    );
  }).finally(() => client.close());
}
