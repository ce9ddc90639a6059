// The token request as the guide prints it: curl with the escaped client ID.
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/storage/database.js';
import { migrate } from '../../src/storage/migrate.js';
import { freePort } from '../support/free-port.js';
import { createTestAuth, createTestPlatform, serveOAuth } from './support.js';

const HAS_CURL = spawnSync('curl', ['--version']).status === 0;

describe.skipIf(!HAS_CURL)('curl', () => {
  it('gets a token with -u and the colons of the client ID escaped, and with the client ID as it is', async () => {
    const database = openDatabase({ kind: 'sqlite', file: ':memory:' });
    await migrate(database, { now: () => 0 });
    const test = await createTestAuth(database, { issuer: `http://127.0.0.1:${await freePort()}` });
    const platform = await createTestPlatform(test);
    const server = await serveOAuth(test);
    try {
      const { clientId } = platform.client;
      const curl = async (user: string): Promise<Record<string, unknown>> => {
        const form = ['-d', 'grant_type=client_credentials', '-d', 'scope=asr tts'];
        const { stdout } = await promisify(execFile)('curl', [
          '-sS',
          '-u',
          user,
          ...form,
          `${server.url}/oauth2/token`,
        ]);
        return JSON.parse(stdout) as Record<string, unknown>;
      };
      expect(await curl(`${clientId.replaceAll(':', '%3A')}:${platform.secret}`)).toMatchObject({
        token_type: 'bearer',
        scope: 'asr tts',
      });
      // curl splits at the first colon and joins again with one, so the raw form arrives whole.
      expect(await curl(`${clientId}:${platform.secret}`)).toMatchObject({
        token_type: 'bearer',
        expires_in: 900,
      });
    } finally {
      await server.stop();
      await test.auth.stop();
      await database.close();
    }
  });
});
