// Counting speakers from window embeddings that are made here: directions with some spread around them.
import { describe, expect, it } from 'vitest';
import { detectSpeakers, type SpeakerWindow } from '../../../src/voice/quality/detect-speakers.js';
import { createRng, type Rng } from '../../support/sounds.js';

function direction(rng: Rng, near?: Float32Array, spread = 0): Float32Array {
  const v = Float32Array.from(
    { length: 64 },
    (_, i) => (near?.[i] ?? 0) + (near ? spread : 1) * (rng() + rng() + rng() - 1.5) * 0.25,
  );
  const norm = Math.hypot(...v);
  return v.map((x) => x / norm);
}

function windows(rng: Rng, order: readonly Float32Array[], spread = 0.35): SpeakerWindow[] {
  return order.map((center, i) => ({
    embedding: direction(rng, center, spread),
    startMs: i * 1500,
    endMs: i * 1500 + 3000,
  }));
}

describe('detectSpeakers', () => {
  it('hears one voice as one', () => {
    const rng = createRng(1);
    const a = direction(rng);
    expect(detectSpeakers(windows(rng, Array<Float32Array>(12).fill(a)))).toMatchObject({
      count: 1,
      segmentationScore: undefined,
    });
  });

  it('tells two and three voices apart and labels their windows', () => {
    const rng = createRng(2);
    const [a, b, c] = [direction(rng), direction(rng), direction(rng)];
    const two = detectSpeakers(windows(rng, [a, a, a, b, b, b, a, a, b]));
    expect(two.count).toBe(2);
    expect(two.labels).toEqual([0, 0, 0, 1, 1, 1, 0, 0, 1]);
    expect(two.segmentationScore).toBeLessThan(0);
    expect(detectSpeakers(windows(rng, [a, a, b, b, c, c, c])).count).toBe(3);
  });

  it('scores voices that are more alike higher', () => {
    const rng = createRng(3);
    const a = direction(rng);
    const b = direction(rng);
    const between = direction(
      rng,
      Float32Array.from(b, (v, i) => v + 0.12 * (a[i] ?? 0)),
      0,
    );
    const far = detectSpeakers(windows(rng, [a, a, a, b, b, b], 0.2));
    const near = detectSpeakers(windows(rng, [a, a, a, between, between, between], 0.2));
    expect([far.count, near.count]).toEqual([2, 2]);
    expect(near.segmentationScore ?? 0).toBeGreaterThan(far.segmentationScore ?? 0);
  });

  it('does not count a single odd window, and copes with none and with many', () => {
    const rng = createRng(4);
    const a = direction(rng);
    const odd = detectSpeakers(windows(rng, [a, a, a, a, direction(rng), a, a]));
    expect(odd.count).toBe(1);
    expect(detectSpeakers([])).toEqual({ count: 0, segmentationScore: undefined, labels: [] });
    const long = detectSpeakers(windows(rng, Array<Float32Array>(1000).fill(a)));
    expect([long.count, long.labels.length]).toEqual([1, 1000]);
  });
});
