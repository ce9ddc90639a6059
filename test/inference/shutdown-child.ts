// Closes the engine while its workers are inside the ONNX runtime; the process must live to say so.
import { readFileSync } from 'node:fs';
import { createEngine } from '../../src/inference/engine.js';
import { silentLog, systemClock } from '../../src/platform.js';

const speech = readFileSync(process.argv[2] ?? '');
const engine = await createEngine(
  { modelsDir: '', workers: 1, queueLimit: 8, jobTimeoutMs: 60_000 },
  { log: silentLog, clock: systemClock },
);
const spoof = { synthetic: true, playback: true };
const codes: string[] = [];
const note = (work: Promise<unknown>): Promise<void> =>
  work.then(
    () => void codes.push('OK'),
    (error: { code?: string }) => void codes.push(error.code ?? String(error)),
  );
await engine.processAudio(speech, { spoof });
for (const wait of [5, 40, 120]) {
  // Canceled in the middle: the worker goes on for a while, and must not be ended there.
  const abort = new AbortController();
  const canceled = note(engine.processAudio(speech, { spoof }, abort.signal));
  setTimeout(() => abort.abort(), wait);
  await canceled;
}
const running = [1, 2, 3].map(() => note(engine.processAudio(speech, { spoof })));
await new Promise((resolve) => setTimeout(resolve, 30));
await engine.close();
await Promise.all(running);
process.stdout.write(JSON.stringify(codes));
