// One voice engine for all servers of a test worker, and one answer to the same question for all workers of a run. An engine
// is a function of bytes and options and keeps nothing between calls; but starting one takes seconds (its thread loads the
// models), and the tests enroll the same few recordings hundreds of times. Tests of the engine itself start their own.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Deserializer, Serializer } from 'node:v8';
import { inject } from 'vitest';
import { createEngine } from '../../src/inference/engine.js';
import { silentLog, systemClock } from '../../src/platform.js';
import type {
  AtCheckpoint,
  CheckpointReached,
  ProcessedAudio,
  ProcessOptions,
  VoiceEngine,
} from '../../src/voice/engine.js';

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

/** What is known of one recording: the checkpoints that were asked about, and the results by how many of them there were. */
interface Known {
  points: CheckpointReached[];
  /** Undefined: the end of the recording. */
  results: Map<number | undefined, ProcessedAudio>;
}

/** What any worker of this run knows. The last one to write an answer may know more of it or less; either is right. */
class SharedAnswers {
  readonly #folder = join(inject('runFolder'), 'engine');

  constructor() {
    mkdirSync(this.#folder, { recursive: true });
  }

  read(key: string): Known | undefined {
    try {
      const stored = new Deserializer(readFileSync(join(this.#folder, key)));
      stored.readHeader();
      return stored.readValue() as Known;
    } catch {
      return undefined;
    }
  }

  write(key: string, known: Known): void {
    // Arrays with memory of their own, as they come from the engine.
    const stored = new Serializer();
    stored.writeHeader();
    stored.writeValue(known);
    const fresh = join(this.#folder, `${key}.${process.pid}`);
    try {
      writeFileSync(fresh, stored.releaseBuffer());
      renameSync(fresh, join(this.#folder, key));
    } catch {
      // At the end of a run the folder is gone, and nobody will ask.
    }
  }
}

function remembering(real: VoiceEngine): VoiceEngine {
  // Outside of a run, as for pictures of the console, there is nobody to share with.
  const shared = process.env['VITEST'] ? new SharedAnswers() : undefined;
  const answers = new Map<string, Promise<Known>>();
  const remember = (key: string, known: Promise<Known>): void => {
    answers.delete(key);
    answers.set(key, known);
    // A failure is not an answer: whoever asks next asks the engine.
    known.then(
      (answer) => shared?.write(key, answer),
      () => answers.delete(key),
    );
    const oldest = answers.size > ANSWERS_MAX ? answers.keys().next().value : undefined;
    if (oldest !== undefined) answers.delete(oldest);
  };
  const processAudio: VoiceEngine['processAudio'] = async (input, options = {}, signal, atCheckpoint) => {
    const bytes = input instanceof Uint8Array ? input : await gather(input);
    const key = keyOf(bytes, options);
    const known = (await answers.get(key)?.catch(() => undefined)) ?? shared?.read(key);
    const asked = { bytes, options, signal };
    if (atCheckpoint) {
      const answered = await answerInSteps(
        real,
        asked,
        known ?? { points: [], results: new Map() },
        atCheckpoint,
      );
      if (answered.known !== known) remember(key, Promise.resolve(answered.known));
      return structuredClone(answered.result);
    }
    const whole = known?.results.get(undefined);
    if (whole) return structuredClone(whole);
    const answer = real.processAudio(bytes, options, signal);
    remember(
      key,
      answer.then((result) => ({
        points: known?.points ?? [],
        results: new Map([...(known?.results ?? []), [undefined, result]]),
      })),
    );
    return structuredClone(await answer);
  };
  return {
    model: real.model,
    detectors: real.detectors,
    processAudio,
    inspectAudio: (...asked) => real.inspectAudio(...asked),
    toWav: (...asked) => real.toWav(...asked),
    hearWords: (...asked) => real.hearWords(...asked),
    openStream: (...asked) => real.openStream(...asked),
    stats: () => real.stats(),
    healthy: () => real.healthy(),
    close: () => real.close(),
  };
}

/** Asks about the checkpoints that are known, and the engine only for what is not. */
async function answerInSteps(
  real: VoiceEngine,
  { bytes, options, signal }: { bytes: Uint8Array; options: ProcessOptions; signal: AbortSignal | undefined },
  known: Known,
  atCheckpoint: AtCheckpoint,
): Promise<{ known: Known; result: ProcessedAudio }> {
  const points = [...known.points];
  let enoughAfter: number | undefined;
  const ask = async (index: number): Promise<boolean> => {
    const enough = await atCheckpoint(structuredClone(points[index] as CheckpointReached));
    if (enough) enoughAfter = index + 1;
    return enough;
  };
  let count = 0;
  while (count < points.length && !(await ask(count))) count++;
  const remembered = known.results.get(enoughAfter);
  if (remembered) return { known, result: remembered };
  let at = 0;
  const result = await real.processAudio(bytes, options, signal, async (point) => {
    const index = at++;
    if (index < points.length) return index + 1 === enoughAfter;
    points.push(point);
    return ask(index);
  });
  return { known: { points, results: new Map([...known.results, [enoughAfter, result]]) }, result };
}

/** By what the answer depends on. */
function keyOf(bytes: Uint8Array, asked: ProcessOptions): string {
  const {
    deadlineAtMs: _deadlineAtMs,
    client: _client,
    priority: _priority,
    totalBytes: _total,
    ...options
  } = asked;
  return createHash('sha256').update(bytes).update(JSON.stringify(options)).digest('hex');
}

async function gather(input: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of input) chunks.push(chunk);
  return Buffer.concat(chunks);
}
