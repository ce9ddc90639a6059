// The peer's files are not part of this project: its reader and its features are checked on made-up ones.
import { describe, expect, it } from 'vitest';
import { readMatrix, readNetwork, readTextVector } from '../../bench/peer/kaldi-nnet3.js';
import { cepstra, CEPSTRA, networkInput, voicedFrames } from '../../bench/peer/mfcc.js';

const text = (value: string) => Buffer.from(value, 'latin1');
const int = (value: number) => {
  const out = Buffer.alloc(5);
  out[0] = 4;
  out.writeInt32LE(value, 1);
  return out;
};
const float = (value: number) => {
  const out = Buffer.alloc(5);
  out[0] = 4;
  out.writeFloatLE(value, 1);
  return out;
};
const floats = (...values: number[]) => Buffer.from(Float32Array.from(values).buffer);
const matrix = (rows: number, columns: number, ...values: number[]) =>
  Buffer.concat([text('FM '), int(rows), int(columns), floats(...values)]);
const vector = (...values: number[]) => Buffer.concat([text('FV '), int(values.length), floats(...values)]);
const begin = Buffer.from([0, 66]);

const network = Buffer.concat([
  begin,
  text('<Nnet3> \ninput-node name=input dim=2\n\n<NumComponents> '),
  int(2),
  text('<ComponentName> a <AffineComponent> <LearningRate> '),
  float(0.5),
  text('<LinearParams> '),
  matrix(1, 2, 3, 4),
  text('<BiasParams> '),
  vector(5),
  text('<IsGradient> F</AffineComponent> <ComponentName> b <BatchNormComponent> <TestMode> T<Count> '),
  float(7),
  text('</BatchNormComponent> </Nnet3> '),
]);

describe('Kaldi files', () => {
  it('reads the components of a network', () => {
    const components = readNetwork(network);
    expect([...components.keys()]).toEqual(['a', 'b']);
    expect(components.get('a')?.get('<LinearParams>')).toEqual({
      rows: 1,
      columns: 2,
      data: Float32Array.of(3, 4),
    });
    expect(components.get('a')?.get('<BiasParams>')).toEqual(Float32Array.of(5));
    expect(components.get('b')?.get('<TestMode>')).toBe(1);
    expect(components.get('b')?.get('<Count>')).toBe(7);
  });

  it('refuses what is none', () => {
    expect(() => readNetwork(text('<Nnet3> '))).toThrow('not a binary Kaldi file');
    expect(() => readNetwork(Buffer.concat([begin, text('<Nnet2> ')]))).toThrow('not an nnet3 network');
    expect(() => readMatrix(Buffer.concat([begin, vector(1)]))).toThrow('not a binary Kaldi matrix');
  });

  it('reads matrices and text vectors', () => {
    expect(readMatrix(Buffer.concat([begin, matrix(2, 1, 8, 9)])).data).toEqual(Float32Array.of(8, 9));
    expect(readTextVector(' [ 1.5 -2 3 ]\n')).toEqual(Float32Array.of(1.5, -2, 3));
  });
});

describe('features', () => {
  // Two seconds: a tone, then silence.
  const samples = Float32Array.from({ length: 16_000 }, (_, n) =>
    n < 8000 ? 8000 * Math.sin((2 * Math.PI * 440 * n) / 8000) : 0,
  );

  it('has the energy first and finds the loud frames', () => {
    const made = cepstra(samples);
    expect(made.frames).toBe(198);
    expect(made.data[0]).toBeCloseTo(Math.log(200 * 0.5 * 8000 ** 2), 2);
    const voiced = voicedFrames(made.energy);
    expect(voiced[50]).toBe(true);
    expect(voiced[150]).toBe(false);
  });

  it('gives voiced frames alone, their surroundings taken away', () => {
    const made = cepstra(samples);
    const voiced = voicedFrames(made.energy).filter(Boolean).length;
    const input = networkInput(made);
    expect(input.length).toBe(voiced * CEPSTRA);
    const mean = made.energy.reduce((sum, e) => sum + e, 0) / made.frames;
    expect(input[0]).toBeCloseTo((made.energy[0] ?? 0) - mean, 3);
  });
});
