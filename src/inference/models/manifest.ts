// Reading models from disk: the manifest of a model folder, checked field by field, and the files it
// names, checked by their hash. A model carries its own feature settings, calibration and thresholds.
import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, readdirSync, readSync } from 'node:fs';
import { basename, join } from 'node:path';
import { standardFeatures } from '../../voice/features/mel.js';
import type { FeatureSettings } from '../../voice/features/mel.js';
import { normalized } from '../../voice/embedding/vector.js';
import type { WindowLimits } from '../../voice/embedding/embed-speech.js';
import { CALIBRATION_TERMS } from '../../voice/scoring/score.js';
import type { Cohort, LikenessLines, Range, SpeakerModel } from '../../voice/scoring/speaker-model.js';
import type { DetectorInfo, DetectorKind } from '../../voice/spoof/detector.js';
import { familiarityMeasures, type FamiliarityLimit } from '../../voice/spoof/evidence.js';
import { promptLanguages, promptWords } from '../../voice/words/model.js';
import type { WordCalibration } from '../../voice/words/score-words.js';
import type { Weights } from '../weights/byte-products.js';
import { ManifestReader } from './manifest-reader.js';
import type { PackedFile } from './open-packed.js';

export interface SpeakerModelFiles {
  modelFile: string;
  /**
   * The same network rearranged for speed; absent if there is none, or if it was made from a different file.
   */
  packed?: PackedFile;
  input: string;
  output: string;
  features: FeatureSettings;
  window: WindowLimits;
  model: SpeakerModel;
}

interface DetectorFiles {
  modelFile: string;
  /** How its 8-bit weights are stored; absent if it computes with floats alone. */
  weights?: Weights;
  /** The same network with the other weights, for processors that need them. */
  otherFile?: string;
  input: string;
  output: string;
  /**
   * Further outputs, if the network has them: the votes of its members, and how far the audio is from the
   * training data.
   */
  members?: string;
  distance?: string;
  info: DetectorInfo;
}

type ModelKind = 'speaker' | DetectorKind | 'vad' | 'words';

/** Folder names of one kind, oldest revision first. */
export function listModels(modelsDir: string, kind: ModelKind): string[] {
  if (!existsSync(modelsDir)) return [];
  return readdirSync(modelsDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.startsWith(`${kind}-`))
    .map((entry) => entry.name)
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/** The model that `defaults.json` beside the model folders names, or else the last one of its kind. */
export function defaultModel(modelsDir: string, kind: ModelKind): string | undefined {
  const file = join(modelsDir, 'defaults.json');
  if (existsSync(file)) {
    const named = (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>)[kind];
    if (typeof named === 'string') return named;
  }
  return listModels(modelsDir, kind).at(-1);
}

/** The path of a file, after checking its hash; read in pieces, because only ONNX Runtime needs it whole. */
function checkedFile(folder: string, name: string, sha256: string): string {
  if (name !== basename(name)) throw new Error(`${folder}: file name ${name} leaves the model folder`);
  const path = join(folder, name);
  const hash = createHash('sha256');
  const piece = Buffer.allocUnsafe(65536);
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (cause) {
    throw new Error(`${path}: cannot be read`, { cause });
  }
  try {
    for (let n = readSync(file, piece); n > 0; n = readSync(file, piece)) hash.update(piece.subarray(0, n));
  } finally {
    closeSync(file);
  }
  if (hash.digest('hex') !== sha256) throw new Error(`${path}: its SHA-256 is not the one in the manifest`);
  return path;
}

const floatBits = new Uint32Array(1);
const floatOfBits = new Float32Array(floatBits.buffer);

/** By bit operations: arithmetic takes three times as long, and a model has a million of these. */
export function floatFromHalf(half: number): number {
  const exponent = (half >> 10) & 0x1f;
  const fraction = half & 0x3ff;
  if (exponent === 0) return (half & 0x8000 ? -1 : 1) * fraction * 2 ** -24;
  floatBits[0] = ((half & 0x8000) << 16) | ((exponent === 31 ? 255 : exponent + 112) << 23) | (fraction << 13);
  return floatOfBits[0] as number;
}

/**
 * Size of an embedding. Galleries pad it to whole registers, so any size works; a larger one would be a
 * mistake.
 */
const DIM_MIN = 16;
const DIM_MAX = 1024;

function readDim(m: ManifestReader): number {
  const dim = m.integer('embedding_dim');
  if (dim < DIM_MIN || dim > DIM_MAX)
    throw new Error(`${m.where}: embedding_dim must be from ${DIM_MIN} to ${DIM_MAX}`);
  return dim;
}

function readCohort(folder: string, m: ManifestReader, dim: number): Cohort {
  m.exactly('dim', dim);
  const bytes = readFileSync(checkedFile(folder, m.text('file'), m.text('sha256')));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const rows = m.integer('wide_rows') + m.integer('narrow_rows');
  if (m.text('dtype') !== 'float16' || bytes.length !== rows * dim * 2)
    throw new Error(`${folder}: the cohort has the wrong size`);
  const floats = new Float32Array(rows * dim);
  for (let i = 0; i < floats.length; i++) floats[i] = floatFromHalf(view.getUint16(i * 2, true));
  for (let at = 0; at < floats.length; at += dim) floats.set(normalized(floats.subarray(at, at + dim)), at);
  const split = m.integer('wide_rows') * dim;
  return {
    wide: floats.subarray(0, split),
    narrow: floats.subarray(split),
    dim,
    topN: m.integer('top_n'),
    minSd: m.number('min_sd'),
    ...(m.has('stranger_spread') && { strangerSpread: m.positive('stranger_spread') }),
  };
}

function readFeatures(m: ManifestReader): FeatureSettings {
  const exact: readonly [string, unknown][] = [
    ['type', 'kaldi-logmel'], ['snip_edges', true], ['remove_dc', true], ['window', 'hamming'], ['power', true], ['mean_norm', true], ['dither', 0],
  ]; // prettier-ignore
  for (const [name, wanted] of exact) m.exactly(name, wanted);
  const settings: FeatureSettings = {
    sampleRateHz: m.integer('sample_rate'),
    frameLength: m.integer('frame_length'),
    frameShift: m.integer('frame_shift'),
    fftSize: m.integer('fft_size'),
    melBins: m.integer('mel_bins'),
    melLowHz: m.number('mel_low_hz'),
    melHighHz: m.number('mel_high_hz'),
    preemphasis: m.number('preemphasis'),
    logFloor: m.number('log_floor'),
    sampleScale: m.number('sample_scale'),
  };
  // The speech detector reads the same features, so these two may not vary between models.
  if (
    settings.sampleRateHz !== standardFeatures.sampleRateHz ||
    settings.melBins !== standardFeatures.melBins
  ) {
    throw new Error(
      `${m.where}: features must be ${standardFeatures.melBins} bins at ${standardFeatures.sampleRateHz} Hz`,
    );
  }
  return settings;
}

const range = (m: ManifestReader, name: string): Range => {
  const [low = NaN, high = NaN] = m.numbers(name, 2);
  return [low, high];
};

const readLikeness = (m: ManifestReader): LikenessLines => ({
  sameSpeakerMin: m.number('same_speaker_min'),
  secondVoiceMost: m.number('second_voice_most'),
});

/** A packed network is valid only for the very file it was made from. */
function readPacked(folder: string, m: ManifestReader): PackedFile | undefined {
  if (!m.has('packed')) return undefined;
  const packed = m.child('packed');
  if (packed.text('of_sha256') !== m.text('sha256')) return undefined;
  const file = checkedFile(folder, packed.text('file'), packed.text('sha256'));
  return { file, weights: packed.has('weights') ? readWeights(packed) : 'unsigned', ...readOther(folder, packed) };
}

/** Valid only for the very file whose weights were converted. */
function readOther(folder: string, m: ManifestReader): { otherFile?: string } {
  if (!m.has('other_weights')) return {};
  const other = m.child('other_weights');
  if (other.text('of_sha256') !== m.text('sha256')) return {};
  return { otherFile: checkedFile(folder, other.text('file'), other.text('sha256')) };
}

const readWeights = (m: ManifestReader): Weights => m.oneOf('weights', ['signed', 'unsigned']);

/** Reads a speaker model; `withCohort` is false in worker threads, which do not score. */
export function readSpeakerModel(folder: string, withCohort = true): SpeakerModelFiles {
  const m = ManifestReader.open(join(folder, 'manifest.json'));
  m.exactly('format', 1);
  m.exactly('kind', 'speaker');
  const modelFile = checkedFile(folder, m.text('file'), m.text('sha256'));
  const packed = readPacked(folder, m);
  const scoring = m.child('scoring');
  const window = m.child('window');
  const thresholds = m.children('thresholds').map((t) => ({ far: t.number('far'), llr: t.number('llr') }));
  if (thresholds.length === 0) throw new Error(`${m.where}: no thresholds`);
  const model: SpeakerModel = {
    revision: `${m.text('name')}-${m.text('revision')}`,
    dim: readDim(m),
    scoring: {
      coefficients: scoring.numbers('coefficients', CALIBRATION_TERMS),
      netTestClampS: range(scoring, 'net_test_clamp'),
      netEnrolClampS: range(scoring, 'net_enrol_clamp'),
      snrClampDb: range(scoring, 'snr_clamp_db'),
      llrClamp: range(scoring, 'llr_clamp'),
    },
    thresholds: thresholds.sort((a, b) => b.far - a.far),
    ...(m.has('calibration_revision') && { calibrationRevision: m.text('calibration_revision') }),
    ...(m.has('likeness') && { likeness: readLikeness(m.child('likeness')) }),
  };
  if (withCohort && m.has('cohort')) model.cohort = readCohort(folder, m.child('cohort'), model.dim);
  return {
    modelFile,
    ...(packed && { packed }),
    input: m.text('input'),
    output: m.text('output'),
    features: readFeatures(m.child('features')),
    window: { minFrames: window.integer('min_frames'), maxFrames: window.integer('max_frames') },
    model,
  };
}

/** The weights file of a speech detector. */
export function checkSpeechDetector(folder: string): string {
  const m = ManifestReader.open(join(folder, 'manifest.json'));
  m.exactly('kind', 'vad');
  return checkedFile(folder, m.text('file'), m.text('sha256'));
}

interface WordRecognizerFiles {
  modelFile: string;
  input: string;
  output: string;
  vocabulary: readonly string[];
  calibration: WordCalibration;
}

export function readWordRecognizer(folder: string): WordRecognizerFiles {
  const m = ManifestReader.open(join(folder, 'manifest.json'));
  m.exactly('format', 1);
  m.exactly('kind', 'words');
  const language = m.oneOf('language', promptLanguages);
  const vocabulary = promptWords[language].digits;
  m.exactly('words', vocabulary.join(' '));
  const calibration = m.child('calibration');
  return {
    modelFile: checkedFile(folder, m.text('file'), m.text('sha256')),
    input: m.text('input'),
    output: m.text('output'),
    vocabulary,
    calibration: { a: calibration.positive('a'), b: calibration.number('b') },
  };
}

/** Limits beyond which a detector must abstain; each must be one that can be measured. */
function readUnfamiliar(m: ManifestReader): FamiliarityLimit[] {
  if (!m.has('unfamiliar')) return [];
  const output = m.child('output');
  return m.children('unfamiliar').map((row) => {
    const measure = familiarityMeasures.find((known) => known === row.text('measure'));
    const bandwidth = row.has('bandwidth') ? row.text('bandwidth') : 'any';
    if (!measure) throw new Error(`${row.where}: measure must be one of ${familiarityMeasures.join(', ')}`);
    if (bandwidth !== 'wide' && bandwidth !== 'narrow' && bandwidth !== 'any')
      throw new Error(`${row.where}: bandwidth must be wide, narrow or any`);
    if (row.has('min') === row.has('max')) throw new Error(`${row.where}: needs either min or max`);
    if ((measure === 'spread' && !output.has('members')) || (measure === 'distance' && !output.has('distance')))
      throw new Error(`${row.where}: measure ${measure} needs an output of the network that tells it`);
    return {
      measure,
      bandwidth,
      ...(row.has('max')
        ? { beyond: 'above' as const, limit: row.number('max') }
        : { beyond: 'below' as const, limit: row.number('min') }),
      onlyClear: row.flag('only_clear'),
    };
  });
}

export function readDetector(folder: string): DetectorFiles {
  const m = ManifestReader.open(join(folder, 'manifest.json'));
  const kind = m.text('kind');
  if (kind !== 'synthetic' && kind !== 'playback') throw new Error(`${m.where}: kind ${kind} is not a detector`);
  const modelFile = checkedFile(folder, m.text('file'), m.text('sha256'));
  const [input, window, calibration, thresholds] = [
    m.child('input'),
    m.child('window'),
    m.child('calibration'),
    m.child('thresholds'),
  ];
  input.exactly('sample_rate', 16000);
  input.exactly('scale', 'int16');
  const shipped = thresholds.text('shipped');
  const output = m.child('output');
  const line = (band: 'wide' | 'narrow') => ({
    a: calibration.child(band).number('a'),
    b: calibration.child(band).number('b'),
  });
  return {
    modelFile,
    ...(m.has('weights') && { weights: readWeights(m) }),
    ...readOther(folder, m),
    input: input.text('name'),
    output: output.text('name'),
    ...(output.has('members') && { members: output.text('members') }),
    ...(output.has('distance') && { distance: output.text('distance') }),
    info: {
      kind,
      revision: `${m.text('name')}-${m.text('revision')}`,
      window: {
        samples: window.integer('samples'),
        hop: window.integer('hop'),
        minRest: window.integer('min_rest'),
        max: window.integer('max'),
      },
      calibration: { wide: line('wide'), narrow: line('narrow') },
      alarmLlr: {
        wide: thresholds.child('wide').number(shipped),
        narrow: thresholds.child('narrow').number(shipped),
      },
      ...(thresholds.child('wide').has('clear')
        ? {
            clearLlr: {
              wide: thresholds.child('wide').number('clear'),
              narrow: thresholds.child('narrow').number('clear'),
            },
          }
        : {}),
      reliability: m.children('reliability').map((row) => ({
        bandwidth: row.text('bandwidth') as 'wide' | 'narrow' | 'any',
        minSnrDb: row.number('min_snr_db'),
        minNetSpeechS: row.number('min_net_speech_s'),
        value: row.number('value'),
      })),
      reliabilityFloor: m.number('reliability_floor'),
      unfamiliar: readUnfamiliar(m),
      experimental: m.flag('experimental'),
    },
  };
}
