// The filter's promises: flat where speech is, silent where aliases would come from, the same in pieces as in one go.
import { describe, expect, it } from 'vitest';
import { resample, Resampler } from '../../src/voice/resample.js';
import { createRng, tone, whiteNoise } from '../support/sounds.js';

function levelDb(x: Float32Array): number {
  let sum = 0;
  const inner = x.subarray(1000, x.length - 1000);
  for (const v of inner) sum += v * v;
  return 10 * Math.log10((2 * sum) / inner.length + 1e-20);
}

/** What remains after the tone itself is taken out: images and distortion. */
function residueDb(x: Float32Array, hz: number, rateHz: number): number {
  const inner = x.subarray(1000, x.length - 1000);
  let s = 0;
  let c = 0;
  inner.forEach((v, i) => {
    s += v * Math.sin((2 * Math.PI * hz * i) / rateHz);
    c += v * Math.cos((2 * Math.PI * hz * i) / rateHz);
  });
  s *= 2 / inner.length;
  c *= 2 / inner.length;
  return levelDb(
    Float32Array.from(x, (v, i) => {
      const k = i - 1000;
      return (
        v - s * Math.sin((2 * Math.PI * hz * k) / rateHz) - c * Math.cos((2 * Math.PI * hz * k) / rateHz)
      );
    }),
  );
}

const rates = [
  6000, 8000, 11025, 11999, 12000, 22050, 24000, 32000, 44100, 47999, 48000, 88200, 96000, 176400, 192000,
];

describe('resample to 16 kHz', () => {
  it.each(rates)('is flat within 0.1 dB in its band from %d Hz', (rate) => {
    const nyquist = Math.min(rate, 16000) / 2;
    for (const share of [0.02, 0.3, 0.6, 0.9, 0.92]) {
      expect(Math.abs(levelDb(resample(tone(share * nyquist, 1, rate, 1), rate)))).toBeLessThan(0.1);
    }
  });

  it.each(rates.filter((r) => r > 20000))('keeps aliases more than 60 dB down from %d Hz', (rate) => {
    for (const hz of [8400, 9000, 10000]) {
      expect(levelDb(resample(tone(hz, 1, rate, 1), rate))).toBeLessThan(-60);
    }
  });

  it.each(rates.filter((r) => r < 16000))('keeps images more than 60 dB down from %d Hz', (rate) => {
    for (const share of [0.1, 0.5, 0.9]) {
      const hz = (share * rate) / 2;
      expect(residueDb(resample(tone(hz, 1, rate, 1), rate), hz, 16000)).toBeLessThan(-60);
    }
  });

  it.each(rates)('gives the same in pieces of any size from %d Hz', (rate) => {
    const x = whiteNoise(0.7, createRng(rate), rate);
    const whole = resample(x, rate);
    const streaming = new Resampler(rate, 16000);
    const parts: number[] = [];
    for (let at = 0, size = 1; at < x.length; at += size, size = (size * 3) % 997 || 1)
      parts.push(...streaming.push(x.subarray(at, at + size)));
    parts.push(...streaming.flush());
    expect(parts.length).toBe(whole.length);
    expect(Math.max(...whole.map((v, i) => Math.abs(v - (parts[i] ?? 9))))).toBeLessThan(1e-6);
  });

  it('keeps the length in time and the constant level', () => {
    expect(resample(new Float32Array(44100), 44100).length).toBe(16000);
    const flat = resample(new Float32Array(8000).fill(0.25), 8000);
    expect(Math.max(...flat.subarray(500, 15500).map((v) => Math.abs(v - 0.25)))).toBeLessThan(1e-4);
  });
});
