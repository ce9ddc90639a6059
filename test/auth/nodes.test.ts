// @module-tag slow
// Two server processes on one PostgreSQL: what one of them is told, the other knows within seconds.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { lockClient } from '../../src/auth/clients/lock-client.js';
import { rotateSigningKey } from '../../src/auth/tokens/rotate-signing-key.js';
import { openDatabase } from '../../src/storage/database.js';
import { migrate } from '../../src/storage/migrate.js';
import { systemClock } from '../../src/platform.js';
import { childProgram } from '../support/child-program.js';
import { forEachDatabase } from '../support/database.js';
import { basic, createTestAuth, createTestPlatform, postForm } from './support.js';

/** The same key as createTestAuth uses. */
const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');
const ISSUER = 'http://voxgate.test';
const running: ChildProcess[] = [];
const folders: string[] = [];

afterEach(async () => {
  for (const child of running.splice(0)) {
    if (child.exitCode !== null) continue;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function startNode(databaseUrl: string): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'voxgate-node-'));
  folders.push(home);
  const program = await childProgram(join(import.meta.dirname, 'node-server.ts'));
  const command = [program, home, databaseUrl, ISSUER, MASTER_KEY];
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] });
  running.push(child);
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error(`the server did not start: ${errors}`);
}

await forEachDatabase(({ dialect, locate }) => {
  describe.skipIf(dialect !== 'postgres')('two processes on one database', () => {
    it('see a lock within five seconds, and each other’s new signing key', async () => {
      const options = await locate();
      if (options.kind !== 'postgres') throw new Error('this needs PostgreSQL');
      const database = openDatabase(options);
      await migrate(database, systemClock);
      const here = await createTestAuth(database);
      const platform = await createTestPlatform(here);
      const nodes = [await startNode(options.url), await startNode(options.url)];
      const ask = async (node: string): Promise<string> => {
        const form = { grant_type: 'client_credentials', scope: 'asr' };
        const answer = await postForm(`${node}/oauth2/token`, form, {
          authorization: basic(platform.client.clientId, platform.secret),
        });
        return String(answer.body['access_token'] ?? answer.body['error']);
      };
      const check = async (node: string, token: string): Promise<number> =>
        (
          await fetch(`${node}/oauth2/forward-auth?scope=asr`, {
            headers: { authorization: `Bearer ${token}` },
          })
        ).status;

      const tokens = [await ask(nodes[0]!), await ask(nodes[1]!)];
      for (const node of nodes) for (const token of tokens) expect(await check(node, token)).toBe(200);

      const { kid } = await rotateSigningKey(here.auth, here.system, {});
      await vi.waitFor(
        async () => {
          for (const node of nodes) expect(await (await fetch(`${node}/oauth2/jwks`)).text()).toContain(kid);
        },
        { timeout: 20_000, interval: 250 },
      );

      // The answer comes when no node accepts the old keys any more: nothing is waited for here.
      const dropped = await rotateSigningKey(here.auth, here.system, { compromised: true });
      expect(dropped.unconfirmed).toEqual([]);
      for (const node of nodes) {
        for (const token of tokens) expect(await check(node, token)).toBe(401);
        const published = await (await fetch(`${node}/oauth2/jwks`)).text();
        expect([published.includes(dropped.kid), published.includes(kid)]).toEqual([true, false]);
      }
      tokens.splice(0, tokens.length, await ask(nodes[0]!), await ask(nodes[1]!));
      for (const node of nodes) for (const token of tokens) expect(await check(node, token)).toBe(200);

      // One that was killed is named, and not waited for again.
      running.pop()?.kill('SIGKILL');
      const after = await rotateSigningKey(here.auth, here.system, { compromised: true });
      expect(after.unconfirmed).toHaveLength(1);
      nodes.pop();
      expect((await rotateSigningKey(here.auth, here.system, { compromised: true })).unconfirmed).toEqual([]);
      tokens.splice(0, tokens.length, await ask(nodes[0]!));
      expect(await check(nodes[0]!, tokens[0]!)).toBe(200);

      await lockClient(here.auth, here.system, { clientId: platform.client.clientId });
      await vi.waitFor(
        async () => {
          for (const node of nodes) for (const token of tokens) expect(await check(node, token)).toBe(401);
          for (const node of nodes) expect(await ask(node)).toBe('invalid_client');
        },
        { timeout: 5000, interval: 100 },
      );
      await here.auth.stop();
      await database.close();
    }, 180_000);
  });
});
