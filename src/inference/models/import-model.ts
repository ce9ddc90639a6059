// Imports a custom speaker model: any ONNX network from [B, T, 80] log-mel features to one embedding. Checks
// the network, embeds a corpus with it, makes a cohort, fits the calibration and the thresholds, and writes a
// model folder that is used like the bundled ones.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InferenceSession as Session } from 'onnxruntime-node';
import { fitCalibration, thresholdsFor } from '../../voice/calibration/fit.js';
import { weightedMean } from '../../voice/embedding/vector.js';
import { standardFeatures } from '../../voice/features/mel.js';
import { calibrate, calibrationTerms, conditionsOf, normalizedCosine } from '../../voice/scoring/score.js';
import type { ScoringSettings, SpeakerModel, VoiceSample } from '../../voice/scoring/speaker-model.js';
import { buildTemplate } from '../../voice/scoring/template.js';
import { sha256 } from './sha256.js';

interface NetworkShape {
  input: string;
  output: string;
  dim: number;
}

const TRIAL_FRAMES = 200;

/** Runs the network once on features of a plausible size: the only way to be sure of its shape. */
export async function inspectNetwork(file: string): Promise<NetworkShape> {
  // Imported here and not above: the server imports every command, but needs the runtime only in its workers.
  const { InferenceSession, Tensor } = await import('onnxruntime-node');
  const session = await InferenceSession.create(file, { intraOpNumThreads: 1, logSeverityLevel: 3 });
  const [input, ...more] = session.inputNames;
  if (!input || more.length > 0)
    throw new Error(`${file}: must have one input, has ${session.inputNames.length}`);
  const { melBins } = standardFeatures;
  const features = Float32Array.from({ length: TRIAL_FRAMES * melBins }, (_, i) => Math.sin(i * 0.37) * 3);
  let outputs: Session.OnnxValueMapType;
  try {
    outputs = await session.run({ [input]: new Tensor('float32', features, [1, TRIAL_FRAMES, melBins]) });
  } catch (cause) {
    throw new Error(`${file}: does not take features of shape [1, ${TRIAL_FRAMES}, ${melBins}]`, { cause });
  }
  // Some exports have a second output with frame-level values; the embedding is the one of shape [1, D].
  for (const output of session.outputNames) {
    const value = outputs[output];
    if (!(value instanceof Tensor) || !(value.data instanceof Float32Array)) continue;
    const dims = value.dims.filter((d) => d !== 1);
    if (dims.length !== 1 || !value.data.every(Number.isFinite)) continue;
    return { input, output, dim: dims[0] ?? 0 };
  }
  throw new Error(`${file}: has no output of shape [1, D]`);
}

const scoring: Omit<ScoringSettings, 'coefficients'> = {
  netTestClampS: [0.5, 30],
  netEnrolClampS: [0.5, 120],
  snrClampDb: [0, 30],
  llrClamp: [-20, 20],
};
const rates = [0.01, 0.001, 0.0001] as const;

export interface Labeled {
  speaker: string;
  voice: VoiceSample;
}

const half = new Float32Array(1);
const halfBits = new Uint32Array(half.buffer);

/** Rounds a float of magnitude at most one to the bits of a half float. */
export function halfFromFloat(value: number): number {
  half[0] = value;
  const bits = halfBits[0] ?? 0;
  const sign = (bits >>> 16) & 0x8000;
  const exponent = ((bits >>> 23) & 0xff) - 112;
  if (exponent >= 31) return sign | 0x7bff;
  if (exponent <= 0) return sign | Math.round(Math.abs(value) * 2 ** 24);
  const rounded = (exponent << 10) + ((bits & 0x7fffff) >>> 13) + ((bits >>> 12) & 1);
  return sign | rounded;
}

interface Calibrated {
  coefficients: number[];
  thresholds: { far: number; llr: number; trials: number; accepts: number }[];
  cohort: Float32Array[];
  trials: { target: number; impostor: number };
}

/** Half of the speakers become the cohort, the others provide the trials. */
export function calibrateOn(revision: string, dim: number, labeled: readonly Labeled[]): Calibrated {
  const bySpeaker = new Map<string, VoiceSample[]>();
  for (const { speaker, voice } of labeled)
    bySpeaker.set(speaker, [...(bySpeaker.get(speaker) ?? []), voice]);
  const speakers = [...bySpeaker.keys()].sort();
  if (speakers.length < 8)
    throw new Error(`calibration needs recordings of at least 8 speakers, found ${speakers.length}`);
  const mean = (samples: readonly VoiceSample[]): Float32Array =>
    weightedMean(
      samples.map((s) => s.embedding),
      samples.map((s) => s.netMs),
    );
  const cohort = speakers.filter((_, i) => i % 2 === 0).map((speaker) => mean(bySpeaker.get(speaker) ?? []));
  const rows = Float32Array.from(cohort.flatMap((row) => [...row]));
  const model: SpeakerModel = {
    revision,
    dim,
    cohort: {
      wide: rows,
      narrow: rows,
      dim,
      topN: Math.min(100, Math.max(1, Math.floor(cohort.length / 2))),
      minSd: 0.02,
    },
    scoring: { ...scoring, coefficients: [] },
    thresholds: [],
  };
  const testers = speakers
    .filter((_, i) => i % 2 === 1)
    .flatMap((speaker) => (bySpeaker.get(speaker) ?? []).map((voice) => ({ speaker, voice })));
  const trials: { terms: number[]; target: boolean }[] = [];
  testers.forEach((a, i) => {
    const template = buildTemplate(model, [a.voice]);
    for (const b of testers.slice(i + 1)) {
      const { cosine, z } = normalizedCosine(model, template, b.voice);
      trials.push({
        terms: calibrationTerms(model.scoring, cosine, z, conditionsOf(template, b.voice)),
        target: a.speaker === b.speaker,
      });
    }
  });
  const coefficients = fitCalibration(trials);
  const settings = { ...scoring, coefficients };
  const impostors = trials.filter((trial) => !trial.target).map((trial) => calibrate(settings, trial.terms));
  const target = trials.length - impostors.length;
  return {
    coefficients,
    thresholds: thresholdsFor(impostors, rates),
    cohort,
    trials: { target, impostor: impostors.length },
  };
}

/** Writes the folder; without `calibrated` the scores stay provisional and cannot decide anything. */
export function writeModelFolder(
  folder: string,
  { name, revision }: { name: string; revision: string },
  onnxFile: string,
  shape: NetworkShape,
  calibrated: Calibrated | undefined,
): void {
  mkdirSync(folder, { recursive: true });
  copyFileSync(onnxFile, join(folder, 'model.onnx'));
  let cohort: object | null = null;
  if (calibrated) {
    const halves = Uint16Array.from(
      [...calibrated.cohort, ...calibrated.cohort].flatMap((row) => Array.from(row, halfFromFloat)),
    );
    const bytes = new Uint8Array(halves.buffer);
    writeFileSync(join(folder, 'cohort.bin'), bytes);
    const rows = calibrated.cohort.length;
    const topN = Math.min(100, Math.max(1, Math.floor(rows / 2)));
    cohort = {
      file: 'cohort.bin',
      sha256: sha256(bytes),
      dtype: 'float16',
      dim: shape.dim,
      wide_rows: rows,
      narrow_rows: rows,
      top_n: topN,
      min_sd: 0.02,
    };
  }
  const f = standardFeatures;
  const manifest = {
    format: 1, kind: 'speaker', name, revision, file: 'model.onnx', sha256: sha256(readFileSync(onnxFile)),
    input: shape.input, output: shape.output, embedding_dim: shape.dim,
    features: {
      type: 'kaldi-logmel', sample_rate: f.sampleRateHz, sample_scale: f.sampleScale, frame_length: f.frameLength, frame_shift: f.frameShift, snip_edges: true,
      remove_dc: true, preemphasis: f.preemphasis, window: 'hamming', fft_size: f.fftSize, power: true, mel_bins: f.melBins, mel_low_hz: f.melLowHz,
      mel_high_hz: f.melHighHz, log_floor: f.logFloor, mean_norm: true, dither: 0,
    },
    window: { min_frames: 50, max_frames: 1000 },
    cohort,
    scoring: {
      method: calibrated ? 'cosine-asnorm-llr-1' : 'uncalibrated',
      coefficients: calibrated?.coefficients ?? [-20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
      net_test_clamp: scoring.netTestClampS, net_enrol_clamp: scoring.netEnrolClampS, snr_clamp_db: scoring.snrClampDb, llr_clamp: scoring.llrClamp,
    },
    thresholds: calibrated?.thresholds ?? rates.map((far) => ({ far, llr: 0, trials: 0, accepts: 0 })),
    evaluation: calibrated ? { trials: calibrated.trials } : {},
    sources: [],
  }; // prettier-ignore
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 1)}\n`);
}
