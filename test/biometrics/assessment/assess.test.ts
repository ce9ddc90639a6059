// What a session means: a table of checks and facts, and rules that hold for all of them.
import { describe, expect, it } from 'vitest';
import { assess, toneOf, type Facts } from '../../../src/biometrics/assessment/assess.js';
import { caveatNames, caveats } from '../../../src/biometrics/assessment/caveats.js';
import { headlines, type HeadlineCause } from '../../../src/biometrics/assessment/model.js';
import { deletedRecording, type Check } from '../../../src/biometrics/assessment/unresolved-checks.js';
import type { Decision } from '../../../src/biometrics/model/outcome.js';
import type { Session, SessionAbout } from '../../../src/biometrics/model/sessions.js';
import { text as english } from '../../../src/words/english.js';
import { text as german } from '../../../src/words/german.js';

const ANNA = 'anna';
const BERT = 'bert';

const session = (decision: Decision | undefined, more: Partial<Session> = {}): Session => ({
  gkSessionId: 'here',
  gkScopeId: 'tenant',
  gkEngagementId: 'engagement',
  sessionType: 'CALL_CENTER',
  isTest: false,
  isActive: false,
  claimedGkPersonId: ANNA,
  configsetId: '',
  details: {
    ...{ sessionId: '', ani: '', dnis: '', agentId: '', agentExtension: '', isSuspicious: false },
    ...{ suspiciousReason: '', wasAbandon: false, businessType: '', datacenter: '', customData: {} },
  },
  ...(decision && { decision: { decision, reason: 'AUTHENTIC' } }),
  createdAtMs: 0,
  modifiedAtMs: 0,
  lastActivityAtMs: 0,
  ...more,
});

const check = (kind: Check['kind'], decision: Decision, more: Partial<Check> = {}): Check => ({
  ...{ kind, decision, reason: 'AUDIO_OK', operation: 'Verify', recording: 'one' },
  ...more,
});
const match = (more: Partial<Check> = {}) => check('AUTHENTICATION', 'AUTHENTIC', more);
const noMatch = (more: Partial<Check> = {}) => check('AUTHENTICATION', 'NO_MATCH', more);
const synthetic = (decision: Decision = 'NO_RISK_DETECTED', more: Partial<Check> = {}) =>
  check('SYNTHETIC_SPEECH', decision, { bandwidth: 'narrow', ...more });
const playback = (decision: Decision = 'NO_RISK_DETECTED', more: Partial<Check> = {}) =>
  check('CHANNEL_PLAYBACK', decision, { bandwidth: 'narrow', ...more });
/** About the recording that it has as its reference. */
const prompt = (decision: Decision, more: Partial<Check> = {}) => check('LIVENESS', decision, more);
const list = (decision: Decision = 'NO_RISK_DETECTED', more: Partial<Check> = {}) =>
  check('FRAUD_DETECTION', decision, { gkCollectionId: 'list', ...more });

const about = (
  voices: SessionAbout['voices'],
  persons: SessionAbout['persons'] = [],
  more: Partial<SessionAbout> = {},
): SessionAbout => ({ voices, persons, gkFraudsterIds: [], gkEnrolledFraudsterIds: [], refused: 0, ...more });

const matched = (gkPersonId: string): SessionAbout =>
  about(
    [{ person: gkPersonId, isOne: true, end: 'MATCHED' }],
    [{ gkPersonId, role: 'VERIFIED', isMatch: true }],
  );
const unlike = (gkPersonId: string): SessionAbout =>
  about(
    [{ person: gkPersonId, isOne: true, end: 'NO_MATCH' }],
    [{ gkPersonId, role: 'VERIFIED', isMismatch: true }],
  );

const facts = (decision: Decision | undefined, own: readonly Check[], more: Partial<Facts> = {}): Facts => ({
  session: session(decision),
  checkCount: own.length,
  about: decision === 'NO_MATCH' ? unlike(ANNA) : matched(ANNA),
  own,
  later: [],
  foundLater: [],
  ...more,
});

const nobodyClaimed = { claimedGkPersonId: undefined } as unknown as Partial<Session>;
const mixed = { heard: 0, of: 2 };

const cases: [string, Facts, string, string, string[]][] = [
  [
    'a match on the telephone, checked for what can be',
    facts('AUTHENTIC', [match(), synthetic()]),
    'AUTHENTIC',
    'GOOD',
    [],
  ],
  [
    'a telephone call that playback could not judge',
    facts('AUTHENTIC', [match(), synthetic(), playback('UNCERTAIN')]),
    'AUTHENTIC',
    'GOOD',
    [],
  ],
  [
    'a check for synthetic speech that could not tell',
    facts('AUTHENTIC', [match(), synthetic('UNCERTAIN')]),
    'AUTHENTIC',
    'GOOD',
    ['ATTACK_CHECK_UNRESOLVED'],
  ],
  [
    'the same where the config set asks for an answer',
    facts('AUTHENTIC', [match(), synthetic('UNCERTAIN')], { requiredForGreen: true }),
    'AUTHENTIC',
    'NEUTRAL',
    ['ATTACK_CHECK_UNRESOLVED'],
  ],
  [
    'the same after digits were repeated',
    facts('AUTHENTIC', [match(), synthetic('UNCERTAIN', { wantsPrompt: true }), prompt('AUTHENTIC')], {
      requiredForGreen: true,
    }),
    'AUTHENTIC',
    'GOOD',
    [],
  ],
  [
    'the same where a prompt is wanted',
    facts('AUTHENTIC', [match(), synthetic('UNCERTAIN', { wantsPrompt: true })]),
    'AUTHENTIC',
    'NEUTRAL',
    ['PROMPT_WANTED', 'ATTACK_CHECK_UNRESOLVED'],
  ],
  [
    'the same after the voice of another recording repeated digits',
    facts('AUTHENTIC', [
      match(),
      synthetic('UNCERTAIN', { wantsPrompt: true }),
      prompt('AUTHENTIC', { recording: 'two' }),
    ]),
    'AUTHENTIC',
    'NEUTRAL',
    ['PROMPT_WANTED', 'ATTACK_CHECK_UNRESOLVED'],
  ],
  [
    'no check for attacks, after digits were repeated',
    facts('AUTHENTIC', [match(), prompt('AUTHENTIC')], { requiredForGreen: true }),
    'AUTHENTIC',
    'GOOD',
    [],
  ],
  [
    'no check for attacks, and digits repeated by the voice of another recording',
    facts('AUTHENTIC', [match(), prompt('AUTHENTIC', { recording: 'two' })]),
    'AUTHENTIC',
    'NEUTRAL',
    ['ATTACK_CHECK_MISSING'],
  ],
  [
    'no check for attacks of a second recording, and digits repeated by the voice of the first',
    facts('AUTHENTIC', [match(), prompt('AUTHENTIC'), match({ recording: 'two' })]),
    'AUTHENTIC',
    'NEUTRAL',
    ['ATTACK_CHECK_MISSING'],
  ],
  [
    'no check for attacks, and digits that were repeated once and then not',
    facts('AUTHENTIC', [match(), prompt('AUTHENTIC'), prompt('NO_MATCH')]),
    'AUTHENTIC',
    'NEUTRAL',
    ['PROMPT_FAILED', 'ATTACK_CHECK_MISSING'],
  ],
  [
    'digits that were not repeated',
    facts('AUTHENTIC', [match({ wantsPrompt: true }), synthetic(), prompt('NO_MATCH')]),
    'AUTHENTIC',
    'NEUTRAL',
    ['PROMPT_FAILED'],
  ],
  [
    'an answer that could not be judged',
    facts('AUTHENTIC', [match({ wantsPrompt: true }), synthetic(), prompt('UNCERTAIN')]),
    'AUTHENTIC',
    'NEUTRAL',
    ['PROMPT_WANTED'],
  ],
  [
    'a match that nobody checked for attacks',
    facts('AUTHENTIC', [match()]),
    'AUTHENTIC',
    'NEUTRAL',
    ['ATTACK_CHECK_MISSING'],
  ],
  [
    'wide band without the playback check',
    facts('AUTHENTIC', [match(), synthetic('NO_RISK_DETECTED', { bandwidth: 'wide' })]),
    'AUTHENTIC',
    'NEUTRAL',
    ['ATTACK_CHECK_MISSING'],
  ],
  [
    'wide band where the playback check could not tell',
    facts('AUTHENTIC', [
      match(),
      synthetic('NO_RISK_DETECTED', { bandwidth: 'wide' }),
      playback('UNCERTAIN', { bandwidth: 'wide' }),
    ]),
    'AUTHENTIC',
    'GOOD',
    ['ATTACK_CHECK_UNRESOLVED'],
  ],
  ['a check made since', facts('AUTHENTIC', [match()], { later: [synthetic()] }), 'AUTHENTIC', 'GOOD', []],
  [
    'a check made since of a recording that is gone',
    facts('AUTHENTIC', [match({ recording: deletedRecording('p') })], { later: [synthetic()] }),
    'AUTHENTIC',
    'GOOD',
    [],
  ],
  [
    'a second try that matched and passed',
    facts('AUTHENTIC', [
      match(),
      match({ recording: 'two' }),
      synthetic('NO_RISK_DETECTED', { recording: 'two' }),
    ]),
    'AUTHENTIC',
    'GOOD',
    [],
  ],
  [
    'a second recording that nobody checked',
    facts('AUTHENTIC', [match(), synthetic(), match({ recording: 'two' })]),
    'AUTHENTIC',
    'NEUTRAL',
    ['ATTACK_CHECK_MISSING'],
  ],
  ['no match', facts('NO_MATCH', [noMatch(), synthetic('UNCERTAIN')]), 'NO_MATCH', 'WARNING', []],
  [
    'a match with somebody else',
    facts('AUTHENTIC', [match(), synthetic()], { about: matched(BERT) }),
    'AUTHENTIC',
    'NEUTRAL',
    ['OTHER_PERSON'],
  ],
  [
    'a list with nobody to compare with',
    facts('NO_RISK_DETECTED', [list('UNCERTAIN', { reason: 'NO_SCORES' }), synthetic()], {
      session: session('NO_RISK_DETECTED', nobodyClaimed),
      about: about([]),
    }),
    'NO_RISK_DETECTED',
    'NEUTRAL',
    ['LIST_NOT_FULLY_COMPARED'],
  ],
  [
    'members that could not be compared',
    facts('AUTHENTIC', [match(), list('NO_RISK_DETECTED', { notCompared: 2 }), synthetic()]),
    'AUTHENTIC',
    'NEUTRAL',
    ['LIST_NOT_FULLY_COMPARED'],
  ],
  [
    'a recording beside one that was compared with a list',
    facts('AUTHENTIC', [
      match(),
      synthetic(),
      list(),
      match({ recording: 'two' }),
      synthetic('NO_RISK_DETECTED', { recording: 'two' }),
    ]),
    'AUTHENTIC',
    'NEUTRAL',
    ['LIST_NOT_FULLY_COMPARED'],
  ],
  [
    'somebody claimed whom nobody compared',
    facts('NO_RISK_DETECTED', [list(), synthetic()], { about: about([]) }),
    'NO_RISK_DETECTED',
    'NEUTRAL',
    ['CLAIM_NOT_CONFIRMED'],
  ],
  [
    'all channels as one',
    facts('AUTHENTIC', [match({ channel: mixed }), synthetic('NO_RISK_DETECTED', { channel: mixed })]),
    'AUTHENTIC',
    'NEUTRAL',
    ['CALLER_NOT_ISOLATED'],
  ],
  [
    'the channel of the agent',
    facts('AUTHENTIC', [match({ channel: { heard: 2, of: 2, callers: [1] } })]),
    'AUTHENTIC',
    'NEUTRAL',
    ['CALLER_NOT_ISOLATED'],
  ],
  [
    'the channel of the caller',
    facts('AUTHENTIC', [
      match({ channel: { heard: 1, of: 2, callers: [1] } }),
      synthetic('NO_RISK_DETECTED', { channel: { heard: 1, of: 2, callers: [1] } }),
    ]),
    'AUTHENTIC',
    'GOOD',
    [],
  ],
  [
    'a match in one recording and none in another',
    facts('AUTHENTIC', [
      match(),
      synthetic(),
      noMatch({ recording: 'two' }),
      synthetic('NO_RISK_DETECTED', { recording: 'two' }),
    ]),
    'AUTHENTIC',
    'NEUTRAL',
    ['CONTRADICTION'],
  ],
  [
    'another voice in a part of the call',
    facts('UNCERTAIN', [check('AUTHENTICATION', 'UNCERTAIN', { reason: 'SPEAKER_CHANGED' }), synthetic()]),
    'UNCERTAIN',
    'WARNING',
    ['SECOND_VOICE'],
  ],
  [
    'a call that was cut off',
    facts('AUTHENTIC', [match(), synthetic()], { isCutOff: true }),
    'AUTHENTIC',
    'NEUTRAL',
    ['CUT_OFF'],
  ],
  [
    'a fraudster who was found later',
    facts('AUTHENTIC', [match(), synthetic()], {
      foundLater: [{ check: 'FRAUD_DETECTION', gkFraudsterId: 'f', atMs: 1 }],
    }),
    'AUTHENTIC',
    'NEUTRAL',
    ['FOUND_LATER'],
  ],
  [
    'an outcome of fraud',
    facts('AUTHENTIC', [match(), synthetic()], { outcome: 'FRAUD' }),
    'AUTHENTIC',
    'NEUTRAL',
    ['OUTCOME_DISAGREES'],
  ],
  [
    'an outcome that agrees',
    facts('AUTHENTIC', [match(), synthetic()], { outcome: 'AUTHENTIC' }),
    'AUTHENTIC',
    'GOOD',
    [],
  ],
  ['an alarm', facts('FRAUD', [match(), synthetic('FRAUD')]), 'FRAUD', 'ALARM', []],
  [
    'a decision of an earlier session',
    facts('AUTHENTIC', [], { about: about([]), origin: facts('AUTHENTIC', [match()]) }),
    'AUTHENTIC',
    'NEUTRAL',
    ['ATTACK_CHECK_MISSING', 'INHERITED'],
  ],
  [
    'a decision of an earlier session about somebody else',
    facts('AUTHENTIC', [], {
      about: about([]),
      origin: facts('AUTHENTIC', [match(), synthetic()], {
        session: session('AUTHENTIC', { claimedGkPersonId: BERT }),
        about: matched(BERT),
      }),
    }),
    'AUTHENTIC',
    'NEUTRAL',
    ['OTHER_PERSON', 'INHERITED'],
  ],
  [
    'a decision of a session that is gone',
    facts('AUTHENTIC', [], { about: about([]) }),
    'AUTHENTIC',
    'NEUTRAL',
    ['INHERITED'],
  ],
  [
    'a refusal',
    facts('UNCERTAIN', [check('AUTHENTICATION', 'UNCERTAIN', { reason: 'PROFILE_LOCKED' })], {
      about: about([], [], { refused: 1 }),
    }),
    'REFUSED',
    'ALARM',
    [],
  ],
  [
    'an upload',
    facts(undefined, [], { session: session(undefined, nobodyClaimed), about: undefined, isUpload: true }),
    'UPLOAD',
    'NEUTRAL',
    [],
  ],
  [
    'nothing',
    facts(undefined, [], { session: session(undefined, nobodyClaimed), about: undefined }),
    'NONE',
    'NEUTRAL',
    [],
  ],
];

describe('the assessment of a session', () => {
  it.each(cases)('%s', (_what, known, headline, tone, expected) => {
    const { headline: said, tone: shown, caveats: found } = assess(known);
    expect([said, shown, found]).toEqual([headline, tone, expected]);
  });

  it('names the person claimed, and before them whom the voice matches', () => {
    const voices = [
      { person: ANNA, isOne: true, end: 'NO_MATCH' as const },
      { person: BERT, isOne: false, end: 'MATCHED' as const },
    ];
    const persons = [
      { gkPersonId: ANNA, role: 'VERIFIED' as const, isMismatch: true as const },
      { gkPersonId: BERT, role: 'RECOGNIZED' as const, isMatch: true as const },
    ];
    const { whoCalled } = assess(facts('AUTHENTIC', [noMatch(), match()], { about: about(voices, persons) }));
    expect(whoCalled).toEqual([
      { kind: 'PERSON', gkId: BERT, result: 'MATCHED' },
      { kind: 'PERSON', gkId: ANNA, isClaimed: true, result: 'NOT_MATCHED' },
    ]);
  });

  it('says whom an inherited decision was about, and what was found there later', () => {
    const origin = facts('AUTHENTIC', [match(), synthetic()], {
      session: session('AUTHENTIC', { gkSessionId: 'there' }),
      foundLater: [{ check: 'SYNTHETIC_SPEECH', atMs: 5 }],
    });
    const told = assess(facts('AUTHENTIC', [], { about: about([]), origin }));
    expect(told.inheritedFrom).toEqual({
      gkSessionId: 'there',
      whoCalled: [{ kind: 'PERSON', gkId: ANNA, result: 'MATCHED' }],
    });
    expect(told.foundLater).toEqual([{ check: 'SYNTHETIC_SPEECH', atMs: 5, gkSessionId: 'there' }]);
    expect(told.caveats).toContain('FOUND_LATER');
  });

  it.each<[string, Facts, HeadlineCause[]]>([
    [
      'every alarm',
      facts('FRAUD', [
        match(),
        list('FRAUD', { reason: 'FRAUDSTER_INDICATION' }),
        synthetic('FRAUD', { reason: 'SYNTHETIC_SPEECH_DETECTED' }),
      ]),
      [
        { check: 'FRAUD_DETECTION', reason: 'FRAUDSTER_INDICATION', measures: [] },
        { check: 'SYNTHETIC_SPEECH', reason: 'SYNTHETIC_SPEECH_DETECTED', measures: [] },
      ],
    ],
    [
      'the comparison that could not tell, before an attack check',
      facts('UNCERTAIN', [
        check('AUTHENTICATION', 'UNCERTAIN', { reason: 'SPEAKER_CHANGED', unreliableFor: ['two_voices'] }),
        synthetic('UNCERTAIN', { reason: 'LOW_RELIABILITY', unreliableFor: ['spread'] }),
      ]),
      [{ check: 'AUTHENTICATION', reason: 'SPEAKER_CHANGED', measures: ['two_voices'] }],
    ],
    [
      'the attack check that withholds a match',
      facts('UNCERTAIN', [
        match(),
        synthetic('UNCERTAIN', { reason: 'LOW_RELIABILITY', unreliableFor: ['spread'] }),
      ]),
      [{ check: 'SYNTHETIC_SPEECH', reason: 'LOW_RELIABILITY', measures: ['spread'] }],
    ],
    [
      'checks made together, in the same order whichever ended first',
      facts('UNCERTAIN', [
        playback('UNCERTAIN', { reason: 'LOW_RELIABILITY' }),
        synthetic('UNCERTAIN', { reason: 'LOW_RELIABILITY' }),
      ]),
      [
        { check: 'SYNTHETIC_SPEECH', reason: 'LOW_RELIABILITY', measures: [] },
        { check: 'CHANNEL_PLAYBACK', reason: 'LOW_RELIABILITY', measures: [] },
      ],
    ],
    [
      'the last result of a call that is heard several times',
      facts('UNCERTAIN', [
        check('AUTHENTICATION', 'UNCERTAIN', { reason: 'AUDIO_TOO_SHORT' }),
        check('AUTHENTICATION', 'UNCERTAIN', { reason: 'LOW_RELIABILITY', unreliableFor: ['noise'] }),
      ]),
      [{ check: 'AUTHENTICATION', reason: 'LOW_RELIABILITY', measures: ['noise'] }],
    ],
    [
      'the alarm of the session that a decision is inherited from',
      facts('FRAUD', [], {
        about: about([]),
        origin: facts('FRAUD', [synthetic('FRAUD', { reason: 'SYNTHETIC_SPEECH_DETECTED' })]),
      }),
      [{ check: 'SYNTHETIC_SPEECH', reason: 'SYNTHETIC_SPEECH_DETECTED', measures: [] }],
    ],
    ['nothing beside a match', facts('AUTHENTIC', [match(), synthetic('UNCERTAIN')]), []],
  ])('rests on %s', (_what, known, causes) => {
    expect(assess(known).causes).toEqual(causes);
  });

  it('names the checks that are open, and those that cannot answer on the channel', () => {
    const { unresolvedChecks, unavailableChecks } = assess(
      facts('AUTHENTIC', [match(), synthetic('UNCERTAIN')]),
    );
    expect([unresolvedChecks, unavailableChecks]).toEqual([['SYNTHETIC_SPEECH'], ['CHANNEL_PLAYBACK']]);
  });

  it('is green only where no caveat takes green away', () => {
    for (const headline of headlines)
      for (const caveat of caveatNames) {
        const isGood = toneOf(headline, [caveat]) === 'GOOD';
        expect([headline, caveat, isGood]).toEqual([
          headline,
          caveat,
          toneOf(headline, []) === 'GOOD' && !caveats[caveat].takesGreen,
        ]);
      }
  });

  it('has words for everything that it can say, and for nothing else', () => {
    for (const words of [english, german]) {
      expect(Object.keys(words.headlines).sort()).toEqual([...headlines].sort());
      expect(Object.keys(words.caveats).sort()).toEqual([...caveatNames].sort());
    }
  });
});
