// The attack makers: what comes out is not the recording, but still its speech; the same seed makes the same attack.
import { describe, expect, it } from 'vitest';
import { ShortTime } from '../../tools/attacks/fourier.js';
import { attackKinds, makeAttack, type AttackKindMade } from '../../tools/attacks/make-attack.js';
import { seededRandom } from '../../src/voice/evaluation/metrics.js';
import type { VoiceName } from '../support/fixtures.js';
import { hear } from '../support/speech.js';
import { voiceSamples } from '../support/voice-samples.js';

// A second and a half is enough to hear what is made of them.
const spoken = async (voice: VoiceName, sentence: number) =>
  (await voiceSamples(voice, sentence)).slice(0, 24_000);
const [victim, more, impostor] = await Promise.all([
  spoken('anna', 1),
  spoken('anna', 2),
  spoken('bruno', 1),
]);
const made = (kind: AttackKindMade, seed = 1) =>
  makeAttack(kind, { victim, more: [more], impostor, random: seededRandom(seed) });

describe('short-time spectra', () => {
  it('give the signal back', () => {
    const stft = new ShortTime(512, 128);
    const back = stft.backward(stft.forward(victim), victim.length);
    // At the very edges no window reaches full weight.
    for (let i = 512; i < victim.length - 512; i += 97) expect(back[i]).toBeCloseTo(victim[i] as number, 6);
  });
});

describe.each(Object.keys(attackKinds) as AttackKindMade[])('%s', (kind) => {
  const attack = made(kind);

  it('is speech, as long and as loud as what it stands for, and not the recording', () => {
    const source = kind === 'morph' ? impostor : victim;
    expect(attack).toHaveLength(source.length);
    expect(attack.every(Number.isFinite)).toBe(true);
    expect(Math.max(...attack.map(Math.abs))).toBeLessThanOrEqual(0.96);
    const [mine, theirs] = [hear(attack).quality, hear(source).quality];
    expect(mine.netMs).toBeGreaterThan(0.6 * theirs.netMs);
    expect(Math.abs(mine.speechLevelDbfs - theirs.speechLevelDbfs)).toBeLessThan(8);
    const difference = attack.reduce((sum, value, i) => sum + (value - (source[i] ?? 0)) ** 2, 0);
    const power = source.reduce((sum, value) => sum + value * value, 0);
    expect(difference / power).toBeGreaterThan(0.05);
  });

  it('is the same for the same seed, and another for another', () => {
    const bytes = (samples: Float32Array) => Buffer.from(samples.buffer);
    expect(bytes(made(kind)).equals(bytes(attack))).toBe(true);
    expect(bytes(made(kind, 2)).equals(bytes(attack))).toBe(false);
  });
});
