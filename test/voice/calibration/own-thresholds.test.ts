import { describe, expect, it } from 'vitest';
import { thresholdsFor } from '../../../src/voice/calibration/fit.js';
import { labeledThresholds, setOwnThresholds } from '../../../src/voice/calibration/own-thresholds.js';
import { normalTail } from '../../../src/voice/evaluation/normal.js';
import { randomSource } from '../scoring/synthetic-speakers.js';

function normals(seed: number): () => number {
  const random = randomSource(seed);
  return () => Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random());
}

/** Pairs of recordings of made-up speakers: strangers around one mean, the same speaker around another. */
function pairs(speakers: number, each: number, strangersAt: number, seed = 5) {
  const normal = normals(seed);
  const recordings = Array.from({ length: speakers * each }, (_, i) => `s${Math.floor(i / each)}`);
  return recordings.flatMap((first, i) =>
    recordings.slice(i + 1).map((second) => {
      const score = first === second ? 6 + 2 * normal() : strangersAt + 2 * normal();
      return { score, normalized: score, target: first === second, groups: [first, second] as const };
    }),
  );
}

/** How alike two people sound, and how much a pair of their recordings differs from that. */
const [PEOPLE_SD, RECORDINGS_SD] = [2, 0.3];
/** As with real voices, the highest scores lie a little lower than those of a normal distribution. */
const thinner = (x: number): number => (x > 1.645 ? 1.645 + 0.9 * (x - 1.645) : x);
const fatter = (x: number): number => (x > 1.645 ? 1.645 + (x - 1.645) / 0.9 : x);
const SD = Math.hypot(PEOPLE_SD, RECORDINGS_SD);

/** Strangers of whom some sound alike: all recordings of two people score much the same. */
function alike(speakers: number, each: number, seed: number) {
  const normal = normals(seed);
  const names = Array.from({ length: speakers }, (_, i) => `s${i}`);
  return names.flatMap((first, i) =>
    names.slice(i + 1).flatMap((second) => {
      const likeness = PEOPLE_SD * normal();
      return Array.from({ length: each * each }, () => {
        const score = SD * thinner((likeness + RECORDINGS_SD * normal()) / SD);
        return { score, normalized: score, target: false as const, groups: [first, second] as const };
      });
    }),
  );
}

describe('thresholds of a house', () => {
  it.each([-6, -1])(
    'keep their rates on speakers who did not set them, strangers around %d',
    { tags: 'slow' },
    async (at) => {
      const own = await setOwnThresholds(pairs(40, 10, at), [0.01, 0.001], undefined);
      expect(own).toMatchObject({ speakers: 40, trials: { target: 40 * 45 } });
      for (const { far, checked } of own.thresholds) {
        expect(checked.far).toBeGreaterThan(far / 2);
        expect(checked.far).toBeLessThan(far * 2);
      }
      const [loose, strict] = own.thresholds;
      expect(strict!.llr).toBeGreaterThan(loose!.llr);
      expect(strict!.checked.miss).toBeGreaterThanOrEqual(loose!.checked.miss);
    },
  );

  it('keep a rate on average that few speakers cannot show, where counting them does not', async () => {
    const [rates, houses] = [[0.01, 0.001], 24];
    const accepted = { held: rates.map(() => 0), counted: rates.map(() => 0) };
    for (let seed = 1; seed <= houses; seed++) {
      const trials = alike(10, 4, seed);
      const held = await labeledThresholds(trials, rates, SD);
      const counted = thresholdsFor(
        trials.map(({ score }) => score),
        rates,
      ).map(({ llr }) => llr);
      rates.forEach((_, i) => {
        accepted.held[i]! += normalTail(fatter(held[i]! / SD)) / houses;
        accepted.counted[i]! += normalTail(fatter(counted[i]! / SD)) / houses;
      });
    }
    rates.forEach((rate, i) => {
      expect(accepted.held[i]).toBeGreaterThan(rate / 1.5);
      expect(accepted.held[i]).toBeLessThan(rate * 1.5);
    });
    expect(accepted.counted[1]).toBeGreaterThan(rates[1]! * 1.5);
  });

  it('come to what is counted where there are many speakers', async () => {
    // One stranger in fifty sounds like somebody else: no line through the frequent scores tells of them.
    const trials = alike(150, 2, 1).map((trial, i) => (i % 50 === 0 ? { ...trial, score: 9 } : trial));
    const [llr] = await labeledThresholds(trials, [0.01], SD);
    expect(llr).toBeGreaterThan(8);
  });

  it('are those counted where scores have no direction', async () => {
    const same = alike(12, 4, 1).map((trial) => ({ ...trial, score: 1, normalized: 1 }));
    expect(await labeledThresholds(same, [0.01], SD)).toEqual([1]);
  });

  it('rise with the likeness of the strangers', async () => {
    const [far, near] = await Promise.all(
      [-6, -1].map(
        async (at) => (await setOwnThresholds(pairs(20, 10, at), [0.01], undefined)).thresholds[0]!.llr,
      ),
    );
    expect(near! - far!).toBeCloseTo(5, 0);
  });

  it('judge each half by the other: a half of its own kind shows in the check', async () => {
    // Every second speaker is met by strangers who resemble them much more.
    const mixed = pairs(20, 10, -4).map((trial) => {
      const alikeAll = trial.groups.every((speaker) => Number(speaker.slice(1)) % 4 === 0);
      return alikeAll && !trial.target ? { ...trial, score: trial.score + 8 } : trial;
    });
    const { thresholds } = await setOwnThresholds(mixed, [0.01], undefined);
    expect(thresholds[0]!.checked.far).toBeGreaterThan(0.02);
  });

  it('are refused for too few speakers or pairs, with what would be enough', async () => {
    await expect(setOwnThresholds(pairs(8, 20, -4), [0.01], undefined)).rejects.toThrow(
      /8 speakers.*at least 10/,
    );
    await expect(setOwnThresholds(pairs(10, 2, -4), [0.01], undefined)).rejects.toThrow(/at least 1000/);
  });
});
