// The order of the test files: those that take eleven seconds and more beside three others first, the longest before the others, so that none of
// them runs alone at the end; beside the two in a browser, those that mostly wait for servers to start and leases to end.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const longest = [
  'test/console/tasks.test.ts',
  'test/console/looks.test.ts',
  'test/compose/nodes-as-one.test.ts',
  'test/storage/kill-server.test.ts',
  'test/bench/nodes.test.ts',
  'test/client/client.test.ts',
  'test/biometrics/erasure.test.ts',
  'test/cli/bench.test.ts',
  'test/biometrics/kill.test.ts',
  'test/bench/chaos.test.ts',
  'test/biometrics/batch/kill.test.ts',
  'test/bench/service.test.ts',
  'test/biometrics/integrators.test.ts',
  'test/biometrics/isolation.test.ts',
  'test/live/listen.test.ts',
  'test/transport/samples.test.ts',
  'test/e2e/readme.test.ts',
  'test/live/audiohook.test.ts',
  'test/live/stored.test.ts',
  'test/storage/backup.test.ts',
  'test/cli/state-commands.test.ts',
  'test/cli/management-commands.test.ts',
  'test/voice/speech/speech-in-noise.test.ts',
  'test/storage/database.test.ts',
  'test/inference/engine.test.ts',
  'test/storage/postgres-faults.test.ts',
  'test/biometrics/mandatory-fields.test.ts',
  'test/compose/clock-watch.test.ts',
  'test/voice/search/first-look.test.ts',
  'test/storage/upgrade.test.ts',
  'test/auth/nodes.test.ts',
  'test/tidy.test.ts',
  'test/inference/pool.test.ts',
  'test/biometrics/busy.test.ts',
  'test/storage/disk-faults.test.ts',
  'test/biometrics/galleries/loading.test.ts',
  'test/e2e/workflows.test.ts',
  'test/biometrics/operations.test.ts',
  'test/biometrics/reasons.test.ts',
  'test/storage/damage.test.ts',
  'test/biometrics/lists-and-limits.test.ts',
  'test/storage/blobs.test.ts',
  'test/cli/backup.test.ts',
  'test/biometrics/batch/batch.test.ts',
  'test/biometrics/export.test.ts',
  'test/transport/binary-read.test.ts',
  'test/inference/parity.test.ts',
  'test/auth/roles.test.ts',
  'test/inference/byte-products.test.ts',
  'test/biometrics/checkpoints.test.ts',
  'test/biometrics/batch/not-enrolled.test.ts',
  'test/biometrics/two-speakers.test.ts',
  'test/storage/refused-starts.test.ts',
  'test/inference/shutdown.test.ts',
  'test/attacks/second-factor-takeover.test.ts',
  'test/biometrics/insight/services.test.ts',
  'test/voice/search/print-gallery.test.ts',
  'test/storage/kill.test.ts',
  'test/voice/audio/decode-audio.test.ts',
  'test/e2e/script-help.test.ts',
  'test/attacks/protocol.test.ts',
];

export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = longest.findIndex((file) => moduleId.endsWith(file));
      return place < 0 ? longest.length : place;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
