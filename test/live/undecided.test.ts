// Attack checks that could not tell, beside a match: said with each event, and as of now in between.
import { expect, it } from 'vitest';
import { CallTrail } from '../../src/live/call-trail.js';

it('tells which attack checks could not decide, until they can', () => {
  const trail = new CallTrail('call', { now: () => 1 });
  expect(trail.undecided).toEqual({ assessment: trail.last.assessment });
  const found = { reason: 'VOICEPRINT_MATCH', netSpeechMs: 3000 };
  const open = { undecidedChecks: ['SYNTHETIC_SPEECH'] as const };
  trail.tell(trail.next('AUTHENTIC', { ...found, ...open }, { positionMs: 4000 }));
  expect([trail.last.undecidedChecks, trail.undecided]).toEqual([open.undecidedChecks, open]);
  // The same decision on more speech, which the check could judge.
  trail.confirm({ ...found, netSpeechMs: 6000 });
  expect(trail.undecided).toEqual({});
  trail.confirm({ ...found, ...open, netSpeechMs: 9000 });
  expect(trail.ending(12_000, 'stopped')).toMatchObject({ state: 'AUTHENTIC', ...open });
  expect(trail.undecided).toEqual(open);
});
