// The shipped detector: equal to the training side, finds speech where it is, and nothing in sounds that are none.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadSpeechModel } from '../../../src/voice/speech/speech-model.js';
import { SpeechNet, speechProbabilities } from '../../../src/voice/speech/speech-net.js';
import { resample } from '../../../src/voice/resample.js';
import { voiceNames } from '../../support/fixtures.js';
import { createRng, nonSpeech, pinkNoise, silence } from '../../support/sounds.js';
import { hear, joined, logmel, speechModel, SPEECH_MODEL_FOLDER } from '../../support/speech.js';
import { voiceSamples } from '../../support/voice-samples.js';

function paritySignal(seconds: number): Float32Array {
  let state = 12345n;
  return Float32Array.from({ length: seconds * 16000 }, (_, n) => {
    state = (1664525n * state + 1013904223n) % 4294967296n;
    const u = Number(state) / 4294967296 - 0.5;
    const t = n / 16000;
    const chirp = t > 2 ? 6000 * Math.sin(2 * Math.PI * (120 * t + 2.5 * t * t)) : 0;
    return (
      Math.round(
        chirp +
          2500 * Math.sin(2 * Math.PI * 360 * t) * (0.5 + 0.5 * Math.sin(2 * Math.PI * 3 * t)) +
          800 * u,
      ) / 32768
    );
  });
}

describe('the speech detector', () => {
  it('answers as the training side does', () => {
    const parity = JSON.parse(readFileSync(join(SPEECH_MODEL_FOLDER, 'parity.json'), 'utf8')) as {
      seconds: number;
      tolerance: number;
      probability: number[];
    };
    const m = logmel(paritySignal(parity.seconds));
    const p = speechProbabilities(speechModel, m.data, m.frames);
    expect(p.length).toBe(parity.probability.length);
    expect(Math.max(...p.map((v, i) => Math.abs(v - (parity.probability[i] ?? 9))))).toBeLessThan(
      parity.tolerance,
    );
  });

  it.each([1, 7, 50, 333])('answers the same in pieces of %i frames as for the whole', (size) => {
    const m = logmel(joined(paritySignal(6), paritySignal(5)));
    const net = new SpeechNet(speechModel);
    const parts: number[] = [];
    for (let at = 0; at < m.frames; at += size)
      parts.push(...net.push(m.data.subarray(at * 80, Math.min(m.frames, at + size) * 80)));
    expect(parts.length).toBe(Math.ceil(m.frames / 2) - speechModel.reach);
    expect([...parts, ...net.finish()]).toEqual([...speechProbabilities(speechModel, m.data, m.frames)]);
  });

  it.each(voiceNames)('finds the speech of %s between pauses, at both rates', async (voice) => {
    const said = await voiceSamples(voice, 1);
    const x = joined(silence(1.5), said, silence(2));
    for (const samples of [x, resample(resample(x, 16000, 8000), 8000, 16000)]) {
      const { speech } = hear(samples);
      const from = speech.segments[0]?.startMs ?? 0;
      const to = speech.segments.at(-1)?.endMs ?? 0;
      expect(from).toBeGreaterThan(1200);
      expect(from).toBeLessThan(2200);
      expect(Math.abs(to - (1500 + said.length / 16))).toBeLessThan(700);
      expect(speech.netMs).toBeGreaterThan(0.7 * (said.length / 16));
      expect(speech.netMs).toBe(speech.mask.reduce((n, v) => n + v, 0) * 10);
    }
  });

  it('finds speech in noise', async () => {
    const said = await voiceSamples('bruno', 2);
    const noise = pinkNoise(said.length / 16000 + 0.1, createRng(3), 16000, 0.02);
    const { speech } = hear(said.map((v, i) => v + (noise[i] ?? 0)));
    expect(speech.netMs).toBeGreaterThan(0.6 * (said.length / 16));
  });

  it('never takes silence, tones, noise or music for speech', { tags: 'slow' }, () => {
    const heard: string[] = [];
    for (let seed = 0; seed < 44; seed++) {
      const { name, samples } = nonSpeech(seed, 5);
      for (const x of [samples, resample(resample(samples, 16000, 8000), 8000, 16000)]) {
        const { speech } = hear(x);
        if (speech.netMs > 0) heard.push(`${name} (${seed}): ${speech.netMs} ms`);
      }
    }
    expect(heard).toEqual([]);
  });

  it('has nothing to say about audio shorter than a frame', () => {
    const { speech } = hear(new Float32Array(300));
    expect(speech).toMatchObject({ segments: [], netMs: 0, grossMs: 0 });
  });

  it('refuses a file that is no detector', () => {
    expect(() => loadSpeechModel(new Uint8Array(100))).toThrow('not a speech detector');
    const bytes = readFileSync(join(SPEECH_MODEL_FOLDER, 'weights.bin'));
    expect(() => loadSpeechModel(bytes.subarray(0, bytes.length - 4))).toThrow('cut short');
  });
});
