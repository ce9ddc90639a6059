// The parts of the console that need no browser: counting speech, sentences for decisions, reading trial lists, writing CSV.
import { describe, expect, it } from 'vitest';
import { sentence } from '../../src/console/format/sentence.js';
import { SpeechMeter } from '../../src/console/audio/speech-meter.js';
import { isWithheld, numberKey, numberQuery } from '../../src/console/format/text.js';
import {
  adviceOn,
  adviceOnAudio,
  adviceOnTraining,
  type Question,
} from '../../src/console/pages/biosec/advice.js';
import { saidIn } from '../../src/console/pages/biosec/said-words.js';
import { parseTrialList } from '../../src/console/pages/accuracy/trials.js';
import { toCsv } from '../../src/manifest/csv.js';
import { text as germanApplications } from '../../src/console/text/de/applications.js';
import { text as germanChecks } from '../../src/console/text/de/checks.js';
import { text as applications } from '../../src/console/text/en/applications.js';
import { text as checks } from '../../src/console/text/en/checks.js';
import type { DecisionJson } from '../../src/gen/vendor/biosec/v1/common_pb.js';
import { DecisionReason as AttackReason } from '../../src/gen/vendor/biosec/v1/audio/types_pb.js';
import { DecisionReason as SessionReason } from '../../src/gen/vendor/biosec/v1/sessions/sessions_pb.js';
import { DecisionReason } from '../../src/gen/vendor/biosec/v1/voiceprint/types_pb.js';
import { StatusCode } from '../../src/gen/vendor/rpc/status_pb.js';
import { voiceSamples } from '../support/voice-samples.js';

const RATE = 16_000;

function heard(samples: Float32Array): number {
  const meter = new SpeechMeter(RATE);
  let speech = 0;
  for (let at = 0; at < samples.length; at += 2048)
    speech = meter.push(samples.subarray(at, at + 2048)).speechSeconds;
  return speech;
}

describe('the speech meter', () => {
  it('counts most of a spoken sentence and nothing of silence or steady noise', async () => {
    const sentence = await voiceSamples('anna', 1);
    const share = heard(sentence) / (sentence.length / RATE);
    expect(share).toBeGreaterThan(0.6);
    expect(share).toBeLessThanOrEqual(1.01);
    expect(heard(new Float32Array(RATE * 3))).toBe(0);
    let seed = 7;
    const noise = Float32Array.from({ length: RATE * 4 }, () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return (seed / 1_073_741_824 - 1) * 0.01;
    });
    expect(heard(noise)).toBeLessThan(1.5);
  });

  it('sees clipping', () => {
    expect(new SpeechMeter(RATE).push(new Float32Array(512).fill(1)).clipped).toBe(true);
    expect(new SpeechMeter(RATE).push(new Float32Array(512).fill(0.5)).clipped).toBe(false);
  });
});

describe('the words of a prompt', () => {
  it.each([
    ['7391', '7391', '++++'],
    ['7391', '739', '+++-'],
    ['7391', '7931', '++-+'],
    ['7391', '5739 1', '++++'],
    ['7391', '0528', '----'],
    ['7391', '', '----'],
    ['7717', '717', '+-++'],
  ])('of %s, %s says %s', (expected, detected, marks) => {
    const said = saidIn([...expected], [...detected]).map((isSaid) => (isSaid ? '+' : '-'));
    expect(said.join('')).toBe(marks);
  });
});

describe('telephone numbers', () => {
  it.each([
    ['+49 170 1234567', '00491701234567', true],
    ['+49 (170) 123-4567', '+491701234567', true],
    ['+49 170 1234567', '+49 170 1234568', false],
    ['tel:+491701234567', '+49 170 1234567', true],
    ['tel:+49-170-1234567;ext=5', '+491701234567', true],
    ['sip:+491701234567@pbx.example;user=phone', '+491701234567', true],
    ['+49 (0)170 1234567', '+491701234567', true],
    ['sip:4711@example.com', '4711', false],
    ['sip:4711@example.com', 'sip:4711@example.org', false],
    ['SIP:Anna@example.com', 'sip:anna@example.com', true],
  ])('%s and %s', (one, other, isSame) => {
    expect(numberKey(one) === numberKey(other)).toBe(isSame);
  });

  it('are searched for by what all spellings have, and not at all where they are withheld', () => {
    for (const written of ['+49 (0)170 1234567', 'tel:+491701234567', 'sip:+491701234567@pbx.example'])
      expect(numberQuery(written)).toBe('1234567');
    expect(numberQuery('sip:anna@example.com')).toBe('sip:anna@example.com');
    const withheld = [
      'anonymous',
      'Unknown',
      'sip:anonymous@anonymous.invalid',
      '+491701234567',
      'private-line',
    ];
    expect(withheld.filter(isWithheld)).toEqual(withheld.slice(0, 3));
  });
});

describe('what the server says', () => {
  it.each([
    ['gk_person_id: must be known', 'Person ID: must be known.'],
    [
      'a call with this external_call_id is prepared already',
      'A call with this external call ID is prepared already.',
    ],
    ['context.gk_scope_id must be set', 'Tenant must be set.'],
    // What somebody has typed is theirs.
    ["no such tag: 'my_tag'", "No such tag: 'my_tag'."],
    ['there is no user "anna_k"', 'There is no user "anna_k".'],
    ['authentication.falseAcceptRate is out of range', 'authentication.falseAcceptRate is out of range.'],
  ])('%s has no internal names', (said, shown) => {
    expect(sentence(said)).toBe(shown);
  });

  it('keeps the columns of a manifest as they have to be written', () => {
    const said = 'line 3: has no speaker_id; add it, or set all_have_consented';
    expect(sentence(said, true)).toBe('Line 3: has no speaker_id; add it, or set all have consented.');
    expect(sentence('has no speaker_id')).toBe('Has no speaker ID.');
  });
});

/** Names of an enum of the contract, without what stands for nothing. */
const namesOf = (codes: object): string[] =>
  Object.keys(codes).filter((name) => Number.isNaN(Number(name)) && name !== 'UNSPECIFIED');

describe('the sentence for a decision and its reason', () => {
  const questions: Question[] = ['verify', 'identify', 'watchlist', 'attack'];
  const decisions = Object.keys(checks.decisions).filter(
    (each) => each !== 'DECISION_UNSPECIFIED',
  ) as DecisionJson[];
  const reasons = [...new Set([...namesOf(DecisionReason), ...namesOf(AttackReason)])];
  /** What the sentence beside a decision must never say. */
  const contradictions: Record<string, RegExp> = {
    DECISION_AUTHENTIC: /not match|nobody|unlike|someone else|fraud|computer|played|no attack|speech|too /i,
    DECISION_NO_MATCH:
      /carry on|voice matches the|matches someone|fraud|no action|no attack|quiet|try again/i,
    DECISION_FRAUD: /carry on|voice matches|no action|no attack|not that of|quiet|try again/i,
    DECISION_UNCERTAIN: /carry on|voice matches|does not match|fraudster\.|no action|no attack|clearly/i,
    DECISION_FAILED: /carry on|voice matches|does not match|no action|no attack|clearly/i,
    DECISION_NO_RISK_DETECTED: /not match|resembles|someone else|signs of|computer|played|too |no speech/i,
  };

  it('never contradicts the decision, whatever was asked and for whatever reason', () => {
    expect(reasons.length).toBeGreaterThan(14);
    for (const question of questions)
      for (const decision of decisions)
        for (const reason of reasons)
          for (const speechSeconds of [undefined, 0, 3]) {
            const advice = adviceOn({ question, decision, reason, speechSeconds });
            const { title, next, nextOver = '' } = advice;
            const place = `${question} ${decision} ${reason}: ${title}. ${next} ${nextOver}`;
            expect([title === '' || next === '', place]).toEqual([false, place]);
            const said = `${title}. ${next} ${nextOver}`;
            expect([contradictions[decision]?.test(said), place]).toEqual([false, place]);
            // One place for all: the contract's prefix changes nothing.
            const prefixed = `DECISION_REASON_${reason}`;
            expect(adviceOn({ question, decision, reason: prefixed, speechSeconds })).toEqual(advice);
          }
  });

  it.each([
    ['verify', 'AUTHENTIC', 'VOICEPRINT_MATCH', 'The voice matches the voiceprint'],
    ['verify', 'NO_MATCH', 'VOICEPRINT_NO_MATCH', 'The voice does not match well enough'],
    ['verify', 'FRAUD', 'FRAUDSTER_INDICATION', 'This is clearly someone else’s voice'],
    ['verify', 'UNCERTAIN', 'LOW_RELIABILITY', 'The audio is not good enough to decide'],
    ['identify', 'AUTHENTIC', 'VOICEPRINT_MATCH', 'The voice matches someone in the group'],
    ['identify', 'NO_MATCH', 'VOICEPRINT_NO_MATCH', 'The voice matches nobody in the group well enough'],
    ['identify', 'FRAUD', 'FRAUDSTER_INDICATION', 'The voice is unlike everyone’s in the group'],
    ['watchlist', 'FRAUD', 'FRAUDSTER_INDICATION', 'The voice resembles a known fraudster'],
    ['watchlist', 'NO_RISK_DETECTED', 'NO_RISK_DETECTED', 'The voice is not that of a known fraudster'],
    ['watchlist', 'UNCERTAIN', 'NOT_ENOUGH_SEGMENTS', 'Nobody on the watchlist had a trained voiceprint'],
    ['identify', 'UNCERTAIN', 'NOT_ENOUGH_SEGMENTS', 'Nobody in the group has a trained voiceprint'],
    ['verify', 'UNCERTAIN', 'NOT_ENOUGH_SEGMENTS', 'The voiceprint has not been trained yet'],
    ['attack', 'FRAUD', 'SYNTHETIC_SPEECH_DETECTED', 'This sounds computer-generated'],
    ['attack', 'FRAUD', 'PLAYBACK_INDICATION', 'This sounds like a recording being played back'],
    ['attack', 'NO_RISK_DETECTED', 'AUDIO_OK', 'No attack detected in this audio'],
    ['attack', 'UNCERTAIN', 'LOW_RELIABILITY', 'The check cannot judge this kind of audio reliably'],
    ['verify', 'UNCERTAIN', 'AUDIO_TOO_SHORT', 'Too little speech'],
    ['verify', 'FAILED', 'INTERNAL_ERROR', 'The check itself failed'],
  ] as const)('%s, %s for %s', (question, decision, reason, title) => {
    expect(adviceOn({ question, decision: `DECISION_${decision}`, reason }).title).toBe(title);
  });

  it.each([
    [{ totalSegments: 2, minSegmentsRequired: 3 }, 'More recordings are needed: 2 of 3 so far'],
    [
      {
        totalSegments: 3,
        minSegmentsRequired: 3,
        enrollmentSegmentsDetails: [2, 3, 2.5].map((s) => ({ audioDetails: { netAudio: `${s}s` } })),
        minNetAudioRequired: '9s',
      },
      'More speech is needed: 7.5 of 9.0 s so far',
    ],
    [{}, 'Not enough speech yet'],
  ])('says what a voiceprint still needs: %j', (missing, title) => {
    expect(adviceOnTraining({ reason: 'TRAIN_REASON_NOT_READY_TO_TRAIN', ...missing }).title).toBe(title);
    expect(adviceOnTraining({ reason: 'TRAIN_REASON_INCONSISTENCY', ...missing }).title).toBe(
      'The recordings do not sound like one person',
    );
  });

  it('says the same about a recording without speech wherever it is given', () => {
    const details = { netAudio: '0s' };
    for (const reason of ['AUDIO_TOO_SHORT', 'AUDIO_TOO_SOFT', 'AUDIO_TOO_NOISY']) {
      expect(adviceOnAudio(`REASON_${reason}`, details)).toEqual(checks.noSpeech);
      expect(adviceOnAudio(`REASON_${reason}`, { netAudio: '1.5s' })).not.toEqual(checks.noSpeech);
      for (const question of questions)
        expect(adviceOn({ question, decision: 'DECISION_UNCERTAIN', reason, speechSeconds: 0 })).toEqual(
          checks.noSpeech,
        );
    }
    // What cannot be read was not searched for speech.
    expect(adviceOnAudio('REASON_INVALID_AUDIO', details).title).toBe('The audio could not be used');
  });

  it('has words for every reason of a session, and all of them in the second language', () => {
    for (const reason of namesOf(SessionReason))
      expect(
        checks.session[reason] ?? checks.audio[`REASON_${reason}` as keyof typeof checks.audio],
        reason,
      ).toBeDefined();
    for (const [question, findings] of Object.entries(checks.findings))
      expect(Object.keys(germanChecks.findings[question as Question])).toEqual(Object.keys(findings));
    expect(Object.keys(germanChecks.session)).toEqual(Object.keys(checks.session));
  });
});

describe('what a request came to', () => {
  it('has words in both languages, whichever code its client was given', () => {
    const codes = namesOf(StatusCode);
    for (const { requests } of [applications, germanApplications])
      expect(codes.filter((code) => !/^\p{Lu}.* ?\p{Ll}+/u.test(requests.codes[code] ?? ''))).toEqual([]);
  });
});

describe('a trial list', () => {
  it('takes both orders, several words for the labels, comments and a head line', () => {
    expect(
      parseTrialList('score,label\n1.5,target\n# a note\nnontarget;-2\n0.25 1\n"-3",impostor\n'),
    ).toEqual({
      text: 'target 1.5\nnontarget -2\ntarget 0.25\nnontarget -3',
      targets: 2,
      nontargets: 2,
    });
  });

  it('names the line that is wrong, and an empty file', () => {
    expect(() => parseTrialList('1,target\nmaybe,target\n')).toThrow('Line 2');
    expect(() => parseTrialList('score,label\n')).toThrow('no trials');
  });
});

describe('CSV', () => {
  it('quotes what needs it and disarms formulas, but not negative numbers', () => {
    expect(
      toCsv(
        ['a', 'b'],
        [
          ['x,"y"', '=SUM(A1)'],
          [-1.5, '-cmd'],
          ['two\nlines', undefined],
        ],
      ),
    ).toBe('a,b\r\n"x,""y""",\'=SUM(A1)\r\n-1.5,\'-cmd\r\n"two\nlines",\r\n');
    const cells = (...texts: string[]) => toCsv(['a'], [texts]).split('\r\n')[1];
    expect(cells('-2', '-.5', '-1e-7', '-2.')).toBe('-2,-.5,-1e-7,-2.');
    expect(cells('-2+3', "-2+3+cmd|' /C calc'!D2", '-1-1', '-1e', '-')).toBe(
      "'-2+3,'-2+3+cmd|' /C calc'!D2,'-1-1,'-1e,'-",
    );
    expect(cells('007', '0', '00', '12345678901234567', '123456789012345', '12E5', '1-2', '3/4/26')).toBe(
      "'007,0,'00,'12345678901234567,123456789012345,'12E5,'1-2,'3/4/26",
    );
    // What no spreadsheet changes, and what is a number or a time, is written as it is.
    expect(cells('7', '0.5', '1.2.3', '0151 234', 'a007', '2026-11-18T00:00:00Z', '2026-11-18')).toBe(
      '7,0.5,1.2.3,0151 234,a007,2026-11-18T00:00:00Z,2026-11-18',
    );
    expect(toCsv(['a'], [[1e21, -3, 0.5]]).split('\r\n')[1]).toBe('1e+21,-3,0.5');
    expect(cells('\t=1+1', '＝1+1', '+49 30 1', '@sum(1)')).toBe("'\t=1+1,'＝1+1,'+49 30 1,'@sum(1)");
  });
});
