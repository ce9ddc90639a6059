// A fresh installation as a new customer has it: bootstrapped, then served with its own token service.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp, type AppOverrides } from '../../src/app.js';
import { bootstrap, type BootstrapReport } from '../../src/compose/bootstrap.js';
import { openStorage } from '../../src/compose/storage.js';
import { configWith } from '../../src/config.js';
import { silentLog, systemClock, systemIds } from '../../src/platform.js';

export interface Installation {
  /** As `voxgate bootstrap --json` prints it. */
  made: BootstrapReport;
  folder: string;
  stop(): Promise<void>;
}

export async function startInstallation(
  databaseUrl = '',
  overrides: AppOverrides = {},
): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), 'voxgate-installation-'));
  const settings = { home: folder, database: databaseUrl, 'log.level': 'silent', 'engine.workers': 1 };
  const config = configWith({ ...settings, 'http.address': '127.0.0.1:0', 'grpc.address': '127.0.0.1:0' });
  const storage = await openStorage(config, systemClock);
  const made = await bootstrap({ config, clock: systemClock, ids: systemIds, log: silentLog }, storage);
  await storage.close();
  const app = createApp(config, { log: silentLog, ...overrides });
  const { httpUrl, grpcAddress } = await app.start();
  return {
    made: { ...made, urls: { http: httpUrl, grpc: grpcAddress, token: `${httpUrl}/oauth2/token` } },
    folder,
    async stop() {
      await app.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
