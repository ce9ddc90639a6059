// What a batch costs: recordings per second beside the engine alone on as many workers, and how long live calls and single
// verifications wait while a batch runs beside how long they wait without one. All of it in one run, one after another, with the
// processor time of each, so that a busy machine can be told from a slow program.
//   npm run bench -- batch --seconds 60 [--calls N]
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine } from '../src/inference/engine.js';
import { silentLog, systemClock } from '../src/platform.js';
import { Callers, Figures, makeRecordings } from './live-callers.js';
import { median, type BenchLine, type BenchOptions, type BenchReport } from './harness.js';
import { accepted, BenchPlatform, clip, trainPrint, voices } from './service-platform.js';

const CALLS = 8;
/** Short, so that many are decided. */
const CALL_MS = 9000;
const TALKING = 0.7;
const THROUGHPUT_MIN = 0.85;
/** At most a fifth worse. */
const WAIT_RATIO_MIN = 1 / 1.2;
/** More than can be done while others are measured. */
const LINES_BESIDE = 20_000;
const LINES_PER_SECOND = 4;
const LINES_ALONE_MAX = 400;
/** Seldom: whoever looks takes processor time from what is looked at. */
const POLL_MS = 500;
/** A batch is alone once callers count as gone (src/inference/pool/background-share.ts). */
const CALLERS_GONE_MS = 6000;
/** However little time there is: a figure for each turn. */
const FIGURES_MIN = 2;
const JOB_TIMEOUT_MS = 120_000;
const QUEUE_LIMIT = 64;

const p95 = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(0.95 * values.length)] ?? NaN;
const elapsed = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export async function run(options: BenchOptions): Promise<BenchReport> {
  const { tiny, calls = tiny ? 1 : CALLS } = options;
  const names = voices.slice(0, tiny ? 1 : voices.length);
  const loadBefore = loadavg();
  const folder = mkdtempSync(join(tmpdir(), 'voxgate-bench-batch-'));
  const files = names.flatMap((voice) => [4, 5].map((index) => `${voice}/${index}.opus`));
  for (const file of files)
    cpSync(new URL(`../test/fixtures/voices/${file}`, import.meta.url), join(folder, file));
  const workers = Math.min(availableParallelism(), 4);
  const platform = await BenchPlatform.start({
    VOXGATE_BATCH_FOLDER: folder,
    VOXGATE_ENGINE_WORKERS: String(workers),
  });
  try {
    const prints: string[] = [];
    for (const voice of names) {
      const clips = await Promise.all([1, 2, 3].map((index) => clip(voice, index, 4)));
      prints.push(await trainPrint(platform, voice, clips));
    }
    const phaseMs = options.seconds * 1000;
    const waits = await besideBatch(platform, { names, prints, files, calls, phaseMs });
    await elapsed(tiny ? 0 : CALLERS_GONE_MS);
    const lines = tiny ? files.length : Math.min(LINES_ALONE_MAX, LINES_PER_SECOND * options.seconds);
    const alone = await batchAlone(platform, files, lines);
    const engine = await engineAlone(folder, files, lines, workers);
    return {
      name: 'batch',
      compared: `${lines} recordings verified by a batch and heard by ${workers} workers alone; ${calls} live calls and one caller who verifies, with and without a batch`,
      lines: [
        {
          subject: 'batch',
          peer: 'engine alone',
          unit: 'recordings/s',
          value: alone.perSecond,
          peerValue: engine.perSecond,
          ratio: alone.perSecond / engine.perSecond,
          target: THROUGHPUT_MIN,
        },
        waiting('live decision, p95, beside a batch', waits.live),
        waiting('Verify, p95, beside a batch', waits.verify),
      ],
      details: {
        ...waits.details,
        alone,
        engine,
        loadBefore,
        loadAfter: loadavg(),
        program: platform.program,
      },
    };
  } finally {
    await platform.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Waits {
  without: readonly number[];
  beside: readonly number[];
}

function waiting(subject: string, { without, beside }: Waits): BenchLine {
  const [peerValue, value] = [p95(without), p95(beside)];
  return {
    subject,
    peer: 'without',
    unit: 'ms',
    value,
    peerValue,
    ratio: peerValue / value,
    target: WAIT_RATIO_MIN,
  };
}

/** Turn by turn, with and without a batch, so that whatever else the machine does meets both. */
async function besideBatch(
  platform: BenchPlatform,
  {
    names,
    prints,
    files,
    calls,
    phaseMs,
  }: {
    names: readonly string[];
    prints: readonly string[];
    files: readonly string[];
    calls: number;
    phaseMs: number;
  },
): Promise<{ live: Waits; verify: Waits; details: object }> {
  const recordings = await makeRecordings(names, TALKING);
  const callers = new Callers(platform, { lines: calls, callMs: CALL_MS, recordings, prints });
  const lines = await callers.dialAll(CALL_MS);
  const live = { without: [] as number[], beside: [] as number[] };
  const verify = { without: [] as number[], beside: [] as number[] };
  let linesEnded = 0;
  const turns = 4;
  for (let turn = 0; turn < turns; turn++) {
    const kind = turn % 2 === 0 ? 'without' : 'beside';
    const batch = kind === 'beside' ? await startBatch(platform, files, LINES_BESIDE) : undefined;
    if (batch) while ((await endedOf(platform, batch)) === 0) await elapsed(POLL_MS);
    callers.figures = new Figures();
    const isEnough = (): boolean => callers.figures.decisionMs.length >= FIGURES_MIN;
    verify[kind].push(...(await verifyFor(platform, prints, phaseMs / turns, isEnough)));
    live[kind].push(...callers.figures.decisionMs);
    if (batch) linesEnded += await cancel(platform, batch);
  }
  await callers.hangUp(lines);
  const medians = {
    liveMedianMs: { without: median(live.without), beside: median(live.beside) },
    verifyMedianMs: { without: median(verify.without), beside: median(verify.beside) },
  };
  const counts = {
    decisions: live.without.length + live.beside.length,
    verifications: verify.without.length + verify.beside.length,
  };
  return { live, verify, details: { ...medians, ...counts, batchLinesBeside: linesEnded } };
}

/** One caller, one verification after another; in milliseconds each. */
async function verifyFor(
  platform: BenchPlatform,
  prints: readonly string[],
  ms: number,
  isEnough: () => boolean,
): Promise<number[]> {
  const untilMs = performance.now() + ms;
  const context = await platform.open();
  const wav = await clip(voices[0], 4, 4);
  const waits: number[] = [];
  while (performance.now() < untilMs || waits.length < FIGURES_MIN || !isEnough()) {
    const { media } = await platform.upload(context, wav);
    const answer = await platform.post(`/v1/voiceprints/${prints[0]}/verification`, {
      context,
      gkMediaSegmentId: media,
    });
    accepted(answer);
    waits.push(answer.milliseconds);
  }
  return waits;
}

async function startBatch(platform: BenchPlatform, files: readonly string[], lines: number): Promise<string> {
  const rows = Array.from({ length: lines }, (_, line) => {
    const file = files[line % files.length] as string;
    return `${file.split('/')[0]},${file}`;
  });
  const started = await platform.post('/v1/batches:check', {
    context: { gkScopeId: { value: platform.gkScopeId }, configsetId: platform.configsetId },
    tag: 'main',
    manifest: ['speaker_id,file', ...rows].join('\n'),
  });
  return accepted(started).gkJobId as string;
}

async function endedOf(platform: BenchPlatform, gkJobId: string): Promise<number> {
  const { batch } = accepted(await platform.list(`/v1/batches/${gkJobId}`));
  return ((batch.done ?? 0) + (batch.failed ?? 0) + (batch.refused ?? 0)) as number;
}

/** How many of its lines were done. */
async function cancel(platform: BenchPlatform, gkJobId: string): Promise<number> {
  const context = { gkScopeId: { value: platform.gkScopeId } };
  accepted(await platform.post(`/v1/batches/${gkJobId}:cancel`, { context }));
  return endedOf(platform, gkJobId);
}

interface Speed {
  perSecond: number;
  cpuMsPerRecording: number;
}

async function batchAlone(platform: BenchPlatform, files: readonly string[], lines: number): Promise<Speed> {
  const cpuMsBefore = platform.cpuMs();
  const gkJobId = await startBatch(platform, files, lines);
  const read = async () => accepted(await platform.list(`/v1/batches/${gkJobId}`)).batch;
  let batch = await read();
  for (; batch.state !== 'BATCH_STATE_COMPLETED'; batch = await read()) await elapsed(POLL_MS);
  if (batch.done !== lines) throw new Error(`lines failed: ${JSON.stringify(batch.reasons)}`);
  const [from, to] = [batch.creationTimestamp, batch.modificationTimestamp].map((time) => Date.parse(time));
  const seconds = ((to ?? NaN) - (from ?? NaN)) / 1000;
  return { perSecond: lines / seconds, cpuMsPerRecording: (platform.cpuMs() - cpuMsBefore) / lines };
}

/** The same recordings, as fast as the workers take them; nothing is stored. */
async function engineAlone(
  folder: string,
  files: readonly string[],
  lines: number,
  workers: number,
): Promise<Speed> {
  const contents = files.map((file) => new Uint8Array(readFileSync(join(folder, file))));
  const config = { modelsDir: '', workers, queueLimit: QUEUE_LIMIT, jobTimeoutMs: JOB_TIMEOUT_MS };
  const engine = await createEngine(config, { log: silentLog, clock: systemClock });
  try {
    const hear = (line: number) => engine.processAudio(contents[line % contents.length] as Uint8Array);
    // Every worker has loaded its models before the clock runs.
    await Promise.all(Array.from({ length: 2 * workers }, (_, line) => hear(line)));
    const before = { cpu: process.cpuUsage(), atMs: performance.now() };
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < lines) await hear(next++);
    };
    await Promise.all(Array.from({ length: 2 * workers }, work));
    const seconds = (performance.now() - before.atMs) / 1000;
    const { user, system } = process.cpuUsage(before.cpu);
    return { perSecond: lines / seconds, cpuMsPerRecording: (user + system) / 1000 / lines };
  } finally {
    await engine.close();
  }
}
