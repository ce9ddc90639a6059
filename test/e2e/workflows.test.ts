// @module-tag slow
// The two workflows of the specification as a new customer would run them: bootstrap, then the examples of
// the repository, over gRPC, on SQLite and on PostgreSQL; readme.test.ts runs them
// from the command line.
import { expect, it } from 'vitest';
import { enrollAndVerify } from '../../examples/enroll-and-verify.js';
import { utterance } from '../biometrics/support.js';
import { forEachDatabase } from '../support/database.js';
import { startInstallation } from '../support/installation.js';

await forEachDatabase(({ locate }) => {
  it('enrolls and verifies over gRPC, and tells another voice apart', { timeout: 240_000 }, async () => {
    const place = await locate();
    const { made, stop } = await startInstallation(place.kind === 'postgres' ? place.url : '');
    const setup = {
      http: made.urls.http,
      grpc: made.urls.grpc,
      clientId: made.application.client_id,
      clientSecret: made.application.client_secret ?? '',
      gkScopeId: made.scope.gk_scope_id,
      configsetId: made.configset_id,
    };
    try {
      const enrollment = [1, 2, 3].map((index) => utterance('anna', index));
      const lines: string[] = [];
      const genuine = await enrollAndVerify(setup, 'anna', enrollment, utterance('anna', 4), (line) =>
        lines.push(line),
      );
      expect(genuine).toMatchObject({ decision: 'AUTHENTIC', sessionDecision: 'AUTHENTIC' });
      expect(lines.join('\n')).toContain('TRAIN_OK');
      const impostor = await enrollAndVerify(setup, 'anna-2', enrollment, utterance('bruno', 4), () => {});
      expect(impostor).toMatchObject({ decision: 'NO_MATCH', sessionDecision: 'NO_MATCH' });
    } finally {
      await stop();
    }
  });
});
