// Throws mutated audio files, and files made to cost time, at every decoder. Run: npx tsx bench/fuzz-decoders.ts [files] [firstSeed]
// A child process decodes; its parent watches that it moves on. Fails on a crash, on a file that takes longer than two seconds of
// processor time, and on memory that keeps growing. The report names the slowest files.
import { fork } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { decodeAudio } from '../src/voice/audio/decode-audio.js';
import type { RawEncoding } from '../src/voice/audio/types.js';
import { mutate } from '../test/support/mutate.js';
import { timeBombs } from '../test/support/time-bombs.js';

const SLOWEST_MS_MAX = 2000;
const TRIES_MAX = 3;
const BOMB_BYTES = 50 * 1024 * 1024;
const SLOWEST_KEPT = 5;
/** By the wall clock, so that it also holds on a machine that is busy with other things. */
const STUCK_MS = 15 * 60_000;

interface Timed {
  ms: number;
  name: string;
  seed: number;
}

/**
 * Processor time of the whole process: what the system does for it counts too, and on a busy machine that can be seconds. A
 * file is slow only when it is slow every time.
 */
async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  let leastMs = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES_MAX && leastMs > SLOWEST_MS_MAX; tries++) {
    const began = process.cpuUsage();
    await work();
    const used = process.cpuUsage(began);
    leastMs = Math.min(leastMs, (used.user + used.system) / 1000);
  }
  return leastMs;
}

/** Crafted files of the largest size that is accepted, and of a fiftieth of it. */
async function explode(): Promise<Timed[]> {
  const times: Timed[] = [];
  for (const [name, make] of Object.entries(timeBombs))
    for (const bytes of [BOMB_BYTES / 50, BOMB_BYTES]) {
      process.send?.({ seed: bytes, name });
      const file = make(bytes);
      times.push({ ms: await cpuMs(() => decodeAudio(file)), name, seed: bytes });
    }
  return times;
}

const folder = new URL('../test/fixtures/formats/', import.meta.url);

async function fuzz(files: number, firstSeed: number): Promise<void> {
  const names = readdirSync(folder).sort();
  const originals = names.map((name) => readFileSync(new URL(name, folder)));
  const counts: Record<string, number> = {};
  const times = await explode();
  const memory: number[] = [];
  for (let i = 0; i < files; i++) {
    const seed = firstSeed + i;
    const which = i % names.length;
    const name = names[which] ?? '';
    const bytes = mutate(
      originals[which] ?? new Uint8Array(),
      originals[(seed * 7) % names.length] ?? new Uint8Array(),
      seed,
    );
    process.send?.({ seed, name });
    const encoding: RawEncoding = name.startsWith('alaw')
      ? 'alaw'
      : name.startsWith('mulaw')
        ? 'mulaw'
        : 's16le';
    let result: Awaited<ReturnType<typeof decodeAudio>> | undefined;
    const ms = await cpuMs(async () => {
      result = await decodeAudio(
        bytes,
        name.endsWith('.raw')
          ? { raw: { encoding, sampleRateHz: 8000, channels: 1 } }
          : { channel: seed % 2 },
      );
    });
    if (!result) throw new Error('no result');
    times.push({ ms, name, seed });
    times.sort((a, b) => b.ms - a.ms).splice(SLOWEST_KEPT);
    const outcome = result.ok ? 'decoded' : result.code;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
    if (result.ok && !result.samples.every((v) => v >= -1 && v <= 1))
      throw new Error(`samples out of range: ${name} seed ${seed}`);
    if (i % 2000 === 1999) {
      (globalThis as { gc?: () => void }).gc?.();
      memory.push(Math.round(process.memoryUsage().rss / 1048576));
    }
  }
  process.send?.({ report: { files, counts, slowest: times, rssMiB: memory } });
  process.disconnect();
}

function watch(files: number, firstSeed: number): void {
  const worker = fork(fileURLToPath(import.meta.url), ['child', String(files), String(firstSeed)], {
    execArgv: ['--expose-gc', '--import', 'tsx'],
  });
  let reported = false;
  let last = { seed: -1, name: '' };
  let moved = Date.now();
  const timer = setInterval(() => {
    if (Date.now() - moved < STUCK_MS) return;
    console.error(`no progress for ${STUCK_MS / 60_000} minutes: ${last.name} seed ${last.seed}`);
    worker.kill('SIGKILL');
    process.exit(1);
  }, 5000);
  worker.on('message', (message) => {
    const m = message as {
      seed?: number;
      name?: string;
      report?: { slowest: Timed[]; rssMiB: number[] };
    };
    moved = Date.now();
    if (m.report === undefined) {
      last = { seed: m.seed ?? -1, name: m.name ?? '' };
      return;
    }
    clearInterval(timer);
    reported = true;
    console.log(JSON.stringify(m.report));
    const third = Math.floor(m.report.rssMiB.length / 3);
    const mean = (v: number[]): number => v.reduce((a, b) => a + b, 0) / Math.max(1, v.length);
    const grew =
      third > 1 &&
      mean(m.report.rssMiB.slice(-third)) > 1.25 * mean(m.report.rssMiB.slice(third, 2 * third)) + 20;
    process.exitCode = (m.report.slowest[0]?.ms ?? 0) > SLOWEST_MS_MAX || grew ? 1 : 0;
  });
  worker.on('exit', (code) => {
    if (reported) return;
    console.error(`crash (exit ${code}) at ${last.name} seed ${last.seed}`);
    process.exit(1);
  });
}

if (process.argv[2] === 'child') await fuzz(Number(process.argv[3]), Number(process.argv[4]));
else watch(Number(process.argv[2] ?? 100_000), Number(process.argv[3] ?? 1));
