// Prompted words: scores the answers of a list and writes what the engine heard, one line of JSON each.
// `npx tsx bench/words.ts LIST.tsv [MODELS]`: lines of file (relative to the list) and expected words, separated by a tab.
// training/words makes such lists from speech packs and reads the result.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createEngine } from '../src/inference/engine.js';
import { silentLog, systemClock } from '../src/platform.js';

const LIST = process.argv[2];
if (LIST === undefined) throw new Error('usage: npx tsx bench/words.ts LIST.tsv [MODELS]');

const engine = await createEngine(
  { modelsDir: process.argv[3] ?? '', workers: 1, queueLimit: 8, jobTimeoutMs: 60_000 },
  { log: silentLog, clock: systemClock },
);
for (const line of readFileSync(LIST, 'utf8').split('\n').filter(Boolean)) {
  const [file = '', words = ''] = line.split('\t');
  const bytes = new Uint8Array(readFileSync(join(dirname(LIST), file)));
  const began = performance.now();
  const {
    verdict,
    media,
    words: heard,
  } = await engine.hearWords(bytes, { language: 'en', expected: words.split(' ') });
  const ms = performance.now() - began;
  process.stdout.write(
    `${JSON.stringify({ file, validity: verdict.validity, durationMs: media?.durationMs, ms, ...heard })}\n`,
  );
}
await engine.close();
