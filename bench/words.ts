// Prompted words: scores the answers of a list and writes what the engine heard, one line of JSON each.
// `npx tsx bench/words.ts LIST.tsv [MODELS]`: lines of file (relative to the list), expected words and, if the voice is to be
// compared, another file of the speaker, separated by tabs.
// training/words makes such lists from speech packs and reads the result.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { defaultParameters } from '../src/biometrics/model/parameters.js';
import { decideScore } from '../src/biometrics/rules/decide-score.js';
import { createEngine } from '../src/inference/engine.js';
import { silentLog, systemClock } from '../src/platform.js';
import { scoreSample } from '../src/voice/scoring/score.js';
import { buildTemplate } from '../src/voice/scoring/template.js';

const LIST = process.argv[2];
if (LIST === undefined) throw new Error('usage: npx tsx bench/words.ts LIST.tsv [MODELS]');

const engine = await createEngine(
  { modelsDir: process.argv[3] ?? '', workers: 1, queueLimit: 8, jobTimeoutMs: 60_000 },
  { log: silentLog, clock: systemClock },
);
const read = (file: string): Uint8Array => new Uint8Array(readFileSync(join(dirname(LIST), file)));

/** As DetectLiveness compares, with the parameters of a new config set. */
async function compare(answer: Uint8Array, reference: Uint8Array): Promise<object> {
  const [said, known] = [await engine.processAudio(answer), await engine.processAudio(reference)];
  const { validity } = said.verdict;
  if (!said.voice || !known.voice) return { validity };
  const { model } = engine;
  const { llr, reliability } = scoreSample(model, buildTemplate(model, [known.voice]), said.voice);
  const scale = { side: 'AUTHENTICATION', model, parameters: defaultParameters } as const;
  const { decision } = decideScore(scale, { llr, reliability }, 1);
  return { validity, netMs: said.quality?.netMs, llr, reliability, decision };
}

for (const line of readFileSync(LIST, 'utf8').split('\n').filter(Boolean)) {
  const [file = '', words = '', reference] = line.split('\t');
  const bytes = read(file);
  const began = performance.now();
  const {
    verdict,
    media,
    words: heard,
  } = await engine.hearWords(bytes, { language: 'en', expected: words.split(' ') });
  const ms = performance.now() - began;
  const voice = reference === undefined ? undefined : await compare(bytes, read(reference));
  process.stdout.write(
    `${JSON.stringify({ file, validity: verdict.validity, durationMs: media?.durationMs, ms, ...heard, ...(voice && { voice }) })}\n`,
  );
}
await engine.close();
