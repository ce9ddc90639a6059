// Accuracy of the bundled speaker model as a benchmark: the figures of `voxgate bench accuracy` for a corpus,
// or for the project's own synthetic test voices when none is given (a smoke test, not a claim).
//   npx tsx bench/accuracy.ts [--json] [--corpus DIR] [--models DIR]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { benchAccuracy } from '../src/cli/bench-accuracy.js';
import type { AccuracyReport } from '../src/cli/bench-accuracy.js';
import { loadConfig } from '../src/config.js';

export interface AccuracyBenchOptions {
  corpus?: string;
  modelsDir?: string;
  json?: boolean;
}

export async function run({
  corpus,
  modelsDir,
  json = false,
}: AccuracyBenchOptions = {}): Promise<AccuracyReport> {
  const folder = corpus ?? fileURLToPath(new URL('../test/fixtures/voices', import.meta.url));
  const out = mkdtempSync(join(tmpdir(), 'voxgate-accuracy-'));
  let text = '';
  try {
    await benchAccuracy(
      {
        out: (line) => void (text += line),
        err: (line) => void (json ? undefined : console.error(line)),
        exit: () => undefined,
        loadConfig: () => loadConfig({ flags: { home: out } }),
      },
      { corpus: folder, out, json: true, ...(modelsDir ? { models: modelsDir } : {}) },
    );
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
  const report = JSON.parse(text) as AccuracyReport;
  if (!json)
    console.log(
      `${report.model} on ${folder}: EER ${(100 * report.eer.value).toFixed(2)} % (${(100 * report.eer.low).toFixed(2)} to ${(100 * report.eer.high).toFixed(2)}), ${report.trials.target} target and ${report.trials.impostor} impostor trials`,
    );
  return report;
}

if (process.argv[1] && import.meta.url.endsWith('/' + process.argv[1].split('/').at(-1))) {
  const args = process.argv.slice(2);
  const value = (name: string): string | undefined =>
    args.includes(name) ? args[args.indexOf(name) + 1] : undefined;
  const [corpus, modelsDir] = [value('--corpus'), value('--models')];
  const report = await run({
    json: args.includes('--json'),
    ...(corpus ? { corpus } : {}),
    ...(modelsDir ? { modelsDir } : {}),
  });
  if (args.includes('--json')) console.log(JSON.stringify(report));
}
