import { describe, expect, it } from 'vitest';
import { createLogMelExtractor, frameCount, subtractMean } from '../../../src/voice/features/log-mel.js';
import { melFilters, standardFeatures } from '../../../src/voice/features/mel.js';

/** The definition, written out slowly in double precision. */
function reference(samples: Float32Array): number[][] {
  const { frameLength, frameShift, fftSize, preemphasis, logFloor } = standardFeatures;
  const filters = melFilters();
  return Array.from({ length: frameCount(samples.length) }, (_, frame) => {
    const raw = Array.from(
      samples.subarray(frame * frameShift, frame * frameShift + frameLength),
      (v) => v * 32768,
    );
    const mean = raw.reduce((a, b) => a + b, 0) / frameLength;
    const flat = raw.map((v) => v - mean);
    const shaped = flat.map(
      (v, n) =>
        (v - preemphasis * (flat[Math.max(0, n - 1)] ?? 0)) *
        (0.54 - 0.46 * Math.cos((2 * Math.PI * n) / 399)),
    );
    const power = Array.from({ length: fftSize / 2 }, (_row, k) => {
      let re = 0;
      let im = 0;
      shaped.forEach((v, n) => {
        re += v * Math.cos((2 * Math.PI * k * n) / fftSize);
        im -= v * Math.sin((2 * Math.PI * k * n) / fftSize);
      });
      return re * re + im * im;
    });
    return filters.map(({ firstBin, weights }) =>
      Math.log(
        Math.max(
          logFloor,
          weights.reduce((sum, w, i) => sum + w * (power[firstBin + i] ?? 0), 0),
        ),
      ),
    );
  });
}

/** Vowel-like test signal: harmonics with a moving pitch and a little noise, rounded to 16 bits. */
function signal(length: number): Float32Array {
  let state = 7;
  return Float32Array.from({ length }, (_, n) => {
    state = (Math.imul(1664525, state) + 1013904223) >>> 0;
    const t = n / 16000;
    const tone = [1, 2, 3, 5, 9, 20].reduce(
      (sum, h) => sum + Math.sin(2 * Math.PI * h * (120 * t + 40 * t * t)) / h,
      0,
    );
    return Math.round(6000 * tone + 200 * (state / 2 ** 32 - 0.5)) / 32768;
  });
}

describe('log-mel features', () => {
  it('equal the definition within 1e-3 for every frame and bin', () => {
    const samples = signal(400 + 160 * 10 + 57);
    const expected = reference(samples);
    const { data, frames, bins } = createLogMelExtractor()(samples);
    expect(frames).toBe(11);
    let worst = 0;
    expected.forEach((row, i) =>
      row.forEach((value, j) => (worst = Math.max(worst, Math.abs(value - (data[i * bins + j] ?? NaN))))),
    );
    expect(worst).toBeLessThan(1e-3);
  });

  it('give the same rows whether a signal comes whole or in parts cut at frame shifts', () => {
    const samples = signal(16000 * 3);
    const extract = createLogMelExtractor();
    const whole = extract(samples);
    const part = extract(samples.subarray(160 * 131, 160 * 131 + 400 + 160 * 20));
    expect(Array.from(part.data)).toEqual(Array.from(whole.data.subarray(131 * 80, (131 + 21) * 80)));
  });

  it('put digital silence on the floor and never give a NaN', () => {
    const { data } = createLogMelExtractor()(new Float32Array(4000));
    expect(data.length).toBe(23 * 80);
    for (const value of data) expect(value).toBeCloseTo(Math.log(standardFeatures.logFloor), 4);
  });

  it('have no frame for less than one frame of audio', () => {
    expect(createLogMelExtractor()(new Float32Array(399)).frames).toBe(0);
    expect(createLogMelExtractor()(new Float32Array(400)).frames).toBe(1);
  });

  it('lose the mean of each column as plain sums in double precision have it, to the last bit', () => {
    const { data, bins } = createLogMelExtractor()(signal(16000));
    for (const frames of [1, 7, 50]) {
      const rows = data.slice(0, frames * bins);
      const expected = rows.map((value, i) => {
        let sum = 0;
        for (let row = 0; row < frames; row++) sum += rows[row * bins + (i % bins)] ?? NaN;
        return value - sum / frames;
      });
      subtractMean(rows, frames, bins);
      expect(rows).toEqual(expected);
    }
  });

  it('have zero column means after mean subtraction', () => {
    const { data, frames, bins } = createLogMelExtractor()(signal(16000));
    subtractMean(data, frames, bins);
    for (let bin = 0; bin < bins; bin++) {
      let sum = 0;
      for (let row = 0; row < frames; row++) sum += data[row * bins + bin] ?? NaN;
      expect(Math.abs(sum / frames)).toBeLessThan(1e-4);
    }
  });
});
