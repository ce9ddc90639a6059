// The engine's speed on one core, per stage and in all, beside sherpa-onnx extracting with the same ONNX
// file; and the memory of a worker. Times are processor time, and the two take turns, so a busy machine blurs
// neither the figures nor their ratio.
//   npm run bench -- engine
//   npx tsx bench/engine.ts [--json] [--models DIR] [--seconds 3,10,60] [--rates 16000,8000] [--pause SECONDS] [--repeats N]
//                           [--no-peer] [--spoof] [--speech FILE.wav] [--soak FILES]
// With --spoof both attack checks run too; 4, 5 and 10 s are what their share of real time is told for.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findModels } from '../src/inference/engine.js';
import { loadModels } from '../src/inference/models/load-models.js';
import { readSpeakerModel } from '../src/inference/models/manifest.js';
import { FileListening, processAudio } from '../src/inference/process-audio.js';
import { decodeAudio } from '../src/voice/audio/decode-audio.js';
import { encodeWav } from '../src/voice/audio/encode-wav.js';
import { nonSpeech } from '../tools/attacks/non-speech-sounds.js';
import { measureCheckpoints, type CheckpointFigures } from './engine-checkpoints.js';
import { withMetadata } from './onnx-message.js';
import { median, type BenchOptions, type BenchReport } from './harness.js';

export interface EngineBenchOptions {
  seconds?: number[];
  rates?: number[];
  repeats?: number;
  modelsDir?: string;
  /** A recording of speech to cut and repeat; without it the sentences of a test voice. */
  speech?: { samples: Float32Array; sampleRateHz: number };
  /** Silence after each of these sentences. */
  pauseS?: number;
  spoof?: boolean;
  peer?: boolean;
  json?: boolean;
}

export interface EngineFigures {
  seconds: number;
  sampleRateHz: number;
  /** Only speech is embedded; the peer embeds everything. */
  netSpeechS: number;
  /** Milliseconds of processor time: of the quickest turn, by stage, and the median of all turns. */
  stages: Record<string, number>;
  totalMs: number;
  realTimeFactor: number;
  /** The peer's feature extraction and embedding of the same samples; no decoding, quality or speech detection. */
  peerMs?: number;
  peerRealTimeFactor?: number;
  /** Peer over ours: above 1 is faster than the peer. */
  ratio?: number;
  /** What the peer does, done by us: features and embedding. */
  comparableMs: number;
}

export interface SoakFigures {
  files: number;
  /** Resident memory after each tenth of the files. */
  residentMb: number[];
}

export interface EngineBenchReport {
  model: string;
  figures: EngineFigures[];
  residentMb: { before: number; after: number };
  /** For the longest recording at the first rate. */
  checkpoints: CheckpointFigures;
}

const processorMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

interface PeerExtractor {
  createStream(): {
    acceptWaveform(wave: { sampleRate: number; samples: Float32Array }): void;
    inputFinished(): void;
  };
  compute(stream: object): Float32Array;
}

/** The same network with the metadata that sherpa-onnx asks for, in a temporary copy. */
function openPeer(modelFile: string, dim: number): { extractor: PeerExtractor; close(): void } | undefined {
  let sherpa: { SpeakerEmbeddingExtractor: new (config: object) => PeerExtractor };
  try {
    sherpa = createRequire(import.meta.url)('sherpa-onnx-node') as typeof sherpa;
  } catch {
    return undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), 'voxgate-bench-'));
  const metadata = {
    framework: 'wespeaker', language: 'multilingual', url: '', comment: 'benchmark copy', sample_rate: '16000', output_dim: String(dim),
    normalize_samples: '0', feature_normalize_type: 'global-mean', window_type: 'hamming',
  }; // prettier-ignore
  const copy = join(folder, 'model.onnx');
  writeFileSync(copy, withMetadata(readFileSync(modelFile), metadata));
  const extractor = new sherpa.SpeakerEmbeddingExtractor({ model: copy, numThreads: 1, debug: false });
  return { extractor, close: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Speech of the wanted length and rate: the recording, repeated; every second sample for 8 kHz is good enough for timing. */
function material(
  speech: { samples: Float32Array; sampleRateHz: number },
  seconds: number,
  rate: number,
): Float32Array {
  const step = speech.sampleRateHz / rate;
  return Float32Array.from(
    { length: seconds * rate },
    (_, n) => speech.samples[Math.floor(n * step) % speech.samples.length] ?? 0,
  );
}

/** Sentences of a test voice, one after the other or with a pause after each, as people make them. */
async function testVoice(pauseS: number): Promise<{ samples: Float32Array; sampleRateHz: number }> {
  const parts: Float32Array[] = [];
  let sampleRateHz = 0;
  for (const sentence of [1, 2, 3, 4]) {
    const file = new URL(`../test/fixtures/voices/bruno/${sentence}.opus`, import.meta.url);
    const audio = await decodeAudio(readFileSync(file));
    if (!audio.ok) throw new Error(audio.reason);
    ({ sampleRateHz } = audio);
    parts.push(audio.samples, new Float32Array(pauseS * sampleRateHz));
  }
  const samples = Float32Array.from(parts.flatMap((part) => [...part]));
  return { samples, sampleRateHz };
}

interface Turn {
  ms: number;
  stages: Record<string, number>;
  netSpeechS: number;
}

async function ourTurn(
  models: Awaited<ReturnType<typeof loadModels>>,
  bytes: Uint8Array,
  spoof: boolean | undefined,
): Promise<Turn> {
  const start = processorMs();
  const asked = {
    treatAllAsSpeech: true,
    ...(spoof ? { spoof: { synthetic: true, playback: true } } : {}),
  };
  const value = await processAudio(new FileListening(models, bytes, asked, processorMs), () => undefined);
  return {
    ms: processorMs() - start,
    stages: value.timingsMs,
    netSpeechS: (value.voice?.netMs ?? 0) / 1000,
  };
}

function peerTurnMs(extractor: PeerExtractor, samples: Float32Array, rate: number): number {
  const start = processorMs();
  const stream = extractor.createStream();
  stream.acceptWaveform({ sampleRate: rate, samples });
  stream.inputFinished();
  extractor.compute(stream);
  return processorMs() - start;
}

export async function measure(options: EngineBenchOptions = {}): Promise<EngineBenchReport> {
  const { seconds = [3, 10, 60], rates = [16000, 8000], peer = true, json = false } = options;
  const before = process.memoryUsage().rss / 1e6;
  const folders = findModels({ modelsDir: options.modelsDir ?? '' });
  const files = readSpeakerModel(folders.speaker, false);
  const models = await loadModels(folders);
  const other = peer ? openPeer(files.modelFile, files.model.dim) : undefined;
  const speech = options.speech ?? (await testVoice(options.pauseS ?? 0));
  const figures: EngineFigures[] = [];
  for (const length of seconds) {
    for (const rate of rates) {
      const samples = material(speech, length, rate);
      const encoded = encodeWav(samples, rate);
      // A worker in service has long compiled its code; so must this one have.
      const repeats = options.repeats ?? Math.max(5, Math.round(60 / length));
      const [turns, peerMs]: [Turn[], number[]] = [[], []];
      for (let i = -Math.ceil(repeats / 2); i < repeats; i++) {
        const turn = await ourTurn(models, encoded, options.spoof);
        const peerTurn = other && peerTurnMs(other.extractor, samples, rate);
        if (i < 0) continue;
        turns.push(turn);
        if (peerTurn !== undefined) peerMs.push(peerTurn);
      }
      figures.push(figuresOf(length, rate, turns, peerMs));
      if (!json) console.log(describe(figures.at(-1) as EngineFigures));
    }
  }
  other?.close();
  // Long enough to reach the first checkpoint, also in a small run.
  const [rate = 16000, longest] = [rates[0], Math.max(...seconds, 6)];
  const checkpoints = await measureCheckpoints(
    models,
    {
      long: encodeWav(material(speech, longest, rate), rate),
      short: encodeWav(material(speech, 3, rate), rate),
    },
    options.repeats ?? 5,
    processorMs,
  );
  if (!json) console.log(describeCheckpoints(checkpoints, longest));
  const report = {
    checkpoints,
    model: files.model.revision,
    figures,
    residentMb: { before, after: process.memoryUsage().rss / 1e6 },
  };
  if (!json)
    console.log(
      `model ${report.model}; resident memory ${before.toFixed(0)} MB before, ${report.residentMb.after.toFixed(0)} MB after (one worker's models${peer ? ' and the peer' : ''})`,
    );
  return report;
}

function describeCheckpoints(c: CheckpointFigures, seconds: number): string {
  const ratio = (a: number, b: number): string =>
    `${a.toFixed(1)} ms, ${(a / b).toFixed(2)} times ${b.toFixed(1)} ms`;
  return (
    `match at 3 s of ${seconds} s: ${ratio(c.earlyMs, c.shortFileMs)} of a 3 s file; ` +
    `all checkpoints of ${seconds} s: ${ratio(c.allCheckpointsMs, c.onePassMs)} of one pass`
  );
}

function figuresOf(length: number, rate: number, turns: Turn[], peerMs: number[]): EngineFigures {
  const { stages, netSpeechS } = turns.reduce((best, turn) => (turn.ms < best.ms ? turn : best));
  const totalMs = median(turns.map((turn) => turn.ms));
  const peer = peerMs.length > 0 ? median(peerMs) : undefined;
  return {
    seconds: length,
    sampleRateHz: rate,
    netSpeechS,
    stages,
    totalMs,
    realTimeFactor: totalMs / 1000 / length,
    comparableMs: (stages['resample'] ?? 0) + (stages['features'] ?? 0) + (stages['embedding'] ?? 0),
    ...(peer === undefined
      ? {}
      : { peerMs: peer, peerRealTimeFactor: peer / 1000 / length, ratio: peer / totalMs }),
  };
}

const tinyArguments = ['--seconds', '1', '--rates', '16000', '--repeats', '1'];

/** In a process of its own, so that the peer's notes on standard error (one for each 8 kHz turn) do not bury the figures. */
async function measureApart(args: string[]): Promise<EngineBenchReport> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), fileURLToPath(import.meta.url), '--json', ...args],
    { maxBuffer: 2 ** 26 },
  );
  return JSON.parse(stdout) as EngineBenchReport;
}

/** `npm run bench -- engine`: bytes to result, everything that a verification needs but the score. */
export async function run({ tiny }: BenchOptions): Promise<BenchReport> {
  const lines: BenchReport['lines'] = [];
  const details: Record<string, unknown> = {};
  let model = '';
  for (const [name, pauseS] of [
    ['without pauses', 0],
    ['with pauses', 0.7],
  ] as const) {
    const report = await measureApart(['--pause', String(pauseS), ...(tiny ? tinyArguments : [])]);
    ({ model } = report);
    details[name] = report;
    for (const f of report.figures)
      lines.push({
        subject: `${f.seconds} s at ${f.sampleRateHz / 1000} kHz, ${name} (${f.netSpeechS.toFixed(1)} s of speech)`,
        peer: 'sherpa-onnx',
        unit: 'ms',
        value: f.totalMs,
        peerValue: f.peerMs ?? NaN,
        ratio: f.ratio ?? NaN,
        target: 1,
      });
    lines.push(...checkpointLines(name, report.checkpoints));
  }
  return {
    name: 'engine',
    compared: `bytes to result with ${model} (decoding, speech detection, quality, embedding of the speech, voice class) beside sherpa-onnx computing features and the embedding of all samples with the same ONNX file; processor time on one core. Voxgate runs the rearranged graph that is stored beside the file (model.rows.onnx), sherpa-onnx the file as it is`,
    lines,
    details,
  };
}

/** At most 1.3 and 1.25 times; the ratio here is the other way round. */
function checkpointLines(name: string, c: CheckpointFigures): BenchReport['lines'] {
  return [
    {
      subject: `a match at 3 s of 60 s, ${name}`,
      peer: 'a 3 s file',
      unit: 'ms',
      value: c.earlyMs,
      peerValue: c.shortFileMs,
      ratio: c.shortFileMs / c.earlyMs,
      target: 1 / 1.3,
    },
    {
      subject: `all checkpoints of 60 s without a match, ${name}`,
      peer: 'one pass',
      unit: 'ms',
      value: c.allCheckpointsMs,
      peerValue: c.onePassMs,
      ratio: c.onePassMs / c.allCheckpointsMs,
      target: 1 / 1.25,
    },
  ];
}

/** Many short files of all lengths through one set of models: memory must settle and stay. */
export async function soak(files: number, modelsDir = '', json = false): Promise<SoakFigures> {
  const models = await loadModels(findModels({ modelsDir }));
  const residentMb: number[] = [];
  const sounds = [1, 2, 3, 4].map((seed) => nonSpeech('organ', seed));
  for (let i = 1; i <= files; i++) {
    const { samples, sampleRateHz } = sounds[i % sounds.length] ?? nonSpeech('organ', 1);
    const length = Math.round(sampleRateHz * (0.3 + ((i * 7) % 20) / 20));
    const bytes = encodeWav(samples.subarray(0, length), sampleRateHz);
    await processAudio(new FileListening(models, bytes, { treatAllAsSpeech: true }), () => undefined);
    if (i % Math.max(1, Math.floor(files / 10)) === 0)
      residentMb.push(Math.round(process.memoryUsage().rss / 1e6));
  }
  if (!json) console.log(`${files} files: resident MB after each tenth: ${residentMb.join(' ')}`);
  return { files, residentMb };
}

function describe(f: EngineFigures): string {
  const stages = Object.entries(f.stages).map(([name, ms]) => `${name} ${ms.toFixed(1)}`);
  const peer =
    f.peerMs === undefined || f.ratio === undefined
      ? ''
      : `; sherpa-onnx (features + embedding) ${f.peerMs.toFixed(1)} ms, ratio ${f.ratio.toFixed(2)}; ours for the same ${f.comparableMs.toFixed(1)} ms`;
  return `${f.seconds} s (${f.netSpeechS.toFixed(1)} s of speech) at ${f.sampleRateHz} Hz: ${f.totalMs.toFixed(1)} ms, RTF ${f.realTimeFactor.toFixed(4)} (${stages.join(', ')})${peer}`;
}

function readWav(file: string): { samples: Float32Array; sampleRateHz: number } {
  const bytes = readFileSync(file);
  const data = new Int16Array(
    bytes.buffer.slice(bytes.byteOffset + 44, bytes.byteOffset + bytes.length - (bytes.length % 2)),
  );
  return { samples: Float32Array.from(data, (v) => v / 32768), sampleRateHz: bytes.readUInt32LE(24) };
}

if (process.argv[1] && import.meta.url.endsWith('/' + process.argv[1].split('/').at(-1))) {
  const args = process.argv.slice(2);
  const value = (name: string): string | undefined =>
    args.includes(name) ? args[args.indexOf(name) + 1] : undefined;
  const json = args.includes('--json');
  const [models, seconds, wav, soakFiles] = [
    value('--models'),
    value('--seconds'),
    value('--speech'),
    value('--soak'),
  ];
  const [rates, pause, repeats] = [value('--rates'), value('--pause'), value('--repeats')];
  if (soakFiles) {
    const figures = await soak(Number(soakFiles), models, json);
    if (json) console.log(JSON.stringify(figures));
    process.exit(0);
  }
  const report = await measure({
    json,
    peer: !args.includes('--no-peer'),
    spoof: args.includes('--spoof'),
    ...(models ? { modelsDir: models } : {}),
    ...(seconds ? { seconds: seconds.split(',').map(Number) } : {}),
    ...(rates ? { rates: rates.split(',').map(Number) } : {}),
    ...(pause ? { pauseS: Number(pause) } : {}),
    ...(repeats ? { repeats: Number(repeats) } : {}),
    ...(wav ? { speech: readWav(wav) } : {}),
  });
  if (json) console.log(JSON.stringify(report));
}
