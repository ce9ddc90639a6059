// Before a node stops it is no longer ready, but still serves: load balancers need time to look elsewhere.
import { expect, it } from 'vitest';
import { createApp } from '../../src/app.js';
import { configWith } from '../../src/config.js';
import { silentLog } from '../../src/platform.js';
import { temporaryFolder } from '../support/storage.js';

it('says that it is not ready while it still answers', async () => {
  const config = configWith({
    home: temporaryFolder(),
    'http.address': '127.0.0.1:0',
    'grpc.address': '127.0.0.1:0',
    'limits.lameDuckMs': 500,
  });
  const app = createApp(config, { bare: true, log: silentLog });
  const { httpUrl } = await app.start();
  expect((await fetch(`${httpUrl}/readyz`)).status).toBe(200);
  const left = app.leave();
  const readiness = await fetch(`${httpUrl}/readyz`);
  expect(readiness.status).toBe(503);
  expect(await readiness.json()).toMatchObject({ reasons: { shutdown: 'the server is shutting down' } });
  expect((await fetch(`${httpUrl}/openapi.json`)).status).toBe(200);
  await left;
  await app.stop();
  await expect(fetch(`${httpUrl}/healthz`)).rejects.toThrow();
});
