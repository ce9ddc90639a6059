// The order of the test files: those that take ten seconds and more first, the longest before the others, so that none of
// them runs alone at the end.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const longest = [
  'test/console/console.test.ts',
  'test/console/looks.test.ts',
  'test/storage/kill-server.test.ts',
  'test/bench/chaos.test.ts',
  'test/bench/nodes.test.ts',
  'test/biometrics/isolation.test.ts',
  'test/biometrics/mandatory-fields.test.ts',
  'test/bench/service.test.ts',
  'test/cli/bench.test.ts',
  'test/client/client.test.ts',
  'test/e2e/readme.test.ts',
  'test/biometrics/reasons.test.ts',
  'test/biometrics/kill.test.ts',
  'test/storage/postgres-faults.test.ts',
  'test/biometrics/operations.test.ts',
  'test/live/listen.test.ts',
  'test/biometrics/integrators.test.ts',
  'test/biometrics/lists-and-limits.test.ts',
  'test/gen/contract.test.ts',
  'test/voice/speech/speech-in-noise.test.ts',
  'test/cli/management-commands.test.ts',
  'test/biometrics/busy.test.ts',
  'test/inference/pool.test.ts',
  'test/biometrics/two-speakers.test.ts',
  'test/biometrics/checkpoints.test.ts',
  'test/inference/engine.test.ts',
  'test/biometrics/model-change.test.ts',
  'test/biometrics/every-operation.test.ts',
  'test/biometrics/insight/services.test.ts',
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
