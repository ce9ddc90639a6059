import { describe, expect, it } from 'vitest';
import { halve } from '../../../src/voice/voice-class/halve.js';

const tone = (hz: number, rate: number, length: number): Float32Array =>
  Float32Array.from({ length }, (_, i) => Math.sin((2 * Math.PI * hz * i) / rate));
const level = (x: Float32Array): number => Math.sqrt(x.reduce((sum, v) => sum + v * v, 0) / x.length);
const inner = (x: Float32Array): Float32Array => x.subarray(100, x.length - 100);

describe('halve', () => {
  it.each([100, 1000, 3000])('keeps %d Hz', (hz) => {
    const out = halve(tone(hz, 16000, 8000));
    expect(out).toHaveLength(4000);
    expect(level(inner(out))).toBeCloseTo(Math.SQRT1_2, 2);
  });

  it.each([4700, 6000, 7500])('removes %d Hz, which would fold', (hz) => {
    expect(level(inner(halve(tone(hz, 16000, 8000))))).toBeLessThan(0.005);
  });

  it('has no seam where long signals are worked through in pieces', () => {
    const long = tone(440, 16000, 200_001);
    const out = halve(long);
    const from = 60_000;
    const cut = halve(long.subarray(from, from + 10_000));
    for (let i = 100; i < 4900; i += 7) expect(out[from / 2 + i]).toBeCloseTo(cut[i] ?? NaN, 5);
  });
});
