// The voice class is stable for one voice and follows pitch between voices.
import { describe, expect, it } from 'vitest';
import { resample } from '../../../src/voice/resample.js';
import { framePitchHz, PITCH_RATE_HZ } from '../../../src/voice/voice-class/pitch.js';
import { voiceClassScore } from '../../../src/voice/voice-class/voice-class-score.js';
import { voiceNames, type VoiceName } from '../../support/fixtures.js';
import { createRng, whiteNoise } from '../../support/sounds.js';
import { hear } from '../../support/speech.js';
import { voiceSamples } from '../../support/voice-samples.js';

async function scoreOf(voice: VoiceName, sentence: number, telephone = false): Promise<number> {
  const said = await voiceSamples(voice, sentence);
  const { samples16k, speech } = telephone ? hear(resample(said, 16000, 8000), 8000) : hear(said);
  return voiceClassScore(samples16k, speech)?.score ?? NaN;
}

describe('voiceClassScore', () => {
  it.each(voiceNames)(
    'stays within 10 points for %s, over sentences and over the telephone',
    async (voice) => {
      const scores = await Promise.all(
        [1, 2, 3, 4, 5].flatMap((s) => [scoreOf(voice, s), scoreOf(voice, s, true)]),
      );
      for (const s of scores) expect(s).toBeGreaterThan(0);
      expect(Math.max(...scores) - Math.min(...scores)).toBeLessThan(10);
    },
  );

  it('puts a deep voice below a high one', async () => {
    expect(await scoreOf('fritz', 1)).toBeLessThan((await scoreOf('anna', 1)) - 10);
  });

  it('has no opinion on too little speech', async () => {
    const { samples16k, speech } = hear((await voiceSamples('anna', 1)).subarray(0, 12000));
    expect(voiceClassScore(samples16k, speech)).toBeUndefined();
  });
});

describe('framePitchHz', () => {
  it.each([75, 110, 160, 220, 300, 390])('finds %d Hz, also without the fundamental', (hz) => {
    for (const first of [1, 2]) {
      const x = Float32Array.from({ length: 400 }, (_, i) => {
        let v = 0;
        for (let h = first; h <= 5; h++) v += Math.cos((2 * Math.PI * h * hz * i) / PITCH_RATE_HZ) / h;
        return v;
      });
      expect(Math.abs(framePitchHz(x, 0) / hz - 1)).toBeLessThan(0.03);
    }
  });

  it('finds none in noise', () => {
    const x = whiteNoise(1, createRng(1), PITCH_RATE_HZ);
    const found = Array.from({ length: 20 }, (_, i) => framePitchHz(x, i * 100)).filter((v) => v > 0);
    expect(found.length).toBeLessThan(4);
  });
});
