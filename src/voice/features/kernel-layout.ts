// The positions and contents of the log-mel kernel's tables, and of its buffers.
import { melFilters } from './mel.js';
import type { FeatureSettings } from './mel.js';

export const COMPLEX = 256;
export const LANES_BYTES = 16;
export const COMPLEX_BYTES = 2 * LANES_BYTES;
export const stages = [256, 64, 16, 4] as const;

/** Positions in the kernel's memory, in bytes. */
export interface Layout {
  window: number;
  first: number;
  second: number;
  twiddles: number[];
  split: number;
  power: number;
  filters: number;
  weights: number;
  input: number;
  output: number;
  end: number;
}

const align = (address: number): number => (address + 15) & ~15;

export function layOut(settings: FeatureSettings, weightCount: number, blockFrames: number): Layout {
  let at = 1024;
  const take = (bytes: number): number => {
    const start = at;
    at = align(at + bytes);
    return start;
  };
  return {
    window: take(settings.frameLength * 4),
    first: take(COMPLEX * COMPLEX_BYTES),
    second: take(COMPLEX * COMPLEX_BYTES),
    twiddles: stages.map((n) => take((n / 4) * 24)),
    split: take((COMPLEX / 2) * 8),
    power: take((COMPLEX + 1) * LANES_BYTES),
    filters: take(settings.melBins * 8),
    weights: take(weightCount * 4),
    input: take(((blockFrames - 1) * settings.frameShift + settings.frameLength) * 4),
    output: take(blockFrames * settings.melBins * 4),
    end: at,
  };
}

export function fillTables(view: DataView, layout: Layout, settings: FeatureSettings): void {
  for (let n = 0; n < settings.frameLength; n++) {
    view.setFloat32(
      layout.window + 4 * n,
      0.54 - 0.46 * Math.cos((2 * Math.PI * n) / (settings.frameLength - 1)),
      true,
    );
  }
  stages.forEach((n, stage) => {
    for (let p = 0; p < n / 4; p++) {
      for (let power = 1; power <= 3; power++) {
        const angle = (-2 * Math.PI * p * power) / n;
        const at = (layout.twiddles[stage] ?? 0) + 24 * p + 8 * (power - 1);
        view.setFloat32(at, Math.cos(angle), true);
        view.setFloat32(at + 4, Math.sin(angle), true);
      }
    }
  });
  for (let k = 0; k < COMPLEX / 2; k++) {
    const angle = (-2 * Math.PI * k) / settings.fftSize;
    view.setFloat32(layout.split + 8 * k, Math.cos(angle), true);
    view.setFloat32(layout.split + 8 * k + 4, Math.sin(angle), true);
  }
  let weightAt = layout.weights;
  melFilters(settings).forEach((filter, index) => {
    view.setInt32(layout.filters + 8 * index, layout.power + LANES_BYTES * filter.firstBin, true);
    view.setInt32(layout.filters + 8 * index + 4, filter.weights.length, true);
    for (const weight of filter.weights) {
      view.setFloat32(weightAt, weight, true);
      weightAt += 4;
    }
  });
}
