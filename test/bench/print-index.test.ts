import { describe, expect, it } from 'vitest';
import { run as benchIdentify } from '../../bench/identify.js';
import { dot, normalized } from '../../src/voice/embedding/vector.js';
import { PrintIndex } from '../../bench/print-index.js';
import { gaussianVector, randomSource } from '../voice/scoring/synthetic-speakers.js';

function filled(
  count: number,
  dim: number,
  seed = 5,
): { index: PrintIndex; vectors: Map<string, Float32Array> } {
  const random = randomSource(seed);
  const index = new PrintIndex(dim);
  const vectors = new Map<string, Float32Array>();
  for (let i = 0; i < count; i++) {
    const vector = normalized(gaussianVector(random, dim));
    vectors.set(`p${i}`, vector);
    index.add(`p${i}`, vector);
  }
  return { index, vectors };
}

const fullSearch = (vectors: Map<string, Float32Array>, query: Float32Array, limit: number) =>
  [...vectors]
    .map(([id, vector]) => ({ id, cosine: dot(query, vector) }))
    .sort((a, b) => b.cosine - a.cosine)
    .slice(0, limit);

describe('print index', () => {
  it.each([192, 256, 37])('gives exactly the answer of a full float search, dimension %i', (dim) => {
    const { index, vectors } = filled(2500, dim);
    const random = randomSource(77);
    for (let i = 0; i < 8; i++) {
      const query = normalized(gaussianVector(random, dim));
      const expected = fullSearch(vectors, query, 10);
      const actual = index.search(query, 10);
      expect(actual.map((n) => n.id)).toEqual(expected.map((n) => n.id));
      expect(actual[0]!.cosine).toBeCloseTo(expected[0]!.cosine, 6);
    }
  });

  it('stays exact through adding, replacing and removing', () => {
    const { index, vectors } = filled(300, 192);
    const random = randomSource(3);
    for (let step = 0; step < 600; step++) {
      const id = `p${Math.floor(random() * 400)}`;
      if (random() < 0.5) {
        expect(index.remove(id)).toBe(vectors.delete(id));
      } else {
        const vector = normalized(gaussianVector(random, 192));
        vectors.set(id, vector);
        index.add(id, vector);
      }
    }
    expect(index.size).toBe(vectors.size);
    const query = gaussianVector(random, 192);
    expect(index.search(query, 5).map((n) => n.id)).toEqual(
      fullSearch(vectors, normalized(query), 5).map((n) => n.id),
    );
  });

  it('finds every print by itself and nothing in an empty index', () => {
    const { index, vectors } = filled(50, 192);
    for (const [id, vector] of vectors) expect(index.search(vector, 1)[0]).toMatchObject({ id });
    expect(new PrintIndex(192).search(new Float32Array(192).fill(1), 3)).toEqual([]);
  });

  it('returns all prints when fewer exist than asked for, and refuses a wrong dimension', () => {
    const { index } = filled(3, 192);
    expect(index.search(new Float32Array(192).fill(1), 10)).toHaveLength(3);
    expect(() => index.add('x', new Float32Array(10))).toThrow(RangeError);
    expect(() => index.search(new Float32Array(10), 1)).toThrow(RangeError);
  });

  it('matches nothing well with a query of no length', () => {
    const { index } = filled(10, 192);
    for (const { cosine } of index.search(new Float32Array(192), 10)) expect(cosine).toBe(0);
  });

  it('has a benchmark that runs on small input', async () => {
    const report = await benchIdentify({ seconds: 1, tiny: true });
    expect(report.details?.['figures']).toMatchObject([{ prints: 1000, exact: true }, { prints: 2000 }]);
    expect(report.details?.['gallery']).toMatchObject([{ prints: 1000, steps: 1 }, { prints: 2000 }]);
  });
});
