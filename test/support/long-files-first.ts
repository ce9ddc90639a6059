// The order of the test files: those that take minutes first, so that they do not run alone at the end.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const longest = [
  'test/console/console.test.ts',
  'test/console/looks.test.ts',
  'test/storage/kill-server.test.ts',
  'test/bench/chaos.test.ts',
  'test/biometrics/isolation.test.ts',
  'test/e2e/readme.test.ts',
  'test/cli/bench.test.ts',
  'test/biometrics/mandatory-fields.test.ts',
  'test/storage/postgres-faults.test.ts',
  'test/biometrics/kill.test.ts',
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
