// From a detector's measure to the decision of an attack check.
import { describe, expect, it } from 'vitest';
import { resolveParameters } from '../../../src/biometrics/model/parameters.js';
import { judgeAttack, type AttackEvidence } from '../../../src/biometrics/rules/judge-attack.js';
import type { Bandwidth } from '../../../src/voice/scoring/speaker-model.js';
import type { SpoofScore } from '../../../src/voice/spoof/detector.js';

const parameters = resolveParameters({ attackChecks: { riskHigh: 700, reliabilityMin: 50 } });
const doubt = { measure: 'spread', value: 3, limit: 2 } as const;
const span = { startMs: 0, endMs: 4000, llr: 3 };
const measured = (risk: number, reliability: number, reliable = true) =>
  ({
    llr: 1.5,
    bandwidth: 'wide',
    heard: [],
    risk,
    reliability,
    alarmReliability: reliability,
    reliable,
    doubts: reliable ? [] : [doubt],
    unfamiliar: !reliable,
    spans: [span],
  }) as unknown as SpoofScore;
const heard = (
  measure: SpoofScore | undefined,
  validity: AttackEvidence['validity'] = 'AUDIO_OK',
  bandwidth: Bandwidth = 'wide',
) => ({
  validity,
  measure,
  bandwidth,
  detector: {
    revision: 'detector-3',
    experimental: true,
    calibration: { narrow: { a: 1, b: 0 }, wide: { a: 1, b: 0 } },
    reliability: [
      { bandwidth: 'wide', minSnrDb: 0, minNetSpeechS: 0, value: 69 },
      { bandwidth: 'narrow', minSnrDb: 0, minNetSpeechS: 0, value: 53 },
      { bandwidth: 'any', minSnrDb: -100, minNetSpeechS: 0, value: 10 },
    ] as const,
    reliabilityFloor: 60,
  },
});

const cases: [name: string, AttackEvidence, decision: string, reason: string][] = [
  ['below the threshold', heard(measured(699, 90)), 'NO_RISK_DETECTED', 'AUDIO_OK'],
  ['at the threshold', heard(measured(700, 90)), 'FRAUD', 'SYNTHETIC_SPEECH_DETECTED'],
  ['at the least reliability', heard(measured(800, 50)), 'FRAUD', 'SYNTHETIC_SPEECH_DETECTED'],
  ['below the least reliability', heard(measured(1000, 49)), 'UNCERTAIN', 'LOW_RELIABILITY'],
  [
    'where the detector itself does not trust it',
    heard(measured(1000, 90, false)),
    'UNCERTAIN',
    'LOW_RELIABILITY',
  ],
  ['without a measure', heard(undefined), 'UNCERTAIN', 'LOW_RELIABILITY'],
  [
    'on audio that is unfit, whatever the detector says',
    heard(measured(1000, 90), 'AUDIO_TOO_SHORT'),
    'UNCERTAIN',
    'AUDIO_TOO_SHORT',
  ],
  [
    'on mixed voices, which its reasons have no word for',
    heard(measured(1000, 90), 'MULTIPLE_SPEAKERS_DETECTED'),
    'UNCERTAIN',
    'LOW_RELIABILITY',
  ],
];

describe('a check on a channel on which it never answers', () => {
  it.each([
    ['is not made', undefined],
    ['does not count what an earlier version has measured', measured(900, 53)],
  ])('%s, and says why', (_name, measure) => {
    const outcome = judgeAttack('playback', heard(measure, 'AUDIO_OK', 'narrow'), parameters);
    expect(outcome).toMatchObject({
      decision: 'UNCERTAIN',
      reason: 'LOW_RELIABILITY',
      bandwidth: 'narrow',
      unfamiliar: false,
      doubts: [{ measure: 'bandwidth', value: 4, limit: 8 }],
    });
    expect(outcome.risk).toBeUndefined();
  });

  it('is made on other channels', () => {
    expect(judgeAttack('playback', heard(measured(300, 69)), parameters).decision).toBe('NO_RISK_DETECTED');
  });

  it.each([
    [50, 60],
    [80, 80],
  ])('names the limit that applies: of a config set that asks for %i it is %i', (reliabilityMin, limit) => {
    const weak = {
      ...measured(300, 57),
      doubts: [{ measure: 'reliability', value: 57, limit: 60 } as const],
    };
    const { doubts } = judgeAttack(
      'playback',
      heard(weak),
      resolveParameters({ attackChecks: { reliabilityMin } }),
    );
    expect(doubts).toEqual([{ measure: 'reliability', value: 57, limit }]);
  });
});

describe('an attack check', () => {
  it.each(cases)('%s', (_name, evidence, decision, reason) => {
    expect(judgeAttack('synthetic', evidence, parameters)).toMatchObject({
      kind: 'synthetic',
      decision,
      reason,
      detectorRevision: 'detector-3',
      experimental: true,
    });
  });

  it('says why it abstains, and where it heard something', () => {
    const judged = (measure: SpoofScore) => {
      const { doubts, unfamiliar, spans } = judgeAttack('synthetic', heard(measure), parameters);
      return { doubts, unfamiliar, spans };
    };
    expect(judged(measured(900, 90))).toEqual({ doubts: [], unfamiliar: false, spans: [span] });
    expect(judged(measured(10, 0, false))).toEqual({ doubts: [doubt], unfamiliar: true, spans: [span] });
    // The detector trusts itself; the config set asks for more.
    expect(judged(measured(10, 49))).toEqual({
      doubts: [{ measure: 'reliability', value: 49, limit: 50 }],
      unfamiliar: false,
      spans: [span],
    });
  });

  describe('where the tenant draws the line for synthetic speech itself', () => {
    const shared = { measure: 'score', value: 0.5, limit: -1.7 } as const;
    /** Between the all-clear and the detector's own alarm. */
    const between = (risk: number, more: Partial<SpoofScore> = {}): SpoofScore => ({
      ...measured(risk, 10, false),
      alarmReliability: 92,
      unfamiliar: false,
      doubts: [shared],
      alarmLlr: 2.6,
      ...more,
    });
    const judged = (
      measure: SpoofScore,
      attackChecks: object,
      kind: 'synthetic' | 'playback' = 'synthetic',
    ) => judgeAttack(kind, heard(measure), resolveParameters({ attackChecks }));

    it('a score at or above it is an alarm, with the reliability of one', () => {
      expect(judged(between(300), { syntheticRiskHigh: 300 })).toMatchObject({
        decision: 'FRAUD',
        reason: 'SYNTHETIC_SPEECH_DETECTED',
        risk: { risk: 300, reliability: 92 },
        doubts: [],
      });
      expect(judged(between(299), { syntheticRiskHigh: 300 })).toMatchObject({
        decision: 'UNCERTAIN',
        reason: 'LOW_RELIABILITY',
        risk: { risk: 299, reliability: 10 },
        doubts: [shared],
      });
    });

    it('as does the line for both checks, where it has none of its own', () => {
      expect(judged(between(400), { riskHigh: 400 }).decision).toBe('FRAUD');
      expect(judged(between(400), { riskHigh: 400, syntheticRiskHigh: 500 }).decision).toBe('UNCERTAIN');
    });

    it('telephones and microphones have a line each, where it is drawn', () => {
      const [narrow, wide] = [
        between(400, { bandwidth: 'narrow' }),
        between(400, { bandwidth: 'wide' }),
      ] as const;
      const lines = { syntheticRiskHighNarrow: 471, syntheticRiskHighWide: 261 };
      expect(judged(narrow, lines)).toMatchObject({
        decision: 'UNCERTAIN',
        line: { risk: 471, bandwidth: 'narrow' },
      });
      expect(judged(wide, lines)).toMatchObject({
        decision: 'FRAUD',
        line: { risk: 261, bandwidth: 'wide' },
      });
      const one = { syntheticRiskHigh: 300, syntheticRiskHighNarrow: 471 };
      expect(judged(narrow, one).decision).toBe('UNCERTAIN');
      expect(judged(wide, one)).toMatchObject({ decision: 'FRAUD', line: { risk: 300 } });
      expect(judged(narrow, {})).toMatchObject({ line: { risk: 700, bandwidth: 'narrow' } });
    });

    it('names the stretches that reach it, which no shipped line would', () => {
      const window = (startMs: number, score: number) => ({ startMs, endMs: startMs + 4000, score });
      // The shipped line at 2.6 is a risk of 700; 1.0 lies at 320.
      const heardIn = [window(0, 1.2), window(4000, 0.4), window(8000, 1.6)];
      const measure = between(330, { spans: [], heard: heardIn, llr: 1.07 });
      expect(judged(measure, { syntheticRiskHigh: 320 })).toMatchObject({
        decision: 'FRAUD',
        spans: [
          { startMs: 0, endMs: 4000, llr: 1.2 },
          { startMs: 8000, endMs: 12_000, llr: 1.6 },
        ],
      });
      expect(judged(measure, { syntheticRiskHigh: 340 }).spans).toEqual([]);
    });

    it('leaves playback alone', () => {
      expect(judged(between(400), { syntheticRiskHigh: 300 }, 'playback').decision).toBe('UNCERTAIN');
    });

    it('mends no other doubt', () => {
      const doubts = [shared, doubt];
      expect(judged(between(400, { doubts }), { syntheticRiskHigh: 300 })).toMatchObject({
        decision: 'UNCERTAIN',
        doubts: [doubt],
      });
      expect(judged(between(400, { alarmReliability: 40 }), { syntheticRiskHigh: 300 })).toMatchObject({
        decision: 'UNCERTAIN',
        doubts: [{ measure: 'reliability', value: 40, limit: 50 }],
      });
    });
  });

  it('names the attack by the detector that found it', () => {
    expect(judgeAttack('playback', heard(measured(900, 90)), parameters)).toMatchObject({
      decision: 'FRAUD',
      reason: 'PLAYBACK_INDICATION',
      score: 1.5,
      risk: { risk: 900, reliability: 90 },
    });
  });
});
