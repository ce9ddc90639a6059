// A server whose clock is wrong: what it would drop for its age stays, its keys are not rotated, and a clock that was set
// back behind the first signing key does not end the token service.
import { afterEach, expect, it } from 'vitest';
import { composeAuth } from '../../src/compose/auth.js';
import type { Core } from '../../src/compose/part.js';
import { confirmTime, startTimeProof } from '../../src/compose/time-proof.js';
import { configWith } from '../../src/config.js';
import { silentLog, systemIds } from '../../src/platform.js';
import { openStorage } from '../../src/storage/open-storage.js';
import { freePort } from '../support/free-port.js';
import { basic, createTestAuth, createTestPlatform, postForm, serveOAuth } from '../auth/support.js';
import { forEachDatabase } from '../support/database.js';
import { cheapPasswords } from '../support/passwords.js';
import { temporaryFolder, testClock } from '../support/storage.js';

const HOUR_MS = 3600_000;
const DAY_MS = 24 * HOUR_MS;

await forEachDatabase((under) => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  it('drops no tokens, codes, logins or keys by a clock that jumped', async () => {
    const options = await under.locate();
    const home = temporaryFolder();
    const databaseUrl = options.kind === 'sqlite' ? `sqlite:${options.file}` : options.url;
    const clock = testClock();
    const storage = await openStorage({ home, databaseUrl, masterKey: '', clock });
    closers.push(storage.close);
    const { db } = storage.database;
    const timeProof = startTimeProof({ clock, log: silentLog }, storage.database);
    closers.push(async () => timeProof.stop());
    await timeProof.isProven();
    const config = configWith({ home, database: databaseUrl });
    const core: Core = {
      config,
      clock,
      ids: systemIds,
      log: silentLog,
      passwords: cheapPasswords,
      timeProof,
    };
    const before = await composeAuth(core, storage);
    closers.push(before.auth.stop);
    const soon = { expires_at: clock.now() + 60_000 };
    const owner = { client_id: 'c', user_id: 'u', scope: '', dpop_jkt: null, grant_id: 'g' };
    const code = {
      ...owner,
      code_hash: 'h',
      redirect_uri: '',
      code_challenge: '',
      ...soon,
      used_at: null,
    };
    const token = { ...owner, token_hash: 'h', created_at: 1, ...soon, used_at: null };
    await db.insertInto('auth_codes').values(code).execute();
    await db.insertInto('auth_refresh_tokens').values(token).execute();
    await db
      .insertInto('auth_login_sessions')
      .values({ session_hash: 'h', user_id: 'u', created_at: 1, ...soon })
      .execute();
    await db
      .insertInto('auth_one_time')
      .values({ key: 'k', ...soon })
      .execute();
    const left = async (): Promise<Record<string, number>> => {
      const tables = [
        'auth_codes',
        'auth_refresh_tokens',
        'auth_login_sessions',
        'auth_one_time',
        'auth_signing_keys',
      ] as const;
      const counts: Record<string, number> = {};
      for (const table of tables) counts[table] = (await db.selectFrom(table).selectAll().execute()).length;
      return counts;
    };
    const all = await left();
    expect(all).toMatchObject({
      auth_codes: 1,
      auth_refresh_tokens: 1,
      auth_login_sessions: 1,
      auth_one_time: 1,
    });

    clock.advance(800 * DAY_MS);
    await before.auth.housekeep();
    const ahead = await composeAuth(core, storage);
    closers.push(ahead.auth.stop);
    await ahead.auth.housekeep();
    expect(await left()).toEqual(all);

    await confirmTime(storage.database, clock.now());
    await ahead.auth.housekeep();
    expect(await left()).toMatchObject({
      auth_codes: 0,
      auth_refresh_tokens: 0,
      auth_login_sessions: 0,
      auth_one_time: 0,
    });
  });

  it('signs tokens also before the start of its first key', async () => {
    const issuer = `http://127.0.0.1:${await freePort()}`;
    const test = await createTestAuth(await under.open(), { issuer });
    const platform = await createTestPlatform(test);
    const server = await serveOAuth(test);
    closers.push(server.stop, test.auth.stop);
    test.clock.advance(-3 * DAY_MS);
    const answer = await postForm(
      `${server.url}/oauth2/token`,
      { grant_type: 'client_credentials', scope: 'asr' },
      { authorization: basic(platform.client.clientId, platform.secret) },
    );
    expect(answer.status).toBe(200);
    const introspected = await postForm(
      `${server.url}/oauth2/introspect`,
      { token: String(answer.body['access_token']) },
      { authorization: basic(platform.client.clientId, platform.secret) },
    );
    expect(introspected.body).toMatchObject({ active: true });
  });

  it('refuses tokens from before a clock that jumped an hour either way, and takes new ones', async () => {
    const issuer = `http://127.0.0.1:${await freePort()}`;
    const test = await createTestAuth(await under.open(), { issuer });
    const platform = await createTestPlatform(test);
    const server = await serveOAuth(test);
    closers.push(server.stop, test.auth.stop);
    const authorization = basic(platform.client.clientId, platform.secret);
    const issued = async (): Promise<string> => {
      const form = { grant_type: 'client_credentials', scope: 'asr' };
      return String(
        (await postForm(`${server.url}/oauth2/token`, form, { authorization })).body['access_token'],
      );
    };
    const isActive = async (token: string): Promise<unknown> =>
      (await postForm(`${server.url}/oauth2/introspect`, { token }, { authorization })).body['active'];
    for (const [jump, jumpMs] of [
      ['ahead', HOUR_MS],
      ['behind', -HOUR_MS],
    ] as const) {
      const before = await issued();
      test.clock.advance(jumpMs);
      expect([jump, await isActive(before), await isActive(await issued())]).toEqual([jump, false, true]);
    }
  });
});
