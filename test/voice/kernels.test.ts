// The kernels do what plain code does.
import { describe, expect, it } from 'vitest';
import { kernelFloats, kernels } from '../../src/voice/kernels/kernels.js';
import { createRng } from '../support/sounds.js';

describe('the kernels', () => {
  it('filter to twice the rate', () => {
    const rng = createRng(7);
    const [taps, groups, inputAt, outAt] = [12, 2, 24, 100];
    const memory = kernelFloats(4 * 200);
    for (let i = 0; i < 200; i++) memory[i] = rng() - 0.5;
    const m = memory.slice();
    kernels().firDouble(0, taps, 4 * inputAt, 4 * outAt, groups);
    for (let n = 0; n < 32 * groups; n++) {
      let sum = 0;
      for (let k = 0; k < taps; k++) sum += (m[(n % 2) * taps + k] ?? 0) * (m[inputAt + (n >> 1) + k] ?? 0);
      expect(memory[outAt + n]).toBeCloseTo(sum, 5);
    }
    expect(memory[outAt + 32 * groups]).toBe(m[outAt + 32 * groups]);
  });

  it('filter to half the rate', () => {
    const rng = createRng(8);
    const [taps, groups] = [8, 2];
    const half = 16 * groups + taps / 2;
    const [partedAt, outAt] = [taps + 2 * half, taps + 4 * half];
    const memory = kernelFloats(4 * 300);
    for (let i = 0; i < 300; i++) memory[i] = rng() - 0.5;
    const m = memory.slice();
    kernels().firHalve(0, taps, 4 * taps, 4 * partedAt, half, 4 * outAt, groups);
    for (let n = 0; n < 16 * groups; n++) {
      let sum = 0;
      for (let k = 0; k < taps; k++) sum += (m[k] ?? 0) * (m[taps + 2 * n + k] ?? 0);
      expect(memory[outAt + n]).toBeCloseTo(sum, 5);
    }
    expect(memory[outAt + 16 * groups]).toBe(m[outAt + 16 * groups]);
  });

  it('standardise rows', () => {
    const rng = createRng(9);
    const memory = kernelFloats(4 * 100);
    for (let i = 0; i < 100; i++) memory[i] = rng() - 0.5;
    const m = memory.slice();
    kernels().standardise(4 * 16, 0, 4 * 8, 4 * 8, 4 * 50, 3);
    for (let i = 0; i < 24; i++)
      expect(memory[50 + i]).toBeCloseTo(((m[16 + i] ?? 0) - (m[i % 8] ?? 0)) * (m[8 + (i % 8)] ?? 0), 6);
    expect(memory[74]).toBe(m[74]);
  });

  it('correlate a stretch with later ones', () => {
    const rng = createRng(6);
    const [count, lags, outAt] = [50, 32, 200];
    const memory = kernelFloats(4 * 300);
    for (let i = 0; i < 300; i++) memory[i] = rng() - 0.5;
    const m = memory.slice();
    kernels().correlate(0, 4 * 7, count, 4 * outAt, lags);
    for (let lag = 0; lag < lags; lag++) {
      let sum = 0;
      for (let i = 0; i < count; i++) sum += (m[i] ?? 0) * (m[7 + i + lag] ?? 0);
      expect(memory[outAt + lag]).toBeCloseTo(sum, 5);
    }
    expect(memory[outAt + lags]).toBe(m[outAt + lags]);
  });

  // One row, less than a group of four, groups, and groups with a rest.
  it.each([1, 3, 4, 5, 11])('convolve %d rows with 48 outputs, bias, rectifier and residual', (count) => {
    const rng = createRng(5);
    const [channels, taps, dilation] = [12, 3, 2];
    const layout = {
      w: 0,
      bias: taps * channels * 48,
      x: taps * channels * 48 + 48,
      residual: 4000,
      y: 5000,
    };
    const memory = kernelFloats(4 * 6000);
    for (let i = 0; i < 6000; i++) memory[i] = rng() - 0.5;
    const m = memory.slice();
    kernels().conv48(
      4 * layout.x,
      4 * channels,
      taps,
      4 * dilation * channels,
      channels,
      0,
      4 * layout.bias,
      4 * layout.y,
      count,
      4 * layout.residual,
    );
    expect(memory[layout.y + count * 48]).toBe(m[layout.y + count * 48]);
    for (let t = 0; t < count; t++) {
      for (let o = 0; o < 48; o++) {
        let sum = m[layout.bias + o] ?? 0;
        for (let k = 0; k < taps; k++) {
          for (let c = 0; c < channels; c++)
            sum +=
              (m[layout.x + (t + k * dilation) * channels + c] ?? 0) * (m[(k * channels + c) * 48 + o] ?? 0);
        }
        expect(memory[layout.y + t * 48 + o]).toBeCloseTo(
          Math.max(0, sum) + (m[layout.residual + t * 48 + o] ?? 0),
          4,
        );
      }
    }
  });
});
