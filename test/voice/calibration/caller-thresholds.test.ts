import { describe, expect, it } from 'vitest';
import {
  callerThresholds,
  requireCallers,
  type StrangerTrial,
} from '../../../src/voice/calibration/caller-thresholds.js';
import { randomSource } from '../scoring/synthetic-speakers.js';

const options = { level: 0.95, pause: async () => {} };

/** Every caller against everybody else's print, scores around a mean. */
function strangers(people: number, at: number, sd: number, seed = 3): StrangerTrial[] {
  const random = randomSource(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random());
  const names = Array.from({ length: people }, (_, i) => `p${String(i).padStart(3, '0')}`);
  return names.flatMap((caller) =>
    names
      .filter((owner) => owner !== caller)
      .map((owner) => ({
        score: at + sd * normal(),
        target: false as const,
        groups: [caller, owner] as const,
      })),
  );
}

describe('thresholds from callers', () => {
  it.each([
    ['few callers', 15, 1.5],
    ['many callers', 80, 1],
  ])('lie where strangers reach at the rates, %s', async (_, people, tolerance) => {
    const { callers, owners, trials, thresholds } = await callerThresholds(
      strangers(people, -5, 2),
      [0.01, 0.001],
      options,
    );
    expect([callers, owners, trials]).toEqual([people, people, people * (people - 1)]);
    const [loose, strict] = thresholds;
    expect(Math.abs(loose!.llr.value - (-5 + 2 * 2.326))).toBeLessThan(0.5 * tolerance);
    expect(Math.abs(strict!.llr.value - (-5 + 2 * 3.09))).toBeLessThan(0.7 * tolerance);
    for (const { llr } of thresholds) {
      expect(llr.low).toBeLessThanOrEqual(llr.value);
      expect(llr.high).toBeGreaterThanOrEqual(llr.value);
    }
  });

  it('keep the rates on people who did not set them', async () => {
    const { thresholds } = await callerThresholds(strangers(100, -4, 2), [0.01, 0.001], options);
    for (const { far, checked, accepted } of thresholds)
      for (const share of [checked, accepted.value]) {
        expect(share).toBeGreaterThan(far / 2);
        expect(share).toBeLessThan(far * 2);
      }
  });

  it('say when the pairs cannot show a rate', async () => {
    const { thresholds } = await callerThresholds(strangers(20, -4, 2), [0.05, 0.0001], options);
    expect(thresholds.map(({ extrapolated }) => extrapolated)).toEqual([false, true]);
  });

  it('are not moved by a few callers known under two names', async () => {
    const clean = strangers(50, -5, 2);
    const mixed = clean.map((trial, i) => (i % 100 === 0 ? { ...trial, score: 9 } : trial));
    const [before, after] = await Promise.all(
      [clean, mixed].map(async (trials) => (await callerThresholds(trials, [0.001], options)).thresholds[0]!),
    );
    expect(Math.abs(after!.llr.value - before!.llr.value)).toBeLessThan(0.4);
    // But the report shows them.
    expect(after!.accepted.value).toBeGreaterThan(0.009);
  });

  it('refuse too few people, too few pairs, and scores without a direction', async () => {
    expect(() => requireCallers(9, 30)).toThrow('9 callers are too few');
    expect(() => requireCallers(10, 9)).toThrow('prints of 9 people are too few');
    await expect(callerThresholds(strangers(12, -5, 2), [0.01], options)).rejects.toThrow(
      'pairs of strangers',
    );
    await expect(callerThresholds(strangers(20, -5, 0), [0.01], options)).rejects.toThrow('do not differ');
  });
});
