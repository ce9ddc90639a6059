// How the looks at one call share the target rate, and which of them may leave open who is speaking.
import { describe, expect, it } from 'vitest';
import { defaultParameters, resolveParameters } from '../../../src/biometrics/model/parameters.js';
import { authenticationCheckpointsMs, liveCheckpointsMs } from '../../../src/biometrics/rules/checkpoints.js';
import { isBorderline, isEarly, looksLike, type Look } from '../../../src/biometrics/rules/looks.js';

const at = (seconds: number): Look => ({ netMs: 1000 * seconds, isLast: false });
const endAt = (seconds: number): Look => ({ netMs: 1000 * seconds, isLast: true });

describe('the looks that share the target rate', () => {
  it.each<[name: string, Look, seconds: number[], looks: number]>([
    ['a quarter for each of two early looks', at(3), [3, 6, 10], 4],
    ['also for the second', at(6.009), [3, 6, 10], 4],
    ['half of it when the patience is over', at(10), [3, 6, 10], 2],
    ['also a frame too soon', at(9.9995), [3, 6, 10], 2],
    ['half of it at the end', endAt(14), [3, 6, 10], 2],
    ['also of a short recording', endAt(4), [3, 6, 10], 2],
    ['all of it for the only look', endAt(2.9), [3, 6, 10], 1],
    ['also if the end is at the first checkpoint', endAt(3), [3, 6, 10], 1],
    ['all of it without checkpoints', endAt(60), [], 1],
    ['half of it for a single early look', at(5), [5, 20], 2],
    ['a look that nobody planned counts as an early one', at(4.5), [3, 6, 10], 4],
    ['half of it for each late look without early ones', at(20), [20, 40], 2],
  ])('%s', (_, look, seconds, looks) => {
    const planned = seconds.map((second) => 1000 * second);
    expect(looksLike(look, planned, defaultParameters)).toBe(looks);
  });

  it.each([
    [3, 2],
    [6, 2],
    [7, 4],
    [30, 8],
  ])('follow the patience: %i s', (patienceSeconds, looks) => {
    const parameters = resolveParameters({ authentication: { patienceSeconds } });
    expect(looksLike(at(3), liveCheckpointsMs, parameters)).toBe(looks);
  });

  it('promise at most the target rate by two early looks and one that is late', () => {
    const rates = [at(3), at(6), endAt(14)].map(
      (look) => 1 / looksLike(look, liveCheckpointsMs, defaultParameters),
    );
    expect(rates.reduce((sum, rate) => sum + rate)).toBe(1);
  });

  it('are only those with enough speech for a decision', () => {
    const parameters = resolveParameters({ authentication: { netSpeechSecondsMin: 5 } });
    expect(authenticationCheckpointsMs(parameters)).toEqual([6000, 10_000]);
  });
});

describe('an early look', () => {
  it.each<[Look, boolean]>([
    [at(3), true],
    [at(9.9), true],
    [at(10), false],
    [endAt(3), false],
  ])('is one before the end, while there is patience: %j', (look, early) => {
    expect(isEarly(look, defaultParameters)).toBe(early);
  });

  it.each([
    [300, false],
    [301, true],
    [699, true],
    [700, false],
    [1000, false],
  ])('leaves risk %i open: %s', (risk, open) => {
    expect(isBorderline(risk, defaultParameters)).toBe(open);
  });
});
