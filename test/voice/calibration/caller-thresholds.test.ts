import { describe, expect, it } from 'vitest';
import {
  callerThresholds,
  requireCallers,
  type StrangerTrial,
} from '../../../src/voice/calibration/caller-thresholds.js';
import { randomSource } from '../scoring/synthetic-speakers.js';

const options = { level: 0.95, pause: async () => {}, strangerSpread: undefined };
/** How far normalized scores of the made-up strangers spread, and what a unit of it is worth in LLR. */
const GAIN = 1.25;

/** As with real voices, the highest scores lie a little lower than those of a normal distribution. */
const thinner = (x: number): number => (x > 1.645 ? 1.645 + 0.85 * (x - 1.645) : x);

/** Every caller against everybody else's print, scores around a mean. */
function strangers(people: number, at: number, sd: number, seed = 3): StrangerTrial[] {
  const random = randomSource(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random());
  const names = Array.from({ length: people }, (_, i) => `p${String(i).padStart(3, '0')}`);
  return names.flatMap((caller) =>
    names
      .filter((owner) => owner !== caller)
      .map((owner) => {
        const score = at + sd * thinner(normal());
        return { score, normalized: score / GAIN, target: false as const, groups: [caller, owner] as const };
      }),
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
    const truth = (place: number): number => -5 + 2 * thinner(place);
    expect(Math.abs(loose!.llr.value - truth(2.326))).toBeLessThan(0.5 * tolerance);
    expect(Math.abs(strict!.llr.value - truth(3.09))).toBeLessThan(0.7 * tolerance);
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

  it('are stricter the fewer have called, and right on average', async () => {
    const truth = -5 + 2 * thinner(3.09);
    const above = async (people: number): Promise<number> => {
      let sum = 0;
      for (let seed = 1; seed <= 6; seed++)
        sum += (await callerThresholds(strangers(people, -5, 2, seed), [0.001], options)).thresholds[0]!.llr
          .value;
      return sum / 6 - truth;
    };
    const [few, many] = [await above(15), await above(60)];
    expect(few).toBeGreaterThan(many);
    expect(Math.abs(many)).toBeLessThan(0.3);
  });

  it('of few callers are held to the spread that the model knows, of many hardly', async () => {
    const at = async (people: number, strangerSpread: number | undefined): Promise<number> => {
      const fitted = await callerThresholds(strangers(people, -5, 2), [0.001], {
        ...options,
        strangerSpread,
      });
      return fitted.thresholds[0]!.llr.value;
    };
    // The made-up spread is 2 / GAIN = 1.6: a known one of that size changes little, a larger one makes stricter.
    expect(Math.abs((await at(15, 1.6)) - (await at(15, undefined)))).toBeLessThan(0.7);
    const pulled = async (people: number): Promise<number> =>
      (await at(people, 3.2)) - (await at(people, 1.6));
    const [few, many] = [await pulled(15), await pulled(90)];
    expect(few).toBeGreaterThan(1.5);
    expect(many).toBeGreaterThan(0.2);
    expect(few).toBeGreaterThan(2 * many);
    expect(await at(15, 0.8)).toBeLessThan(await at(15, 1.6));
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
    expect(() => requireCallers(10, 9)).toThrow('voiceprints of 9 people are too few');
    await expect(callerThresholds(strangers(12, -5, 2), [0.01], options)).rejects.toThrow(
      'pairs of strangers',
    );
    await expect(callerThresholds(strangers(20, -5, 0), [0.01], options)).rejects.toThrow('do not differ');
  });
});
