// The voice lab tells nobody to carry on where no attack check has said that a live person spoke.
import { expect, it } from 'vitest';
import type { DecisionJson } from '../../src/gen/vendor/biosec/v1/common_pb.js';
import { doubtOn } from '../../src/console/pages/voice/match-doubt.js';

const CLEAR = 'DECISION_NO_RISK_DETECTED';
const OPEN = 'DECISION_UNCERTAIN';
const UNDECIDED_LIST = 'Not a known fraudster, but an attack check could not decide';
const UNDECIDED = 'The voice matches, but an attack check could not decide';

it.each<[DecisionJson, [DecisionJson, DecisionJson] | undefined, string | undefined]>([
  ['DECISION_AUTHENTIC', [CLEAR, CLEAR], undefined],
  ['DECISION_AUTHENTIC', [OPEN, CLEAR], UNDECIDED],
  ['DECISION_AUTHENTIC', [CLEAR, OPEN], UNDECIDED],
  ['DECISION_AUTHENTIC', undefined, 'The voice matches, but attack checks were not made'],
  ['DECISION_NO_RISK_DETECTED', [CLEAR, CLEAR], undefined],
  ['DECISION_NO_RISK_DETECTED', [OPEN, CLEAR], UNDECIDED_LIST],
  ['DECISION_NO_RISK_DETECTED', [CLEAR, OPEN], UNDECIDED_LIST],
  ['DECISION_NO_RISK_DETECTED', undefined, 'Not a known fraudster, but attack checks were not made'],
  ['DECISION_NO_MATCH', [OPEN, OPEN], undefined],
  ['DECISION_FRAUD', undefined, undefined],
])('%s beside %j is doubted: %s', (decision, checks, title) => {
  const attacks = checks && {
    syntheticSpeechDetectionResult: { decision: checks[0] },
    channelPlaybackDetectionResult: { decision: checks[1] },
  };
  const doubt = doubtOn(decision, attacks);
  expect(doubt?.title).toBe(title);
  expect(doubt?.next ?? '').not.toMatch(/carry on|No action/);
});
