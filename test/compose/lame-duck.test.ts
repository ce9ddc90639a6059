// Before a node stops it is no longer ready, but still serves: load balancers need time to look elsewhere.
import { expect, it } from 'vitest';
import { createApp, type App } from '../../src/app.js';
import { configWith } from '../../src/config.js';
import { silentLog } from '../../src/platform.js';
import { temporaryFolder } from '../support/storage.js';

function appThatLeaves(lameDuckMs: number): App {
  const config = configWith({
    home: temporaryFolder(),
    'http.address': '127.0.0.1:0',
    'grpc.address': '127.0.0.1:0',
    'limits.lameDuckMs': lameDuckMs,
  });
  return createApp(config, { bare: true, log: silentLog });
}

it('says that it is not ready while it still answers, for as long as is set', async () => {
  const app = appThatLeaves(500);
  const { httpUrl } = await app.start();
  expect((await fetch(`${httpUrl}/readyz`)).status).toBe(200);
  const gone: string[] = [];
  const slow = appThatLeaves(5000);
  void slow.leave().then(() => gone.push('slow'));
  const left = app.leave();
  const readiness = await fetch(`${httpUrl}/readyz`);
  expect(readiness.status).toBe(503);
  expect(await readiness.json()).toMatchObject({ reasons: { shutdown: 'the server is shutting down' } });
  expect((await fetch(`${httpUrl}/openapi.json`)).status).toBe(200);
  await left;
  // Its time began earlier, but it has more of it.
  expect(gone).toEqual([]);
  await app.stop();
  await expect(fetch(`${httpUrl}/healthz`)).rejects.toThrow();
});
