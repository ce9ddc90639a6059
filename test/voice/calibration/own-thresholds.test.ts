import { describe, expect, it } from 'vitest';
import { setOwnThresholds } from '../../../src/voice/calibration/own-thresholds.js';
import { randomSource } from '../scoring/synthetic-speakers.js';

/** Pairs of recordings of made-up speakers: strangers around one mean, the same speaker around another. */
function pairs(speakers: number, each: number, strangersAt: number, seed = 5) {
  const random = randomSource(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random());
  const recordings = Array.from({ length: speakers * each }, (_, i) => `s${Math.floor(i / each)}`);
  return recordings.flatMap((first, i) =>
    recordings.slice(i + 1).map((second) => ({
      score: first === second ? 6 + 2 * normal() : strangersAt + 2 * normal(),
      target: first === second,
      groups: [first, second] as const,
    })),
  );
}

describe('thresholds of a house', () => {
  it.each([-6, -1])('keep their rates on speakers who did not set them, strangers around %d', (at) => {
    const own = setOwnThresholds(pairs(40, 10, at), [0.01, 0.001]);
    expect(own).toMatchObject({ speakers: 40, trials: { target: 40 * 45 } });
    for (const { far, checked } of own.thresholds) {
      expect(checked.far).toBeGreaterThan(far / 2);
      expect(checked.far).toBeLessThan(far * 2);
    }
    const [loose, strict] = own.thresholds;
    expect(strict!.llr).toBeGreaterThan(loose!.llr);
    expect(strict!.checked.miss).toBeGreaterThanOrEqual(loose!.checked.miss);
  });

  it('rise with the likeness of the strangers', () => {
    const [far, near] = [-6, -1].map((at) => setOwnThresholds(pairs(20, 10, at), [0.01]).thresholds[0]!.llr);
    expect(near! - far!).toBeCloseTo(5, 0);
  });

  it('judge each half by the other: a half of its own kind shows in the check', () => {
    // Every second speaker is met by strangers who resemble them much more.
    const mixed = pairs(20, 10, -4).map((trial) => {
      const alike = trial.groups.every((speaker) => Number(speaker.slice(1)) % 4 === 0);
      return alike && !trial.target ? { ...trial, score: trial.score + 8 } : trial;
    });
    const { thresholds } = setOwnThresholds(mixed, [0.01]);
    expect(thresholds[0]!.checked.far).toBeGreaterThan(0.02);
  });

  it('are refused for too few speakers or pairs, with what would be enough', () => {
    expect(() => setOwnThresholds(pairs(8, 20, -4), [0.01])).toThrow(/8 speakers.*at least 10/);
    expect(() => setOwnThresholds(pairs(10, 2, -4), [0.01])).toThrow(/at least 1000/);
  });
});
