// Calls that are about to begin when the server goes down: none is lost.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { forEachStore, Platform } from '../biometrics/support.js';
import { format, Line, STOP } from './line.js';
import { prepareCall } from './support.js';

await forEachStore((store) => {
  const home = mkdtempSync(join(tmpdir(), 'voxgate-going-down-'));
  let config: Record<string, unknown>;
  let platform: Platform;
  let profile: string;

  beforeAll(async () => {
    config = { home, ...(await store.settings()) };
    platform = await Platform.start({ config });
    profile = (await platform.printOf('anna')).profile;
  });
  afterAll(async () => {
    await platform.stop();
    rmSync(home, { recursive: true });
  });

  // From the moment in which the start has just been sent to that in which it may have been answered.
  it.each([0, 2, 8])('begin at the next one, stopped after %i turns', async (turns) => {
    const calls = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const { streamToken } = await prepareCall(platform, profile);
        const line = new Line(platform);
        await new Promise((resolve) => line.socket.once('open', resolve));
        return { streamToken, line };
      }),
    );
    const silent = new Line(platform);
    await new Promise((resolve) => silent.socket.once('open', resolve));
    for (const { line, streamToken } of calls) line.send(JSON.stringify({ start: { streamToken, format } }));
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
    await platform.stop();
    expect(await silent.closed).toBe('1012 the server is shutting down: connect again');
    const told = await Promise.all(calls.map(({ line }) => line.closed));
    platform = await Platform.restarted(platform, { config });
    for (const [at, { line, streamToken }] of calls.entries()) {
      const resumeToken = line.answers[0]?.resume?.resumeToken;
      expect(told[at]).toBe(
        resumeToken
          ? '1012 draining: resume with the token'
          : '1012 the server is shutting down: connect again',
      );
      const again = new Line(platform);
      await again.begin(resumeToken ? { resumeToken } : { streamToken, format });
      again.send(STOP);
      expect(await again.closed).toBe('1000 stopped');
    }
  });
});
