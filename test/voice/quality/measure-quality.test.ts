// Each figure of the quality report, on audio where the truth is known.
import { describe, expect, it } from 'vitest';
import { SoundLimits } from '../../../src/voice/quality/sound-limits.js';
import { muLawTable } from '../../../src/voice/audio/codecs/g711.js';
import { resample } from '../../../src/voice/resample.js';
import { createRng, silence, whiteNoise } from '../../support/sounds.js';
import { hear, joined } from '../../support/speech.js';
import { voiceSamples } from '../../support/voice-samples.js';

const rms = (x: Float32Array): number => Math.sqrt(x.reduce((s, v) => s + v * v, 0) / x.length);
const scaled = (x: Float32Array, factor: number): Float32Array =>
  x.map((v) => Math.max(-1, Math.min(1, v * factor)));
const said = joined(silence(0.8), await voiceSamples('bruno', 1), silence(0.8));
const SPEECH_RMS = rms(await voiceSamples('bruno', 1));

const allSpoken = new Uint8Array(2000).fill(1);

/** Sound with flat tops, single peaks, steps of a coarse converter, and values that are held for 1 to 250 ms. */
function restless(rate: number, rng: () => number): Float32Array {
  const parts: Float32Array[] = [];
  for (let part = 0; part < 120; part++) {
    const length = Math.ceil(rate * (0.001 + 0.05 * rng()));
    const size = [0.005, 0.3, 1.4][Math.floor(rng() * 3)] as number;
    const sound = Float32Array.from({ length }, () => Math.max(-1, Math.min(1, size * (2 * rng() - 1))));
    parts.push(rng() < 0.3 ? sound.map((value) => Math.round(value * 20) / 20) : sound);
    const held = [0, 0.001, 0.5][Math.floor(rng() * 3)] as number;
    parts.push(new Float32Array(Math.ceil(rate * 0.25 * rng() ** 2)).fill(held));
  }
  return joined(...parts);
}

/** The definition of limits and dropouts, without any short cut. */
function oneByOne(samples: Float32Array, rate: number) {
  let [peak, saturated, dropouts] = [0, 0, 0];
  for (let from = 0; from < samples.length;) {
    let to = from + 1;
    while (to < samples.length && samples[to] === samples[from]) to++;
    const ms = (1000 * (to - from)) / rate;
    const before = samples.subarray(Math.max(0, from - Math.round(0.002 * rate)), from);
    const held = Math.abs(samples[from] as number);
    if (ms >= 10 && ms <= 200 && held < 0.002 && before.some((value) => Math.abs(value) >= 0.01)) dropouts++;
    from = to;
  }
  for (let i = 0; i < samples.length; i++) {
    const isAtLimit = (at: number): boolean => Math.abs(samples[at] ?? 0) >= 0.979;
    peak = Math.max(peak, Math.abs(samples[i] as number));
    if (isAtLimit(i) && (isAtLimit(i - 1) || isAtLimit(i + 1))) saturated++;
  }
  return { length: samples.length, peak, saturated, dropouts };
}

describe('measureQuality', () => {
  it.each([8, 14, 20, 26])('finds a signal-to-noise ratio of %d dB', (snr) => {
    const noise = whiteNoise(said.length / 16000, createRng(snr), 16000, SPEECH_RMS / 10 ** (snr / 20));
    const { quality } = hear(said.map((v, i) => v + (noise[i] ?? 0)));
    expect(Math.abs(quality.snrDb - snr)).toBeLessThan(3);
    expect(quality.calibrationSnrDb).toBeGreaterThan(snr - 6);
  });

  it('estimates the noise within the speech where there is no pause', async () => {
    const speech = await voiceSamples('anna', 5);
    const noise = whiteNoise(speech.length / 16000, createRng(9), 16000, rms(speech) / 10);
    const { quality } = hear(speech.map((v, i) => v + (noise[i] ?? 0)));
    expect(Math.abs(quality.snrDb - 20)).toBeLessThan(5);
  });

  it('follows the speech level decibel by decibel', () => {
    const loud = hear(said).quality;
    const soft = hear(scaled(said, 0.1)).quality;
    expect(loud.speechLevelDbfs - soft.speechLevelDbfs).toBeCloseTo(20, 0);
    expect(loud.peakDbfs - soft.peakDbfs).toBeCloseTo(20, 0);
  });

  it('counts clipped samples per minute, on linear and on telephone audio', () => {
    expect(hear(scaled(said, 0.5)).quality.saturatedPerMinute).toBe(0);
    expect(hear(scaled(said, 12)).quality.saturatedPerMinute).toBeGreaterThan(10_000);
    const top = Math.max(...muLawTable);
    const telephone = resample(said, 16000, 8000).map((v) => Math.max(-top, Math.min(top, v * 12)));
    expect(hear(telephone, 8000).quality.saturatedPerMinute).toBeGreaterThan(10_000);
  });

  it('tells telephone from full-band audio whatever the rate of the file', () => {
    expect(hear(said).quality.bandwidth).toBe('wide');
    expect(hear(resample(said, 16000, 8000), 8000).quality.bandwidth).toBe('narrow');
    expect(hear(resample(resample(said, 16000, 8000), 8000, 16000)).quality.bandwidth).toBe('narrow');
    expect(hear(resample(said, 16000, 44100), 44100).quality.bandwidth).toBe('wide');
  });

  it('counts lost packets inside speech, and not its pauses', () => {
    expect(hear(said).quality.dropouts).toBe(0);
    const lost = said.slice();
    for (const at of [2.1, 2.9, 3.7]) lost.fill(0, at * 16000, (at + 0.04) * 16000);
    expect(hear(lost).quality.dropouts).toBeGreaterThanOrEqual(2);
  });

  it('counts every dropout of 10 to 200 ms after loud sound, wherever it lies', () => {
    const spoken = new Uint8Array(200).fill(1);
    for (const rate of [8000, 11025, 16000]) {
      const sound = Float32Array.from({ length: 2 * rate }, (_, i) => 0.3 * Math.sin(i / 3));
      for (let at = rate; at < rate + 400; at += 7) {
        for (const [ms, expected] of [
          [9.5, 0],
          [10.5, 1],
          [199, 1],
          [201, 0],
        ] as const) {
          const samples = sound.slice();
          samples.fill(0, at, at + Math.round((ms / 1000) * rate));
          const limits = new SoundLimits(rate);
          limits.push(samples);
          expect(limits.dropouts(spoken, samples.length), `${ms} ms at ${at} of ${rate} Hz`).toBe(expected);
        }
      }
    }
  });

  it('finds limits and lost pieces as a look at one sample after another does, in pieces of any size', () => {
    const rng = createRng(21);
    for (const rate of [8000, 11025, 16000, 44100]) {
      const samples = restless(rate, rng);
      const limits = new SoundLimits(rate);
      for (let at = 0; at < samples.length;) {
        const to = at + 1 + Math.floor(rng() * rate * 0.03);
        limits.push(samples.subarray(at, to));
        at = to;
      }
      const found = { ...limits.limits(), dropouts: limits.dropouts(allSpoken, samples.length) };
      expect(found).toEqual(oneByOne(samples, rate));
      expect(found.saturated).toBeGreaterThan(10);
      expect(found.dropouts).toBeGreaterThan(3);
    }
  });

  it('stays finite on silence and on audio shorter than a frame', () => {
    for (const x of [silence(3), new Float32Array(10)]) {
      const { quality } = hear(x);
      for (const v of Object.values(quality))
        if (typeof v === 'number') expect(Number.isFinite(v)).toBe(true);
      expect(quality.netMs).toBe(0);
    }
  });
});
