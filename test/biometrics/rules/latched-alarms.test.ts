// An alarm of a call is not taken back by more of it.
import { describe, expect, it } from 'vitest';
import { combineOutcomes } from '../../../src/biometrics/rules/combine-outcomes.js';
import type { AttackKind, AttackOutcome } from '../../../src/biometrics/rules/judge-attack.js';
import { LatchedAlarms } from '../../../src/biometrics/rules/latched-alarms.js';

const outcome = (
  kind: AttackKind,
  decision: AttackOutcome['decision'],
  reason: AttackOutcome['reason'],
  score: number,
): AttackOutcome => ({
  kind,
  decision,
  reason,
  score,
  experimental: false,
  unfamiliar: false,
  doubts: [],
  spans: [],
});
const alarm = (score: number) => outcome('synthetic', 'FRAUD', 'SYNTHETIC_SPEECH_DETECTED', score);
const unsure = outcome('synthetic', 'UNCERTAIN', 'LOW_RELIABILITY', 0.5);
const clear = outcome('synthetic', 'NO_RISK_DETECTED', 'AUDIO_OK', -3);
const played = outcome('playback', 'FRAUD', 'PLAYBACK_INDICATION', 4);
const notPlayed = outcome('playback', 'NO_RISK_DETECTED', 'AUDIO_OK', -4);
const unconfirmed: AttackOutcome = { ...alarm(2), decision: 'UNCERTAIN', unfamiliar: true };

type Look = [number, AttackOutcome];

describe('the alarms of a call', () => {
  it.each<[string, Look[], AttackOutcome]>([
    [
      'nothing is said that was not found',
      [
        [3, unsure],
        [6, clear],
      ],
      clear,
    ],
    [
      'an alarm is said when it is raised',
      [
        [3, clear],
        [6, alarm(2)],
      ],
      alarm(2),
    ],
    ['so is one of the first seconds', [[3, alarm(2)]], alarm(2)],
    [
      'it stands when the check knows no longer',
      [
        [6, alarm(2)],
        [20, unsure],
      ],
      alarm(2),
    ],
    [
      'it stands when the check gives the all-clear',
      [
        [6, alarm(2)],
        [10, unsure],
        [20, clear],
      ],
      alarm(2),
    ],
    [
      'a later one takes its place',
      [
        [6, alarm(2)],
        [10, unsure],
        [20, alarm(3)],
        [30, clear],
      ],
      alarm(3),
    ],
    [
      'one of the first seconds that is not confirmed lets nobody pass',
      [
        [3, alarm(2)],
        [6, clear],
      ],
      unconfirmed,
    ],
    [
      'and stands once it is raised again',
      [
        [3, alarm(1)],
        [6, clear],
        [10, alarm(2)],
        [20, clear],
      ],
      alarm(2),
    ],
  ])('%s', (_what, looks, said) => {
    const alarms = new LatchedAlarms();
    const told = looks.map(([seconds, synthetic]) => alarms.with({ synthetic }, 1000 * seconds));
    expect(told.at(-1)).toEqual({ synthetic: said });
  });

  it.each([
    ['AUTHENTIC', 'UNCERTAIN'],
    ['NO_MATCH', 'NO_MATCH'],
  ] as const)('with a voice that is %s, an alarm that was not confirmed is %s', (decision, all) => {
    const authentication = { decision, reason: 'VOICEPRINT_MATCH' } as const;
    expect(combineOutcomes(authentication, undefined, [unconfirmed]).decision).toBe(all);
  });

  it('stand each for itself', () => {
    const alarms = new LatchedAlarms();
    alarms.with({ synthetic: clear, playback: played }, 6000);
    expect(alarms.with({ synthetic: clear, playback: notPlayed }, 10_000)).toEqual({
      synthetic: clear,
      playback: played,
    });
    expect(alarms.raised).toEqual({ playback: { outcome: played, isFirm: true } });
  });

  it('are taken along to another node, and say nothing of checks that are not asked for', () => {
    const alarms = new LatchedAlarms({ synthetic: { outcome: alarm(2), isFirm: true } });
    expect(alarms.with({ synthetic: clear }, 3000)).toEqual({ synthetic: alarm(2) });
    expect(alarms.with({ playback: notPlayed }, 3000)).toEqual({ playback: notPlayed });
  });

  it('leave what else was judged as it is', () => {
    const judged = { authentication: { decision: 'AUTHENTIC' }, synthetic: unsure };
    const alarms = new LatchedAlarms({ synthetic: { outcome: alarm(2), isFirm: true } });
    expect(alarms.with(judged, 10_000)).toEqual({ ...judged, synthetic: alarm(2) });
  });

  it('the highest risk of all looks with enough speech is remembered, whatever the last one says', () => {
    const at = (risk: number, doubts: AttackOutcome['doubts'] = []): AttackOutcome => ({
      ...clear,
      risk: { risk, reliability: 80 },
      doubts,
    });
    const alarms = new LatchedAlarms();
    const look = (seconds: number, found: AttackOutcome) =>
      alarms.with({ synthetic: found }, 1000 * seconds).synthetic.highestRisk;
    expect(look(3, at(600))).toBeUndefined();
    expect(look(6, at(200, [{ measure: 'score', value: 0, limit: -1 }]))).toBe(200);
    expect(look(10, at(300, [{ measure: 'snr_db', value: 3, limit: 9 }]))).toBe(200);
    expect(look(12, at(250))).toBe(250);
    expect(look(20, at(40))).toBe(250);
  });
});
