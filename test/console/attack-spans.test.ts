// Stretches of a recording are shown as a finding only of a check that has found something.
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { EvidenceNotes, spansOf } from '../../src/console/pages/biosec/attack-evidence.js';
import { attackSpans } from '../../src/console/pages/voice/attack-results.js';

const evidence = { spans: [{ start: '20s', end: '24s', score: 2 }], doubts: [{ measure: 'score' }] };

it.each([
  ['DECISION_FRAUD', true],
  ['DECISION_UNCERTAIN', false],
  ['DECISION_NO_RISK_DETECTED', false],
  [undefined, false],
] as const)('a check that says %s: %s', (decision, isFound) => {
  expect(spansOf('Playback', { decision, evidence }).map(({ label }) => label)).toEqual(
    isFound ? ['Playback: 20.0 to 24.0 s'] : [],
  );
  const notes = renderToStaticMarkup(
    createElement(EvidenceNotes, { decision, evidence, isSynthetic: false }),
  );
  expect(notes.includes('Sounds like an attack: 20.0 to 24.0 s')).toBe(isFound);
  // Why it could not be relied on is told in any case.
  expect(notes).toContain('overlap');
});

it('draws in the lab those of the check that fired, and not of the one beside it', () => {
  const span = (check: string, start: string) => ({
    code: 'ATTACK_SPAN',
    extras: { check, start_ms: start, end_ms: '9000', score: '2' },
  });
  const answer = {
    status: { diagnosticDetails: [span('synthetic_speech', '1000'), span('channel_playback', '5000')] },
    syntheticSpeechDetectionResult: { decision: 'DECISION_FRAUD' },
    channelPlaybackDetectionResult: { decision: 'DECISION_UNCERTAIN' },
  } satisfies Parameters<typeof attackSpans>[0];
  expect(attackSpans(answer)).toMatchObject([{ startSeconds: 1, endSeconds: 9 }]);
  expect(attackSpans(undefined)).toEqual([]);
});
