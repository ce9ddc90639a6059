// The two workflows of the specification as a new customer would run them: bootstrap, then the examples of
// the repository, over gRPC, on SQLite and on PostgreSQL; readme.test.ts runs them
// from the command line.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { enrollAndVerify, type Setup } from '../../examples/enroll-and-verify.js';
import { createApp } from '../../src/app.js';
import { bootstrap, type BootstrapReport } from '../../src/compose/bootstrap.js';
import { openStorage } from '../../src/compose/storage.js';
import { configWith } from '../../src/config.js';
import { silentLog, systemClock, systemIds } from '../../src/platform.js';
import { utterance } from '../biometrics/support.js';
import { forEachDatabase } from '../support/database.js';

interface Running {
  made: BootstrapReport;
  folder: string;
  setup: Setup;
}

/** A fresh installation: bootstrapped, served with its own token service. */
async function withInstallation(
  databaseUrl: string,
  work: (running: Running) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'voxgate-e2e-'));
  const settings = { home: folder, database: databaseUrl, 'log.level': 'silent', 'engine.workers': 1 };
  const config = configWith({ ...settings, 'http.address': '127.0.0.1:0', 'grpc.address': '127.0.0.1:0' });
  const storage = await openStorage(config, systemClock);
  const made = await bootstrap({ config, clock: systemClock, ids: systemIds, log: silentLog }, storage);
  const again = await bootstrap({ config, clock: systemClock, ids: systemIds, log: silentLog }, storage);
  expect(again.application).toEqual({
    app_id: made.application.app_id,
    client_id: made.application.client_id,
  });
  await storage.close();
  const app = createApp(config, { log: silentLog });
  const { httpUrl, grpcAddress } = await app.start();
  const urls = { http: httpUrl, grpc: grpcAddress, token: `${httpUrl}/oauth2/token` };
  try {
    await work({
      made: { ...made, urls },
      folder,
      setup: {
        http: httpUrl,
        grpc: grpcAddress,
        clientId: made.application.client_id,
        clientSecret: made.application.client_secret ?? '',
        gkScopeId: made.scope.gk_scope_id,
        configsetId: made.configset_id,
      },
    });
  } finally {
    await app.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

await forEachDatabase(({ locate }) => {
  it('enrolls and verifies over gRPC, and tells another voice apart', { timeout: 240_000 }, async () => {
    const place = await locate();
    await withInstallation(place.kind === 'postgres' ? place.url : '', async ({ setup }) => {
      const enrollment = [1, 2, 3].map((index) => utterance('anna', index));
      const lines: string[] = [];
      const genuine = await enrollAndVerify(setup, 'anna', enrollment, utterance('anna', 4), (line) =>
        lines.push(line),
      );
      expect(genuine).toMatchObject({ decision: 'AUTHENTIC', sessionDecision: 'AUTHENTIC' });
      expect(lines.join('\n')).toContain('TRAIN_OK');
      const impostor = await enrollAndVerify(setup, 'anna-2', enrollment, utterance('bruno', 4), () => {});
      expect(impostor).toMatchObject({ decision: 'NO_MATCH', sessionDecision: 'NO_MATCH' });
    });
  });
});
