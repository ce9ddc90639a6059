// The committed kernel bytes are what their source compiles to, and the filter kernel does what plain code does.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { kernelsBase64 } from '../../src/voice/kernels/kernels-binary.js';
import { kernelFloats, kernels } from '../../src/voice/kernels/kernels.js';
import { createRng } from '../support/sounds.js';

const compiler = spawnSync('wat2wasm', ['--version']).status === 0;

describe('the kernels', () => {
  it.skipIf(!compiler)('are compiled from the source beside them', () => {
    const folder = mkdtempSync(join(tmpdir(), 'voxgate-kernels-'));
    execFileSync('wat2wasm', [
      join(import.meta.dirname, '../../src/voice/kernels/kernels.wat'),
      '-o',
      join(folder, 'k.wasm'),
    ]);
    expect(readFileSync(join(folder, 'k.wasm')).toString('base64')).toBe(kernelsBase64);
    rmSync(folder, { recursive: true });
  });

  it('convolve with 48 outputs, bias, rectifier and residual', () => {
    const rng = createRng(5);
    const [channels, taps, count, dilation] = [12, 3, 5, 2];
    const rows = count + 2 * dilation;
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
    expect(rows).toBe(9);
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
