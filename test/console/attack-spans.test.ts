// Stretches of a recording are shown as a finding only of a check that has found something; of one that could not decide, as such.
import { expect, it } from 'vitest';
import {
  alarmRiskOf,
  evidenceInStatus,
  isUnavailable,
  tenantThresholdIn,
  placesIn,
  spansOf,
} from '../../src/console/pages/biosec/attack-spans.js';

const evidence = { spans: [{ start: '20s', end: '24s', score: 2 }], doubts: [{ measure: 'score' }] };

it.each([
  ['DECISION_FRAUD', ['Playback: 20.0 to 24.0 s', false], 'Sounds like an attack: 20.0 to 24.0 s.'],
  [
    'DECISION_UNCERTAIN',
    ['Playback, not decided: 20.0 to 24.0 s', true],
    'Suspicious, but not conclusive: 20.0 to 24.0 s.',
  ],
  ['DECISION_NO_RISK_DETECTED', undefined, undefined],
  [undefined, undefined, undefined],
] as const)('a check that says %s: %j', (decision, drawn, told) => {
  const judged = { decision, evidence };
  const spans = spansOf('Playback', judged).map(({ label, isOpen }) => [label, isOpen]);
  expect(spans).toEqual(drawn ? [drawn] : []);
  // What is said of it in words is the same.
  expect(placesIn(judged)).toBe(told);
});

it('takes from the answer of several checks what belongs to each', () => {
  const span = (check: string, start: string) => ({
    code: 'ATTACK_SPAN',
    extras: { check, start_ms: start, end_ms: '9000', score: '2' },
  });
  const status = { diagnosticDetails: [span('synthetic_speech', '1000'), span('channel_playback', '5000')] };
  const of = (check: string) =>
    ({ decision: 'DECISION_FRAUD', evidence: evidenceInStatus(status, check) }) as const;
  expect(spansOf('Synthetic speech', of('synthetic_speech'))).toMatchObject([
    { startSeconds: 1, endSeconds: 9 },
  ]);
  expect(spansOf('Playback', of('channel_playback'))).toMatchObject([{ startSeconds: 5, endSeconds: 9 }]);
});

it('says where the alarm begins, where the tenant has drawn that line', () => {
  const extras = { check: 'synthetic_speech', risk: '471', bandwidth: 'narrow', shipped: '700' };
  const status = { diagnosticDetails: [{ code: 'TENANT_ALARM_THRESHOLD', extras }] };
  const own = evidenceInStatus(status, 'synthetic_speech');
  expect(alarmRiskOf(own)).toBe(471);
  expect(tenantThresholdIn(own)).toBe(
    'The alarm begins at risk 471 for telephone speech, the line of your config set.',
  );
  const shipped = evidenceInStatus(status, 'channel_playback');
  expect(alarmRiskOf(shipped)).toBe(700);
  expect(tenantThresholdIn(shipped)).toBeUndefined();
  // As a session remembers it.
  expect(tenantThresholdIn({ alarmRisk: 700, bandwidth: 'wide' })).toBeUndefined();
  expect(tenantThresholdIn({ alarmRisk: 261, bandwidth: 'wide' })).toContain('risk 261 for wide-band speech');
});

it.each([
  ['cannot answer on the telephone', 'DECISION_UNCERTAIN', 'bandwidth', true],
  ['could not tell', 'DECISION_UNCERTAIN', 'score', false],
  ['raised the alarm', 'DECISION_FRAUD', 'bandwidth', false],
] as const)('a check that %s', (_what, decision, measure, isSo) => {
  expect(isUnavailable({ decision, evidence: { doubts: [{ measure }] } })).toBe(isSo);
});
