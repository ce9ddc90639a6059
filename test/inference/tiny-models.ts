// Networks small enough to be written by hand, for tests of everything around them: a "speaker model" that
// answers with the variance of each mel band, and a "detector" that answers with the mean magnitude.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeModelFolder } from '../../src/inference/models/import-model.js';
import { normalized } from '../../src/voice/embedding/vector.js';
import { gaussianVector, randomSource } from '../voice/scoring/synthetic-speakers.js';

const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value & 127) | 128, ...varint(Math.floor(value / 128))];
const message = (field: number, body: number[]): number[] => [
  ...varint((field << 3) | 2),
  ...varint(body.length),
  ...body,
];
const text = (field: number, value: string): number[] => message(field, [...Buffer.from(value)]);
const number = (field: number, value: number): number[] => [...varint(field << 3), ...varint(value)];

interface Node {
  op: string;
  inputs: string[];
  output: string;
  attributes?: Record<string, number | number[]>;
}

function node({ op, inputs, output, attributes = {} }: Node): number[] {
  const encoded = Object.entries(attributes).flatMap(([name, value]) =>
    Array.isArray(value)
      ? message(5, [...text(1, name), ...value.flatMap((v) => number(8, v)), ...number(20, 7)])
      : message(5, [...text(1, name), ...number(3, value), ...number(20, 2)]),
  );
  return message(1, [
    ...inputs.flatMap((input) => text(1, input)),
    ...text(2, output),
    ...text(4, op),
    ...encoded,
  ]);
}

function valueInfo(field: number, name: string, dims: (string | number)[]): number[] {
  const shape = dims.flatMap((dim) => message(1, typeof dim === 'number' ? number(1, dim) : text(2, dim)));
  return message(field, [
    ...text(1, name),
    ...message(2, message(1, [...number(1, 1), ...message(2, shape)])),
  ]);
}

type Tensor = [name: string, dims: (string | number)[]];

function onnx(nodes: Node[], input: Tensor, ...outputs: Tensor[]): Uint8Array {
  const graph = [
    ...nodes.flatMap(node),
    ...text(2, 'tiny'),
    ...valueInfo(11, ...input),
    ...outputs.flatMap((output) => valueInfo(12, ...output)),
  ];
  return Uint8Array.from([...number(1, 8), ...message(7, graph), ...message(8, number(2, 13))]);
}

export const tinySpeakerNetwork = (): Uint8Array =>
  onnx(
    [
      { op: 'Mul', inputs: ['feats', 'feats'], output: 'squares' },
      { op: 'ReduceMean', inputs: ['squares'], output: 'embs', attributes: { axes: [1], keepdims: 0 } },
    ],
    ['feats', ['B', 'T', 80]],
    ['embs', ['B', 80]],
  );

const tinyDetectorNetwork = (): Uint8Array =>
  onnx(
    [
      { op: 'Abs', inputs: ['wave'], output: 'magnitude' },
      { op: 'ReduceMean', inputs: ['magnitude'], output: 'score', attributes: { axes: [1], keepdims: 0 } },
      { op: 'ReduceMax', inputs: ['wave'], output: 'peak', attributes: { axes: [1], keepdims: 0 } },
      { op: 'ReduceMean', inputs: ['magnitude'], output: 'one', attributes: { axes: [1], keepdims: 1 } },
      { op: 'ReduceMax', inputs: ['magnitude'], output: 'two', attributes: { axes: [1], keepdims: 1 } },
      { op: 'Concat', inputs: ['one', 'two'], output: 'votes', attributes: { axis: 1 } },
    ],
    ['wave', ['B', 64000]],
    ['score', ['B']],
    ['peak', ['B']],
    ['votes', ['B', 2]],
  );

function writeDetector(
  modelsDir: string,
  kind: 'synthetic' | 'playback',
  unfamiliar: readonly object[] | undefined,
): void {
  const folder = join(modelsDir, `${kind}-tiny-1`);
  mkdirSync(folder);
  const network = tinyDetectorNetwork();
  writeFileSync(join(folder, 'model.onnx'), network);
  const manifest = {
    name: `${kind}-tiny`, revision: '1', kind, file: 'model.onnx', sha256: createHash('sha256').update(network).digest('hex'),
    input: { name: 'wave', sample_rate: 16000, scale: 'int16', samples: 64000 }, output: { name: 'score', higher: 'attack', members: 'votes', distance: 'peak' },
    window: { samples: 64000, hop: 64000, min_rest: 16000, max: 8, short: 'tile', combine: 'mean' },
    calibration: { wide: { a: 0.01, b: -2 }, narrow: { a: 0.01, b: -2 } },
    thresholds: { wide: { fa1: 3, fa5: 1 }, narrow: { fa1: 3, fa5: 1 }, shipped: 'fa1' },
    reliability: [
      { bandwidth: 'any', min_snr_db: 10, min_net_speech_s: 1, value: 80 },
      { bandwidth: 'any', min_snr_db: 0, min_net_speech_s: 0, value: 20 },
    ],
    reliability_floor: 40, experimental: kind === 'playback', ...(unfamiliar && { unfamiliar }),
  }; // prettier-ignore
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
}

/** A models directory with a speaker model and both detectors; the speech detector is the bundled one. */
export function writeTinyModels(options: { detectors?: boolean; unfamiliar?: readonly object[] } = {}): {
  modelsDir: string;
  networkFile: string;
} {
  const modelsDir = mkdtempSync(join(tmpdir(), 'voxgate-models-'));
  const networkFile = join(modelsDir, 'tiny.onnx');
  writeFileSync(networkFile, tinySpeakerNetwork());
  const random = randomSource(12);
  const cohort = Array.from({ length: 30 }, () => normalized(gaussianVector(random, 80).map(Math.abs)));
  writeModelFolder(join(modelsDir, 'speaker-tiny-1'), { name: 'tiny', revision: '1' }, networkFile, { input: 'feats', output: 'embs', dim: 80 }, {
    coefficients: [-2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    thresholds: [{ far: 0.01, llr: 2, trials: 0, accepts: 0 }, { far: 0.001, llr: 4, trials: 0, accepts: 0 }, { far: 0.0001, llr: 6, trials: 0, accepts: 0 }],
    cohort,
    trials: { target: 0, impostor: 0 },
  }); // prettier-ignore
  if (options.detectors ?? true)
    for (const kind of ['synthetic', 'playback'] as const) writeDetector(modelsDir, kind, options.unfamiliar);
  return { modelsDir, networkFile };
}
