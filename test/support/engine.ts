// One voice engine for all servers of a test worker, which answers the same question once. An engine is a function of bytes
// and options and keeps nothing between calls; but starting one takes seconds (its thread compiles the sources and loads the
// models), and the tests enroll the same few recordings hundreds of times. Tests of the engine itself start their own.
import { createHash } from 'node:crypto';
import { createEngine } from '../../src/inference/engine.js';
import { silentLog, systemClock } from '../../src/platform.js';
import type { ProcessedAudio, ProcessOptions, VoiceEngine } from '../../src/voice/engine.js';

const JOB_TIMEOUT_MS = 120_000;
const QUEUE_LIMIT = 64;
const ANSWERS_MAX = 1000;

let engine: Promise<VoiceEngine> | undefined;

/** Never closed: it ends with the process. */
export function sharedEngine(): Promise<VoiceEngine> {
  engine ??= createEngine(
    { modelsDir: '', workers: 1, queueLimit: QUEUE_LIMIT, jobTimeoutMs: JOB_TIMEOUT_MS },
    { log: silentLog, clock: systemClock },
  ).then(remembering);
  return engine;
}

function remembering(real: VoiceEngine): VoiceEngine {
  const answers = new Map<string, Promise<ProcessedAudio>>();
  const processAudio: VoiceEngine['processAudio'] = async (input, options = {}, signal, atCheckpoint) => {
    if (atCheckpoint) return real.processAudio(input, options, signal, atCheckpoint);
    const bytes = input instanceof Uint8Array ? input : await gather(input);
    const key = keyOf(bytes, options);
    let answer = answers.get(key);
    if (!answer) {
      answer = real.processAudio(bytes, options, signal);
      answers.set(key, answer);
      // A failure is not an answer: whoever asks next asks the engine.
      answer.catch(() => answers.delete(key));
      const oldest = answers.size > ANSWERS_MAX ? answers.keys().next().value : undefined;
      if (oldest !== undefined) answers.delete(oldest);
    }
    return structuredClone(await answer);
  };
  return {
    model: real.model,
    detectors: real.detectors,
    processAudio,
    inspectAudio: (...asked) => real.inspectAudio(...asked),
    toWav: (...asked) => real.toWav(...asked),
    openStream: (...asked) => real.openStream(...asked),
    stats: () => real.stats(),
    healthy: () => real.healthy(),
    close: () => real.close(),
  };
}

function keyOf(bytes: Uint8Array, { deadlineMs: _deadlineMs, ...options }: ProcessOptions): string {
  return `${createHash('sha256').update(bytes).digest('hex')} ${JSON.stringify(options)}`;
}

async function gather(input: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of input) chunks.push(chunk);
  return Buffer.concat(chunks);
}
