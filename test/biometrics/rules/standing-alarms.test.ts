// An alarm of a call is not taken back by more of it.
import { describe, expect, it } from 'vitest';
import type { AttackKind, AttackOutcome } from '../../../src/biometrics/rules/judge-attack.js';
import { StandingAlarms } from '../../../src/biometrics/rules/standing-alarms.js';

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

describe('the alarms of a call', () => {
  it.each([
    ['nothing is said that was not found', [unsure, clear], clear],
    ['an alarm is said when it is raised', [clear, alarm(2)], alarm(2)],
    ['it stands when the check knows no longer', [alarm(2), unsure], alarm(2)],
    ['it stands when the check gives the all-clear', [alarm(2), unsure, clear], alarm(2)],
    ['a later one takes its place', [alarm(2), unsure, alarm(3), clear], alarm(3)],
  ])('%s', (_what, found, said) => {
    const alarms = new StandingAlarms();
    expect(found.map((synthetic) => alarms.with({ synthetic })).at(-1)).toEqual({ synthetic: said });
  });

  it('stand each for itself', () => {
    const alarms = new StandingAlarms();
    alarms.with({ synthetic: clear, playback: played });
    expect(alarms.with({ synthetic: clear, playback: notPlayed })).toEqual({
      synthetic: clear,
      playback: played,
    });
    expect(alarms.raised).toEqual({ playback: played });
  });

  it('are taken along to another node, and say nothing of checks that are not asked for', () => {
    const alarms = new StandingAlarms({ synthetic: alarm(2) });
    expect(alarms.with({ synthetic: clear })).toEqual({ synthetic: alarm(2) });
    expect(alarms.with({ playback: notPlayed })).toEqual({ playback: notPlayed });
  });

  it('leave what else was judged as it is', () => {
    const judged = { authentication: { decision: 'AUTHENTIC' }, synthetic: unsure };
    expect(new StandingAlarms({ synthetic: alarm(2) }).with(judged)).toEqual({
      ...judged,
      synthetic: alarm(2),
    });
  });
});
