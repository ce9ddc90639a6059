// A template scores the same fresh from training and read from the store, whatever its numbers are.
import { describe, expect, it } from 'vitest';
import { dot, normalized } from '../../../src/voice/embedding/vector.js';
import { gridExponent, onGrid } from '../../../src/voice/scoring/template-grid.js';
import { createRng } from '../../support/sounds.js';

const random = createRng(8);
const vector = (dim: number) => normalized(Float32Array.from({ length: dim }, () => random() + random() - 1));

describe('the grid of templates', () => {
  it('is the same again for what lies on it', () => {
    const edges = [32_639, 32_639.4, 32_639.5, 32_640, 16_319.7, 16_320, 1e-30, 1e30, 0].map((peak) =>
      Float32Array.of(peak, -peak, peak / 3, 0),
    );
    for (const each of [...edges, ...Array.from({ length: 500 }, () => vector(192))]) {
      const once = onGrid(each);
      expect(onGrid(once)).toEqual(once);
      expect(gridExponent(once)).toBe(gridExponent(each));
    }
  });

  it('moves a cosine by less than a ten-thousandth', () => {
    for (let round = 0; round < 200; round++) {
      const [one, other] = [vector(192), vector(192)];
      expect(Math.abs(dot(onGrid(one), other) - dot(one, other))).toBeLessThan(1e-4);
    }
  });

  it('does not hide what is not a number', () => {
    expect([...onGrid(Float32Array.of(1, NaN))].some(Number.isNaN)).toBe(true);
  });
});
