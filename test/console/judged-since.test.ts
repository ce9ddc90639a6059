// Nobody is asked for an outcome that was recorded since the last alarm, and an alarm that was judged as genuine since is a false one.
import { expect, it } from 'vitest';
import { isFalseAlarm, isJudgedSince } from '../../src/console/pages/sessions/judged-since.js';
import { nextStep } from '../../src/console/pages/sessions/next-step.js';
import { sessionSummary } from '../../src/console/pages/sessions/page-summary.js';
import type { EngagementVerdictJson } from '../../src/gen/vendor/biosec/v1/common_pb.js';
import type { TimelineEventJson } from '../../src/gen/voxgate/biosec/v1/activity_pb.js';

const known = (time: string): TimelineEventJson => ({
  time: `2026-05-04T${time}Z`,
  decision: 'DECISION_FRAUD',
  reason: 'FRAUDSTER_INDICATION',
  attributes: { factor: 'FRAUD_DETECTION' },
  isFactor: true,
});
const match: TimelineEventJson = {
  ...{ time: '2026-05-04T11:00:00Z', decision: 'DECISION_AUTHENTIC', reason: 'VOICEPRINT_MATCH' },
  ...{ attributes: { factor: 'AUTHENTICATION' }, isFactor: true },
};
const judged = (word: string) => ({
  engagement: {
    verdictInfo: {
      verdict: `ENGAGEMENT_VERDICT_${word}` as EngagementVerdictJson,
      verdictTimestamp: '2026-05-04T10:00:00Z',
    },
  },
});
const carl = { engagementFraudsters: [{ gkSessionIds: [{ value: 'elsewhere' }] }] };

it.each([
  ['no outcome', {}, [known('09:00:00')], { isJudged: false, isFalse: false }],
  ['none yet', judged('UNSPECIFIED'), [known('09:00:00')], { isJudged: false, isFalse: false }],
  ['genuine after it', judged('AUTHENTIC'), [known('09:00:00')], { isJudged: true, isFalse: true }],
  ['genuine before it', judged('AUTHENTIC'), [known('10:00:01')], { isJudged: false, isFalse: false }],
  [
    'genuine between two',
    judged('AUTHENTIC'),
    [known('09:00:00'), known('11:00:00')],
    { isJudged: false, isFalse: false },
  ],
  ['another outcome', judged('UNCERTAIN'), [known('09:00:00')], { isJudged: true, isFalse: false }],
  ['no alarm here', judged('AUTHENTIC'), [match], { isJudged: true, isFalse: true }],
  [
    'something found since where the decision comes from',
    { ...judged('AUTHENTIC'), carried: { foundLater: [{ time: '2026-05-04T12:00:00Z' }] } },
    [match],
    { isJudged: false, isFalse: false },
  ],
  [
    'one that stands in another session',
    { ...judged('AUTHENTIC'), ...carl },
    [match],
    { isJudged: true, isFalse: false },
  ],
])('%s', (_name, timeline, events, { isJudged, isFalse }) => {
  expect(isJudgedSince(timeline, events)).toBe(isJudged);
  expect(isFalseAlarm(timeline, events)).toBe(isFalse);
});

it('asks for the outcome where something was found later, until one is recorded', () => {
  const session = { riskInfo: { decision: 'DECISION_AUTHENTIC' } } as const;
  const later = [known('09:00:00')];
  const told = (timeline: object): string => {
    const advice = sessionSummary({ session, ...timeline }, [match], { later, isNews: true });
    const isSince = isJudgedSince(timeline, later);
    return nextStep(advice, { mayListen: true, isKept: true, isOver: true, isJudged: isSince });
  };
  expect(told({})).toMatch(/record the outcome/);
  expect(told(judged('UNCERTAIN'))).toMatch(/outcome was recorded since/);
});

it('asks nobody to follow a fraud procedure for what was judged as genuine', () => {
  const session = { riskInfo: { decision: 'DECISION_FRAUD' } } as const;
  const told = (timeline: object): string =>
    sessionSummary({ session, ...timeline }, [known('09:00:00')], { later: [], isNews: false }).next;
  expect(told({})).toMatch(/fraud procedure/);
  expect(told(judged('FRAUD'))).toMatch(/fraud procedure/);
  expect(told(judged('AUTHENTIC'))).toMatch(/counts as a false alarm/);
});

it('relies on no match of a voice that was enrolled as that of a fraudster since', () => {
  const told = (decision: string, timeline: object): string =>
    sessionSummary({ session: { riskInfo: { decision } }, ...timeline } as never, [match], {
      later: [],
      isNews: false,
    }).next;
  const made = { madeFraudsters: [{ fraudsterId: 'case-1' }] };
  const warning = /enrolled as that of a fraudster: do not rely on the match/;
  expect(told('DECISION_AUTHENTIC', made)).toMatch(warning);
  expect(told('DECISION_AUTHENTIC', {})).not.toMatch(warning);
  // There is no match, and whoever judged it as genuine is told more.
  expect(told('DECISION_NO_MATCH', made)).not.toMatch(warning);
  expect(told('DECISION_AUTHENTIC', { ...made, ...judged('AUTHENTIC') })).not.toMatch(warning);
});
