import { describe, expect, it } from 'vitest';
import { arrangeTrials, sortTrials, type Trial } from '../../../src/voice/evaluation/arrange.js';
import { shareWithInterval } from '../../../src/voice/evaluation/binomial.js';
import { curvesOf, equalErrorThreshold, histogramOf } from '../../../src/voice/evaluation/curves.js';
import {
  bootstrapIntervals,
  eerWithInterval,
  equalErrorRateOf,
  falseAcceptsAt,
  missesAt,
  thresholdAt,
} from '../../../src/voice/evaluation/metrics.js';
import { equalErrorInterval } from '../../../src/voice/evaluation/rates.js';

const trial = (target: boolean, score: number, groups?: [string, string]): Trial => ({
  target,
  score,
  ...(groups && { groups }),
});
const pause = async (): Promise<void> => {};

describe('the exact interval of a share', () => {
  // Closed forms: no event leaves 1 - (tail)^(1/n); the rest is checked against the binomial sum itself.
  it('says what no event in so many trials leaves possible', () => {
    const { value, low, high } = shareWithInterval(0, 100, 0.95);
    expect([value, low]).toEqual([0, 0]);
    expect(high).toBeCloseTo(1 - 0.025 ** (1 / 100), 9);
    expect(shareWithInterval(100, 100, 0.95).low).toBeCloseTo(0.025 ** (1 / 100), 9);
  });

  it('leaves exactly the tails outside', () => {
    for (const [events, trials] of [
      [3, 20],
      [1, 7],
      [250, 4000],
    ] as const) {
      const { low, high } = shareWithInterval(events, trials, 0.9);
      expect(binomialTail(trials, low, events)).toBeCloseTo(0.05, 6);
      expect(1 - binomialTail(trials, high, events + 1)).toBeCloseTo(0.05, 6);
    }
  });
});

/** P(at least so many events). */
function binomialTail(trials: number, rate: number, least: number): number {
  let below = 0;
  let logTerm = trials * Math.log(1 - rate);
  for (let k = 0; k < least; k++) {
    below += Math.exp(logTerm);
    logTerm += Math.log((trials - k) / (k + 1)) + Math.log(rate / (1 - rate));
  }
  return 1 - below;
}

describe('trials in pieces', () => {
  it('come in the same order as at once, and other work gets its turn', async () => {
    const many = Array.from({ length: 30_000 }, (_, i) =>
      trial(i % 3 === 0, Math.round(1000 * Math.sin(i * i)) / 100, [`s${i % 40}`, `s${(i * 7) % 40}`]),
    );
    let turns = 0;
    const arranged = await arrangeTrials(many, async () => void turns++);
    const sorted = sortTrials(many);
    expect([...arranged.scores]).toEqual([...sorted.scores]);
    expect([...arranged.target]).toEqual([...sorted.target]);
    expect([...arranged.groups]).toEqual([...sorted.groups]);
    expect(arranged.groupCount).toBe(40);
    expect(turns).toBeGreaterThan(20);
  });

  it('are each a group of their own without speakers', () => {
    const { groups, groupCount } = sortTrials([trial(true, 2), trial(false, 1)]);
    expect([[...groups], groupCount]).toEqual([[0, 0, 1, 1], 2]);
  });
});

describe('figures with bootstrap intervals', () => {
  const trials: Trial[] = [];
  for (let speaker = 0; speaker < 20; speaker++) {
    const offset = Math.sin(speaker) * 2;
    for (let i = 0; i < 10; i++) {
      trials.push(trial(true, 3 + offset + Math.sin(7 * speaker + i), [`s${speaker}`, `s${speaker}`]));
      trials.push(
        trial(false, -3 - offset + 2 * Math.sin(speaker + 5 * i), [`s${speaker}`, `s${(speaker + 1) % 20}`]),
      );
    }
  }

  it('agree with the plain equal error rate and widen with the level', async () => {
    const plain = eerWithInterval(trials);
    const options = { pause };
    const { eer } = await bootstrapIntervals(trials, { eer: equalErrorRateOf }, { level: 0.95, ...options });
    expect(eer).toEqual(plain);
    const narrow = await bootstrapIntervals(trials, { eer: equalErrorRateOf }, { level: 0.5, ...options });
    expect(narrow.eer.high - narrow.eer.low).toBeLessThan(eer.high - eer.low);
  });

  it('leave room for an equal error where no draw has made one', async () => {
    const apart = [...Array(40).keys()].flatMap((i) => [
      trial(true, 5 + i),
      ...[1, 2, 3].map(() => trial(false, -i)),
    ]);
    const sorted = sortTrials(apart);
    const { eer } = await bootstrapIntervals(sorted, { eer: equalErrorRateOf }, { level: 0.95, pause });
    expect(eer).toEqual({ value: 0, low: 0, high: 0 });
    const known = equalErrorInterval(sorted, equalErrorThreshold(sorted), 0.95, eer);
    expect([known.value, known.low]).toEqual([0, 0]);
    // As much as 40 voices without a mistake leave possible.
    expect(known.high).toBeCloseTo(1 - 0.025 ** (1 / 40), 9);
    const mixed = { value: 0.1, low: 0.05, high: 0.2 };
    expect(equalErrorInterval(sorted, 0, 0.95, mixed)).toBe(mixed);
  });

  it('find the lowest threshold that keeps the wanted rate', async () => {
    const list = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((score) => trial(false, score)).concat(trial(true, 20));
    const at = async (rate: number) =>
      (await bootstrapIntervals(list, { t: thresholdAt(rate) }, { level: 0.95, rounds: 0, pause })).t.value;
    expect(await at(0.2)).toBeCloseTo(7.5);
    expect(await at(0.05)).toBeCloseTo(14.5);
    expect(await at(0.2999)).toBeCloseTo(7.5);
    const rates = await bootstrapIntervals(
      list,
      { fa: falseAcceptsAt(7.5), miss: missesAt(21) },
      { level: 0.95, rounds: 0, pause },
    );
    expect([rates.fa.value, rates.miss.value]).toEqual([0.2, 1]);
  });
});

describe('curves', () => {
  const list = [trial(false, -2), trial(false, 0), trial(true, 1), trial(true, 3), trial(false, 2)];

  it('count every trial once', () => {
    const { start, binWidth, target, impostor } = histogramOf(list);
    expect(start).toBe(-2);
    expect(start + 60 * binWidth).toBeCloseTo(3);
    expect(target.reduce((a, b) => a + b)).toBe(2);
    expect(impostor.reduce((a, b) => a + b)).toBe(3);
  });

  it('give the rates at each threshold', () => {
    const { byThreshold } = curvesOf(list);
    const near = (threshold: number) =>
      byThreshold.find((point) => Math.abs(point.threshold - threshold) < 0.026);
    expect(byThreshold[0]).toEqual({ threshold: -2, falseAccept: 1, miss: 0 });
    expect(near(1.5)).toMatchObject({ falseAccept: 1 / 3, miss: 0.5 });
    expect(byThreshold.at(-1)).toEqual({ threshold: 3, falseAccept: 0, miss: 0.5 });
    expect(equalErrorThreshold(list)).toBe(2);
  });

  it('stand for no trials too', () => {
    expect(curvesOf([]).byThreshold).toHaveLength(101);
    expect(histogramOf([]).target.every((count) => count === 0)).toBe(true);
  });
});
