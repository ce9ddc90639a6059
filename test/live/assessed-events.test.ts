// What a call means so far: said with each event, and as of now in between.
import { expect, it } from 'vitest';
import { listening, type LiveAssessment } from '../../src/biometrics/assessment/model.js';
import { CallTrail } from '../../src/live/call-course.js';

it('tells which attack checks could not decide, until they can', () => {
  const trail = new CallTrail('call', { now: () => 1 });
  expect(trail.assessed).toEqual({ assessment: listening });
  const clear: LiveAssessment = { ...listening, headline: 'AUTHENTIC', tone: 'GOOD' };
  const open: LiveAssessment = {
    ...clear,
    caveats: ['ATTACK_CHECK_UNRESOLVED'],
    unresolvedChecks: ['SYNTHETIC_SPEECH'],
  };
  const found = { reason: 'VOICEPRINT_MATCH', netSpeechMs: 3000 };
  trail.tell(trail.next('AUTHENTIC', { ...found, assessment: open }, { positionMs: 4000 }));
  expect([trail.last.assessment, trail.assessed]).toEqual([open, { assessment: open }]);
  // The same decision on more speech, which the check could judge.
  trail.confirm({ ...found, assessment: clear, netSpeechMs: 6000 });
  expect(trail.assessed).toEqual({ assessment: clear });
  trail.confirm({ ...found, assessment: open, netSpeechMs: 9000 });
  const end = trail.ending(12_000, 'stopped');
  // What it means when it is over is what its session means then.
  expect([end.state, end.netSpeechMs, end.assessment]).toEqual(['AUTHENTIC', 9000, undefined]);
});
