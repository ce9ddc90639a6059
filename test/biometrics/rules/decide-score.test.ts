// From a score to a decision, on a scale whose thresholds are easy to see: 1 % at 0, 0.1 % at 2, 0.01 % at 4.
import { describe, expect, it } from 'vitest';
import { resolveParameters, type ParameterOverrides } from '../../../src/biometrics/model/parameters.js';
import type { Side } from '../../../src/biometrics/model/comparison.js';
import { decideScore, decidingLlr, reasonOfAudio } from '../../../src/biometrics/rules/decide-score.js';
import type { SpeakerModel } from '../../../src/voice/scoring/speaker-model.js';

const model = {
  revision: 'scale-1',
  thresholds: [
    { far: 0.01, llr: 0 },
    { far: 0.001, llr: 2 },
    { far: 0.0001, llr: 4 },
  ],
} as unknown as SpeakerModel;

const onePercent: ParameterOverrides = { authentication: { falseAcceptRate: 0.01 } };
const onePercentAlarms: ParameterOverrides = { fraudDetection: { falseAlarmRate: 0.01 } };

interface Case {
  name: string;
  side: Side;
  overrides?: ParameterOverrides;
  llr: number;
  reliability?: number;
  prints?: number;
  expected: [decision: string, reason: string];
}

const cases: Case[] = [
  {
    name: 'exactly at the threshold is a match',
    side: 'AUTHENTICATION',
    overrides: onePercent,
    llr: 0,
    expected: ['AUTHENTIC', 'VOICEPRINT_MATCH'],
  },
  {
    name: 'a little below the threshold is no match',
    side: 'AUTHENTICATION',
    overrides: onePercent,
    llr: -0.1,
    expected: ['NO_MATCH', 'VOICEPRINT_NO_MATCH'],
  },
  {
    name: 'a stranger is a mismatch, never fraud',
    side: 'AUTHENTICATION',
    overrides: onePercent,
    llr: -50,
    expected: ['NO_MATCH', 'VOICEPRINT_NO_MATCH'],
  },
  {
    name: 'and no riskHigh makes it one',
    side: 'AUTHENTICATION',
    overrides: { authentication: { falseAcceptRate: 0.01, riskLow: 300, riskHigh: 500 } },
    llr: -50,
    expected: ['NO_MATCH', 'VOICEPRINT_NO_MATCH'],
  },
  {
    name: 'reliability comes before everything else',
    side: 'AUTHENTICATION',
    overrides: onePercent,
    llr: 10,
    reliability: 49,
    expected: ['UNCERTAIN', 'LOW_RELIABILITY'],
  },
  {
    name: 'among ten prints each has to be ten times surer: below',
    side: 'AUTHENTICATION',
    overrides: onePercent,
    llr: 1.9,
    prints: 10,
    expected: ['NO_MATCH', 'VOICEPRINT_NO_MATCH'],
  },
  {
    name: 'among ten prints each has to be ten times surer: reached',
    side: 'AUTHENTICATION',
    overrides: onePercent,
    llr: 2,
    prints: 10,
    expected: ['AUTHENTIC', 'VOICEPRINT_MATCH'],
  },
  {
    name: 'a million prints ask for no more than the rate that can be measured',
    side: 'AUTHENTICATION',
    overrides: onePercent,
    llr: 6,
    prints: 1_000_000,
    expected: ['AUTHENTIC', 'VOICEPRINT_MATCH'],
  },
  {
    name: 'exactly at the alarm threshold is fraud',
    side: 'FRAUD_DETECTION',
    overrides: onePercentAlarms,
    llr: 0,
    expected: ['FRAUD', 'FRAUDSTER_INDICATION'],
  },
  {
    name: 'a little below the alarm threshold is no risk',
    side: 'FRAUD_DETECTION',
    overrides: onePercentAlarms,
    llr: -0.1,
    expected: ['NO_RISK_DETECTED', 'NO_RISK_DETECTED'],
  },
  {
    name: 'an unreliable alarm is none',
    side: 'FRAUD_DETECTION',
    overrides: onePercentAlarms,
    llr: 9,
    reliability: 10,
    expected: ['UNCERTAIN', 'LOW_RELIABILITY'],
  },
];

describe('the decision behind a score', () => {
  it.each(cases)('$name', ({ side, overrides = {}, llr, reliability = 80, prints = 1, expected }) => {
    const scale = { side, model, parameters: resolveParameters(overrides) };
    const { decision, reason, risk } = decideScore(scale, { llr, reliability }, prints);
    expect([decision, reason]).toEqual(expected);
    expect(risk.reliability).toBe(reliability);
  });

  it('lays risk 300 on the accepting and 700 on the alarm threshold', () => {
    const parameters = resolveParameters({ ...onePercent, ...onePercentAlarms });
    const riskOf = (side: Side) =>
      decideScore({ side, model, parameters }, { llr: 0, reliability: 80 }, 1).risk.risk;
    expect(riskOf('AUTHENTICATION')).toBe(300);
    expect(riskOf('FRAUD_DETECTION')).toBe(700);
  });

  it('has a reason for every validity, and mixed voices cannot be trusted', () => {
    expect(reasonOfAudio('AUDIO_TOO_NOISY')).toBe('AUDIO_TOO_NOISY');
    expect(reasonOfAudio('MULTIPLE_SPEAKERS_DETECTED')).toBe('LOW_RELIABILITY');
  });
});

describe('a score that is enough', () => {
  it.each<[Side, ParameterOverrides, number, string]>([
    ['AUTHENTICATION', onePercent, 1, 'AUTHENTIC'],
    ['AUTHENTICATION', onePercent, 1_000_000, 'AUTHENTIC'],
    ['AUTHENTICATION', { authentication: { riskLow: 100 } }, 100, 'AUTHENTIC'],
    ['FRAUD_DETECTION', onePercentAlarms, 1, 'FRAUD'],
    ['FRAUD_DETECTION', onePercentAlarms, 1_000_000, 'FRAUD'],
    ['FRAUD_DETECTION', { fraudDetection: { riskHigh: 950 } }, 100, 'FRAUD'],
  ])('decides, and a little less does not: %s %j %i', (side, overrides, prints, decision) => {
    const scale = { side, model, parameters: resolveParameters(overrides) };
    const llr = decidingLlr(scale, prints);
    const decisionAt = (score: number) =>
      decideScore(scale, { llr: score, reliability: 100 }, prints).decision;
    expect(decisionAt(llr)).toBe(decision);
    expect(decisionAt(llr - 0.02)).not.toBe(decision);
  });
});
