import { describe, expect, it } from 'vitest';
import { nonSpeech } from '../../../tools/attacks/non-speech-sounds.js';
import { resample } from '../../../src/voice/resample.js';
import { silenceTones, toneShare } from '../../../src/voice/speech/tones.js';
import { tone } from '../../support/sounds.js';
import { hear, logmel } from '../../support/speech.js';
import { voiceSamples } from '../../support/voice-samples.js';

describe('tones', () => {
  it('have nearly all power in two bands, speech has not', async () => {
    const beep = logmel(tone(900, 1));
    expect(toneShare(beep.data, 50)).toBeGreaterThan(0.99);
    const said = logmel(await voiceSamples('anna', 1));
    const shares = Array.from({ length: said.frames }, (_, f) => toneShare(said.data, f)).sort(
      (a, b) => a - b,
    );
    expect(shares[shares.length >> 1]).toBeLessThan(0.9);
  });

  it('take the voice out of the answers, and only there', () => {
    const { data, frames } = logmel(Float32Array.from([...tone(900, 1), ...new Float32Array(16000)]));
    const answers = silenceTones(new Float32Array(Math.ceil(frames / 2)).fill(0.9), data, frames);
    expect(answers.subarray(5, 45).every((p) => p === 0)).toBe(true);
    expect(answers.subarray(60, 90).every((p) => p > 0.8)).toBe(true);
  });

  it.each(['siren', 'dtmf', 'dial-tone'] as const)('are never speech: 30 times %s', (kind) => {
    for (let seed = 7000; seed < 7030; seed++) {
      const { samples, sampleRateHz } = nonSpeech(kind, seed);
      expect(hear(resample(samples, sampleRateHz)).speech.netMs, `seed ${seed}`).toBe(0);
    }
  });
});
