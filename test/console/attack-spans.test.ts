// Stretches of a recording are shown as a finding only of a check that has found something.
import { expect, it } from 'vitest';
import { evidenceInStatus, foundIn, spansOf } from '../../src/console/pages/biosec/attack-spans.js';

const evidence = { spans: [{ start: '20s', end: '24s', score: 2 }], doubts: [{ measure: 'score' }] };

it.each([
  ['DECISION_FRAUD', ['Playback: 20.0 to 24.0 s']],
  ['DECISION_UNCERTAIN', []],
  ['DECISION_NO_RISK_DETECTED', []],
  [undefined, []],
] as const)('a check that says %s: %j', (decision, labels) => {
  const judged = { decision, evidence };
  expect(spansOf('Playback', judged).map(({ label }) => label)).toEqual(labels);
  // What is said of it in words is the same.
  expect(foundIn(judged)).toHaveLength(labels.length);
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
