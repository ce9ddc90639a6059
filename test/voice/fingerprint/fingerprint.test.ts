// A recording is recognized by its sound, whatever was done to the file; other speech of the same voice is not.
import { beforeAll, describe, expect, it } from 'vitest';
import { muLawTable } from '../../../src/voice/audio/codecs/g711.js';
import { encodeMuLaw } from '../../../src/voice/audio/encode-mulaw.js';
import {
  decodeFingerprint,
  encodeFingerprint,
  endingAt,
  FingerprintMaker,
  type Fingerprint,
} from '../../../src/voice/fingerprint/fingerprint.js';
import { repeatedSpeech } from '../../../src/voice/fingerprint/repeated-speech.js';
import { resample } from '../../../src/voice/resample.js';
import { detectSpeech } from '../../../src/voice/speech/detect-speech.js';
import { createRng, whiteNoise } from '../../support/sounds.js';
import { joined, logmel, speechModel } from '../../support/speech.js';
import { voiceSamples } from '../../support/voice-samples.js';

const RATE_HZ = 16_000;

function fingerprintOf(samples: Float32Array, sampleRateHz = RATE_HZ): Fingerprint {
  const { data, frames } = logmel(resample(samples, sampleRateHz));
  const maker = new FingerprintMaker();
  maker.rows(data);
  return maker.fingerprint(detectSpeech(speechModel, data, frames).mask);
}

const byTelephone = (samples: Float32Array): Float32Array =>
  Float32Array.from(encodeMuLaw(resample(samples, RATE_HZ, 8000)), (code) => muLawTable[code] ?? 0);

function inNoise(samples: Float32Array): Float32Array {
  const hiss = whiteNoise(samples.length / RATE_HZ, createRng(5), RATE_HZ, 0.002);
  return samples.map((value, index) => value + (hiss[index] ?? 0));
}

describe('repeated speech', () => {
  let first: Float32Array;
  let second: Float32Array;
  let known: Fingerprint;
  beforeAll(async () => {
    first = await voiceSamples('bruno', 2);
    second = await voiceSamples('bruno', 3);
    known = fingerprintOf(first);
  });

  const copies: [string, (samples: Float32Array) => Float32Array, number?][] = [
    ['as it is', (samples) => samples],
    ['a fifth as loud', (samples) => samples.map((value) => value / 5)],
    ['at 8 kHz', (samples) => resample(samples, RATE_HZ, 8000), 8000],
    ['at 11,025 Hz', (samples) => resample(samples, RATE_HZ, 11_025), 11_025],
    ['by telephone', (samples) => byTelephone(samples), 8000],
    ['without its first 0.4 s', (samples) => samples.subarray(6500)],
    ['half a step later', (samples) => samples.subarray(320)],
    ['without its beginning and end', (samples) => samples.subarray(7000, samples.length - 7000)],
    ['its first 3.4 s', (samples) => samples.subarray(0, 3.4 * RATE_HZ)],
    ['behind a second of silence', (samples) => joined(new Float32Array(RATE_HZ), samples)],
    ['in soft noise', (samples) => inNoise(samples)],
  ];
  it.each(copies)('is found in a recording %s', (_what, change, rateHz) => {
    expect(repeatedSpeech(fingerprintOf(change(first), rateHz), [known])).toBeGreaterThan(0.8);
  });

  it('is no other sentence of the same voice', async () => {
    for (const sentence of [1, 3, 4, 5])
      expect(repeatedSpeech(fingerprintOf(await voiceSamples('bruno', sentence)), [known])).toBe(0);
  });

  it('is the part of a recording that was there before', () => {
    const half = repeatedSpeech(fingerprintOf(joined(first, second)), [known]);
    expect(half).toBeGreaterThan(0.25);
    expect(half).toBeLessThan(0.75);
    const all = repeatedSpeech(fingerprintOf(joined(first, second)), [known, fingerprintOf(second)]);
    expect(all).toBeGreaterThan(0.8);
  });

  it('is unknown of too little speech, and of none', () => {
    expect(repeatedSpeech(fingerprintOf(first.subarray(0, RATE_HZ)), [known])).toBe(0);
    expect(repeatedSpeech(fingerprintOf(new Float32Array(RATE_HZ)), [known])).toBe(0);
    expect(repeatedSpeech(known, [])).toBe(0);
    expect(repeatedSpeech(known, [new Uint16Array(0)])).toBe(0);
  });
});

describe('a fingerprint', () => {
  it('does not depend on the pieces in which the sound came', async () => {
    const { data } = logmel(await voiceSamples('anna', 1));
    const frames = data.length / 80;
    const mask = new Uint8Array(frames).fill(1);
    const whole = new FingerprintMaker();
    whole.rows(data);
    const pieces = new FingerprintMaker();
    for (let at = 0; at < frames; at += 7) pieces.rows(data.subarray(at * 80, Math.min(frames, at + 7) * 80));
    expect(pieces.fingerprint(mask)).toEqual(whole.fingerprint(mask));
    expect(pieces.fingerprint(mask)).toHaveLength(Math.floor(frames / 4));
    expect(pieces.fingerprint(mask.subarray(0, 40))).toEqual(endingAt(whole.fingerprint(mask), 400));
  });

  it('ends after three minutes, however long the call is', () => {
    const maker = new FingerprintMaker();
    const second = new Float32Array(100 * 80);
    for (let i = 0; i < 200; i++) maker.rows(second);
    expect(maker.fingerprint(new Uint8Array(20_000))).toHaveLength(4500);
    expect(maker.heldBytes).toBeLessThan(32_000);
  });

  it('is stored and read again, and nothing else is taken for one', () => {
    const words = Uint16Array.of(0, 1, 0x8001, 0xffff);
    expect(decodeFingerprint(encodeFingerprint(words))).toEqual(words);
    expect(decodeFingerprint(encodeFingerprint(new Uint16Array(0)))).toEqual(new Uint16Array(0));
    expect(() => decodeFingerprint(new Uint8Array(0))).toThrow(RangeError);
    expect(() => decodeFingerprint(Uint8Array.of(9, 0, 0))).toThrow(RangeError);
    expect(() => decodeFingerprint(Uint8Array.of(1, 0))).toThrow(RangeError);
  });
});
