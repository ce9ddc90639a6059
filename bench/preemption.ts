// `npm run bench -- preemption`: what a short call of one client waits while another client has four long files processed (ADR 61), and
// what that costs the long ones. Waiting is by the clock, beside the same calls on the idle engine; work is processor time.
import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { createEngine } from '../src/inference/engine.js';
import { silentLog, systemClock } from '../src/platform.js';
import { decodeAudio } from '../src/voice/audio/decode-audio.js';
import { encodeWav } from '../src/voice/audio/encode-wav.js';
import type { VoiceEngine } from '../src/voice/engine.js';
import { median, type BenchOptions, type BenchReport } from './harness.js';

const LONG_FILES = 4;
const LONG_SECONDS = 12 * 60;
const LONG_SECONDS_TINY = 20;
const ALONE_CALLS = 10;
const JOB_TIMEOUT_MS = 3600_000;
const RATE_HZ = 16_000;

async function utterance(index: number): Promise<Float32Array> {
  const file = join(import.meta.dirname, '..', 'test', 'fixtures', 'voices', 'anna', `${index}.opus`);
  const decoded = await decodeAudio(readFileSync(file));
  if (!decoded.ok) throw new Error(decoded.reason);
  return decoded.samples;
}

/** Sentences again and again, until it is long enough. */
async function longFile(seconds: number): Promise<Uint8Array> {
  const sentences = [await utterance(1), await utterance(2), await utterance(3)];
  const samples = new Float32Array(seconds * RATE_HZ);
  for (let at = 0, index = 0; at < samples.length; index++) {
    const sentence = sentences[index % sentences.length] ?? new Float32Array(1);
    samples.set(sentence.subarray(0, samples.length - at), at);
    at += sentence.length;
  }
  return encodeWav(samples, RATE_HZ);
}

const processorSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

async function waitOf(engine: VoiceEngine, bytes: Uint8Array): Promise<number> {
  const startedMs = performance.now();
  await engine.processAudio(bytes, { client: 'short' });
  return performance.now() - startedMs;
}

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? NaN;

export async function run({ tiny }: BenchOptions): Promise<BenchReport> {
  const seconds = tiny ? LONG_SECONDS_TINY : LONG_SECONDS;
  const workers = tiny ? 1 : Math.min(2, cpus().length);
  const engine = await createEngine(
    { modelsDir: '', workers, queueLimit: 64, jobTimeoutMs: JOB_TIMEOUT_MS },
    { log: silentLog, clock: systemClock },
  );
  try {
    const short = encodeWav(await utterance(4), RATE_HZ);
    const long = await longFile(seconds);
    // Models are loaded.
    await Promise.all(Array.from({ length: workers }, () => waitOf(engine, short)));
    const alone: number[] = [];
    for (let call = 0; call < (tiny ? 3 : ALONE_CALLS); call++) alone.push(await waitOf(engine, short));
    const aloneSpentS = await spent(() => engine.processAudio(long, { client: 'long' }));

    const beside: number[] = [];
    let running = LONG_FILES;
    const besideSpentS = await spent(async () => {
      const files = Array.from({ length: LONG_FILES }, async () => {
        await engine.processAudio(long, { client: 'long' });
        running -= 1;
      });
      while (running > 0) beside.push(await waitOf(engine, short));
      await Promise.all(files);
    });
    const shortSpentS = await spent(() => waitOf(engine, short));
    return reportOf({ alone, beside, seconds, workers, aloneSpentS, besideSpentS, shortSpentS });
  } finally {
    await engine.close();
  }
}

async function spent(work: () => Promise<unknown>): Promise<number> {
  const before = processorSeconds();
  await work();
  return processorSeconds() - before;
}

interface Measured {
  alone: number[];
  beside: number[];
  seconds: number;
  workers: number;
  aloneSpentS: number;
  besideSpentS: number;
  shortSpentS: number;
}

function reportOf(measured: Measured): BenchReport {
  const { alone, beside, seconds, workers, aloneSpentS, besideSpentS, shortSpentS } = measured;
  const perFileS = (besideSpentS - beside.length * shortSpentS) / LONG_FILES;
  const p95 = { value: percentile(beside, 0.95), peerValue: percentile(alone, 0.95) };
  return {
    name: 'preemption',
    compared: `short calls beside ${LONG_FILES} files of ${seconds} s of another client, ${workers} workers`,
    lines: [
      { subject: 'short call, p95', peer: 'alone', unit: 'ms', ...p95, ratio: p95.peerValue / p95.value },
      {
        subject: 'long file, speed',
        peer: 'alone',
        unit: 's of audio per s of processor time',
        value: seconds / perFileS,
        peerValue: seconds / aloneSpentS,
        ratio: aloneSpentS / perFileS,
      },
    ],
    details: {
      shortCalls: beside.length,
      medianMs: { alone: median(alone), beside: median(beside) },
      worstMs: Math.max(...beside),
      load: loadavg()[0],
    },
  };
}
