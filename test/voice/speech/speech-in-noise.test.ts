// Steady noise neither hides speech that is clear enough, nor lets it pass when it is not, nor is speech itself.
import { describe, expect, it } from 'vitest';
import { defaultGates, judgeAudio } from '../../../src/voice/quality/judge-audio.js';
import { voiceNames } from '../../support/fixtures.js';
import { createRng, pinkNoise, whiteNoise } from '../../support/sounds.js';
import { hear, joined } from '../../support/speech.js';
import { voiceSamples } from '../../support/voice-samples.js';

const noises = { white: whiteNoise, pink: pinkNoise } as const;

const power = (x: Float32Array): number => x.reduce((sum, v) => sum + v * v, 0) / x.length;

/** A second of silence, three sentences, and noise over all of it, so many decibels below the sentences. */
async function recording(voice: (typeof voiceNames)[number], noise: keyof typeof noises, snrDb: number) {
  const said = joined(...(await Promise.all([1, 2, 3].map((sentence) => voiceSamples(voice, sentence)))));
  const clean = joined(new Float32Array(16000), said);
  const n = noises[noise](clean.length / 16000 + 0.01, createRng(snrDb + 50));
  const gain = Math.sqrt(power(said) / 10 ** (snrDb / 10) / power(n));
  return { clean, noisy: clean.map((v, i) => 0.5 * (v + gain * (n[i] ?? 0))) };
}

describe.each(Object.keys(noises) as (keyof typeof noises)[])('speech in %s noise', (noise) => {
  it.each(voiceNames)('at 12 dB has the net speech and the verdict of clean speech: %s', async (voice) => {
    const { clean, noisy } = await recording(voice, noise, 12);
    const [quiet, loud] = [hear(clean).quality, hear(noisy).quality];
    expect(loud.netMs / quiet.netMs).toBeGreaterThan(0.85);
    expect(loud.netMs / quiet.netMs).toBeLessThan(1.15);
    expect(Math.abs(loud.snrDb - 12)).toBeLessThan(2);
    expect(judgeAudio(loud, defaultGates.enroll).validity).toBe('AUDIO_OK');
  });

  it.each(voiceNames)('at 1 dB is too noisy, and not too short: %s', async (voice) => {
    const { noisy } = await recording(voice, noise, 1);
    expect(judgeAudio(hear(noisy).quality, defaultGates.verify).validity).toBe('AUDIO_TOO_NOISY');
  });

  it('is not heard where there is none', () => {
    const { speech, quality } = hear(noises[noise](8, createRng(3)));
    expect(speech.netMs).toBe(0);
    expect(judgeAudio(quality, defaultGates.verify).validity).toBe('AUDIO_TOO_SHORT');
  });
});
