// Throws mutated audio files at every decoder. Run: npx tsx bench/fuzz-decoders.ts [files] [firstSeed]
// A child process decodes; its parent watches that it moves on. Fails on a crash, on a file that takes longer than a second of
// processor time, and on memory that keeps growing.
import { fork } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { decodeAudio } from '../src/voice/audio/decode-audio.js';
import type { RawEncoding } from '../src/voice/audio/types.js';
import { mutate } from '../test/support/mutate.js';

const folder = new URL('../test/fixtures/formats/', import.meta.url);

async function fuzz(files: number, firstSeed: number): Promise<void> {
  const names = readdirSync(folder).sort();
  const originals = names.map((name) => readFileSync(new URL(name, folder)));
  const counts: Record<string, number> = {};
  const slowest = { ms: 0, name: '', seed: 0 };
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
    const began = process.cpuUsage();
    const result = await decodeAudio(
      bytes,
      name.endsWith('.raw') ? { raw: { encoding, sampleRateHz: 8000, channels: 1 } } : { channel: seed % 2 },
    );
    const used = process.cpuUsage(began);
    const ms = (used.user + used.system) / 1000;
    if (ms > slowest.ms) Object.assign(slowest, { ms, name, seed });
    const outcome = result.ok ? 'decoded' : result.code;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
    if (result.ok && !result.samples.every((v) => v >= -1 && v <= 1))
      throw new Error(`samples out of range: ${name} seed ${seed}`);
    if (i % 2000 === 1999) {
      (globalThis as { gc?: () => void }).gc?.();
      memory.push(Math.round(process.memoryUsage().rss / 1048576));
    }
  }
  process.send?.({ report: { files, counts, slowest, rssMiB: memory } });
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
    if (Date.now() - moved < 60_000) return;
    console.error(`no progress for a minute: ${last.name} seed ${last.seed}`);
    worker.kill('SIGKILL');
    process.exit(1);
  }, 5000);
  worker.on('message', (message) => {
    const m = message as {
      seed?: number;
      name?: string;
      report?: { slowest: { ms: number }; rssMiB: number[] };
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
    process.exitCode = m.report.slowest.ms > 1000 || grew ? 1 : 0;
  });
  worker.on('exit', (code) => {
    if (reported) return;
    console.error(`crash (exit ${code}) at ${last.name} seed ${last.seed}`);
    process.exit(1);
  });
}

if (process.argv[2] === 'child') await fuzz(Number(process.argv[3]), Number(process.argv[4]));
else watch(Number(process.argv[2] ?? 100_000), Number(process.argv[3] ?? 1));
