// Who called, over sessions drawn at random: whatever was checked, no word may say of anybody what was not found, nobody who matched goes
// unnamed, and nothing is green that rests on somebody else, on the channel of an agent, or on half a list. What must hold is worked out
// here from what was drawn, and not by the rule.
import { expect, it } from 'vitest';
import { erasedAmong } from '../../src/biometrics/activity/named.js';
import { decidedAbout } from '../../src/biometrics/activity/carried-decisions.js';
import { defaultParameters, resolveParameters } from '../../src/biometrics/model/parameters.js';
import type { DecisionSummary, Factor, Session } from '../../src/biometrics/model/sessions.js';
import { decideSession } from '../../src/biometrics/rules/session-decision.js';
import {
  decidedIn,
  isClaimOpen,
  isFromElsewhere as isDecidedElsewhere,
  marksOf,
  whoCalled,
} from '../../src/biometrics/rules/session-marks.js';
import { fraudstersIn, personsIn, voicesIn } from '../../src/biometrics/rules/session-persons.js';
import { peopleIn, sessionWord } from '../../src/console/pages/biosec/session-words.js';
import { decidedBy } from '../../src/console/pages/sessions/deciding-check.js';
import { sessionSummary } from '../../src/console/pages/sessions/page-summary.js';
import { sessionsCsv } from '../../src/console/pages/sessions/sessions-csv.js';
import { csvRows } from '../../src/manifest/csv.js';
import type { SessionEntryJson, TimelineEventJson } from '../../src/gen/voxgate/biosec/v1/activity_pb.js';
import { heardChannel } from '../../src/biometrics/rules/heard-channel.js';

const parameters = resolveParameters(defaultParameters);
const people = ['anna', 'bob'] as const;
type Person = (typeof people)[number];
const owners = new Map<string, string>(people.map((person) => [`print of ${person}`, person]));
const fraudsters = new Map([['print of mallory', 'mallory']]);

/** The same sequence in every run. */
function dice(seed: number): <T>(of: readonly T[]) => T {
  let state = seed;
  return (of) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return of[Math.floor((state / 2 ** 32) * of.length)] as (typeof of)[number];
  };
}

type Drawn = Factor & { recording: string };
interface Case {
  claim: 'none' | Person | 'unknown' | 'erased';
  /** What was noted of the claim when the one claimed was erased. */
  noted?: Pick<Session, 'claimEnd' | 'wasClaimOpen'>;
  own: Drawn[];
  elsewhere: Drawn[];
}

const scores = {
  AUTHENTIC: { risk: 5, reliability: 90 },
  NO_MATCH: { risk: 900, reliability: 90 },
  UNCERTAIN: { risk: 400, reliability: 5 },
  FRAUD: { risk: 990, reliability: 90 },
  NO_RISK_DETECTED: { risk: 7, reliability: 90 },
} as const;
const parties = [
  { channelIndex: 1, partyType: 'AGENT' },
  { channelIndex: 2, partyType: 'PERSON' },
] as const;

type Dice = ReturnType<typeof dice>;

function check(roll: Dice, at: number, gkSessionId: string, claim: Case['claim']): Drawn {
  const stereo = roll(['mono', 'mono', 'mono', 'named', 'unnamed']);
  const channel =
    stereo === 'mono'
      ? undefined
      : heardChannel(
          { mediaChannels: 2, selectedChannel: roll([1, 2, 1, 2, 0]) },
          { callParties: stereo === 'named' ? parties : [] },
        );
  // The same recording has the same channels, whoever listens to it.
  const recording = `${stereo} ${roll(['a', 'b'])}`;
  const common = {
    ...{ factorId: `f${at}`, gkScopeId: 's', gkEngagementId: 'e', gkSessionId, operation: 'AnalyzeAudio' },
    ...{ netSpeechMs: roll([4000, 8000]), configsetRevisionId: '', calibrationRevisionId: '' },
    ...{ createdAtMs: at, gkProcessedAudioId: `audio ${recording}`, recording },
    ...(channel && { channel }),
  };
  const of = (decision: keyof typeof scores) => ({ decision, reason: decision, ...scores[decision] });
  const whose = roll(people);
  const leftOut = roll([0, 1]);
  switch (roll(['one', 'one', 'group', 'list', 'synthetic', 'playback'])) {
    case 'one':
      return {
        ...common,
        ...of(roll(['AUTHENTIC', 'NO_MATCH', 'UNCERTAIN'])),
        ...{ kind: 'AUTHENTICATION', prints: 1, gkVoiceprintProfileId: `print of ${whose}` },
      };
    case 'group': {
      const decision = roll(['AUTHENTIC', 'NO_MATCH', 'UNCERTAIN'] as const);
      const isThere = whose === claim ? true : roll([true, false]);
      const isClaimed = claim === 'anna' || claim === 'bob';
      return {
        ...common,
        ...of(decision),
        ...{ kind: 'AUTHENTICATION', prints: 3, gkVoiceprintProfileId: `print of ${whose}` },
        ...{ gkCollectionId: 'vip', ...(leftOut > 0 && { leftOut }) },
        // Whom it recognizes was compared; the nearest of those who do not match, too.
        ...(isClaimed && roll([true, true, false]) && { hasClaimed: isThere }),
      };
    }
    case 'list': {
      const decision = roll(['NO_RISK_DETECTED', 'NO_RISK_DETECTED', 'FRAUD'] as const);
      return {
        ...common,
        ...of(decision),
        ...{ kind: 'FRAUD_DETECTION', prints: 3, gkVoiceprintProfileId: 'print of mallory' },
        ...{ gkCollectionId: 'ring', ...(leftOut > 0 && { leftOut }) },
      };
    }
    case 'synthetic':
      return { ...common, ...of('NO_RISK_DETECTED'), kind: 'SYNTHETIC_SPEECH' };
    default:
      return { ...common, ...of('NO_RISK_DETECTED'), kind: 'CHANNEL_PLAYBACK' };
  }
}

/** Mostly both attack checks of the same channel follow, as AnalyzeAudio makes them. */
function withAttacks(roll: Dice, made: Drawn[]): Drawn[] {
  if (roll([true, false])) return made;
  return made.flatMap((one) => {
    const { gkVoiceprintProfileId: _print, prints: _prints, hasClaimed: _has, leftOut: _left, ...rest } = one;
    const clear = { ...rest, decision: 'NO_RISK_DETECTED', ...scores.NO_RISK_DETECTED } as const;
    return [one, { ...clear, kind: 'SYNTHETIC_SPEECH' }, { ...clear, kind: 'CHANNEL_PLAYBACK' }];
  });
}

function drawCase(seed: number): Case {
  const roll = dice(seed * 7919 + 1);
  for (let warm = 0; warm < 5; warm++) roll([0]);
  const claim = roll(['none', 'anna', 'bob', 'unknown', 'erased'] as const);
  const count = roll([0, 1, 2, 3]);
  const own = Array.from({ length: count }, (_, at) => check(roll, at + 10, 'here', claim));
  const elsewhere = roll([true, false, false]) ? [check(roll, 1, 'first', claim)] : [];
  return { claim, own: withAttacks(roll, own), elsewhere };
}

const known = new Map<Case, ReturnType<typeof telling>>();
function told(drawn: Case): ReturnType<typeof telling> {
  const answer = known.get(drawn) ?? telling(drawn);
  known.set(drawn, answer);
  return answer;
}

const mediaOf = ({ recording }: Drawn): string => recording;

const sessionOf = (
  { claim, noted }: Pick<Case, 'claim' | 'noted'>,
  decision: DecisionSummary | undefined,
): Session =>
  ({
    gkSessionId: 'here',
    ...(claim === 'anna' || claim === 'bob' ? { claimedGkPersonId: claim } : {}),
    ...(claim === 'erased' && { isClaimErased: true }),
    ...noted,
    details: claim === 'unknown' ? { batchLine: { gkJobId: 'j', line: 1 } } : {},
    ...(decision && { decision }),
  }) as Session;

const aboutOf = (factors: readonly Factor[]) => ({
  persons: personsIn(factors, owners),
  gkFraudsterIds: fraudstersIn(factors, fraudsters),
  gkEnrolledFraudsterIds: [],
  refused: 0,
  voices: voicesIn(factors, owners),
});

const jsonOf = ({ gkPersonId, role, ...person }: ReturnType<typeof personsIn>[number]) => ({
  ...person,
  ...(gkPersonId && { gkPersonId: { value: gkPersonId }, personId: gkPersonId }),
  role: `SESSION_PERSON_ROLE_${role}` as const,
  gkVoiceprintProfileIds: (person.gkVoiceprintProfileIds ?? []).map((value) => ({ value })),
});

const eventOf = (factor: Drawn): TimelineEventJson => {
  const { kind, decision, reason, risk, reliability, channel, gkVoiceprintProfileId, gkCollectionId } =
    factor;
  const party =
    channel?.callers &&
    (channel.heard === 0 ? 'MIXED' : channel.callers.includes(channel.heard) ? 'CALLER' : 'AGENT');
  return {
    ...{ decision: `DECISION_${decision}` as const, reason, isFactor: true, operation: 'AnalyzeAudio' },
    ...(risk !== undefined && { risk }),
    ...(reliability !== undefined && { reliability }),
    ...(gkVoiceprintProfileId && { gkVoiceprintProfileId: { value: gkVoiceprintProfileId } }),
    gkMediaSegmentId: { value: factor.recording },
    attributes: {
      ...{ factor: kind, netSpeechMs: String(factor.netSpeechMs), prints: String(factor.prints ?? 1) },
      ...(channel && { channel: String(channel.heard), channels: String(channel.of) }),
      ...(party && { party }),
      ...(gkCollectionId && kind === 'FRAUD_DETECTION' && { gkWatchlistId: gkCollectionId }),
      ...(gkCollectionId && kind === 'AUTHENTICATION' && { gkGroupId: gkCollectionId }),
    },
  };
};

/** As the server tells it, and what list, spreadsheet and page say. `decision` stays what it was when a person is erased. */
function telling(drawn: Case, decision = decideSession([...drawn.elsewhere, ...drawn.own], parameters)) {
  const { own, elsewhere, claim } = drawn;
  const session = sessionOf(drawn, decision);
  const about = aboutOf(own);
  const caller = whoCalled(session, about);
  const { isUnchecked, isListOpen, leftOutCaller, ...marks } = marksOf<Drawn>(decision.decision, {
    ...{ own, later: [], recordingOf: mediaOf },
  });
  const isFromElsewhere = isDecidedElsewhere(decision.decision, own);
  const from = isFromElsewhere ? decidedIn(session, [...elsewhere, ...own]) : undefined;
  const there = from ? decidedAbout(decision.decision, aboutOf(elsewhere)) : undefined;
  const isOther =
    claim !== 'none' && there?.persons.length && !there.persons.some((one) => one.gkPersonId === claim);
  const isClaimCompared =
    from !== undefined &&
    !['NOT_COMPARED', undefined].includes(whoCalled(session, aboutOf(elsewhere)).claimed);
  const carried =
    from === undefined
      ? undefined
      : {
          gkSessionId: from,
          ...(isOther && { isOtherPerson: true as const }),
          ...(isClaimCompared && { isClaimCompared: true as const }),
        };
  const riskInfo = {
    decision: `DECISION_${decision.decision}` as const,
    decisionReason: decision.reason as never,
    ...(decision.risk !== undefined && { risk: decision.risk, reliability: decision.reliability ?? 0 }),
  };
  const details = {
    riskInfo,
    ...(session.claimedGkPersonId && { claimedGkPersonId: { value: session.claimedGkPersonId } }),
  };
  const entry: SessionEntryJson = {
    details,
    claimedPersonId: claim === 'unknown' ? 'zoe' : (session.claimedGkPersonId ?? ''),
    isClaimErased: claim === 'erased',
    persons: [...about.persons, ...erasedAmong(about.voices)].map(jsonOf),
    claimedResult: caller.claimed ?? '',
    hasOtherPerson: caller.hasOtherPerson,
    hasSeveralPersons: caller.hasSeveralPersons,
    withoutClaimed: isClaimOpen(session, caller, { ...about, isFromElsewhere, carried }),
    fraudsters: about.gkFraudsterIds.map((value) => ({ gkFraudsterId: { value }, fraudsterId: value })),
    factorCount: own.length,
    ...{ withoutAttackChecks: isUnchecked === true, withoutWatchlist: isListOpen === true },
    undecidedChecks: [...(marks.undecidedChecks ?? [])],
    missingChecks: [...(marks.missingChecks ?? [])],
    leftOutCaller: leftOutCaller ?? '',
    hasLeftOutMembers: marks.hasLeftOutMembers === true,
    ...(from &&
      there && {
        carried: {
          gkSessionId: { value: from },
          persons: there.persons.map(jsonOf),
          isOtherPerson: Boolean(isOther),
          fraudsters: there.gkFraudsterIds.map((value) => ({ fraudsterId: value })),
        },
      }),
  };
  const events = own.map(eventOf);
  const timeline = { ...entry, session: details };
  const { title, next } = sessionSummary(timeline as never, events, { later: [], isNews: false });
  const { tone, word } = sessionWord({ session: details, checks: own.length, marks: entry }) ?? {};
  const [header, row] = [...csvRows(sessionsCsv([entry]))];
  return {
    entry,
    caller,
    head: `${title}. ${next} ${decidedBy(riskInfo, events, from !== undefined) ?? ''}`,
    list: peopleIn(entry).map(({ id, how }) => `${id} ${how}`),
    csv: Object.fromEntries((header?.cells ?? []).map((name, at) => [name, row?.cells[at] ?? ''])),
    word: word ?? '',
    isGreen: tone === 'good',
    decision,
  };
}

const ofCaller = ({ own }: Pick<Case, 'own'>): Drawn[] =>
  own.filter(
    ({ channel }) => !channel?.callers || channel.heard === 0 || channel.callers.includes(channel.heard),
  );

/** What was found of the caller, by what was drawn. */
function truthOf({ own, claim }: Pick<Case, 'own' | 'claim'>) {
  const heard = ofCaller({ own });
  const voices = heard.filter(({ kind }) => kind === 'AUTHENTICATION');
  const printsOf = (person: string) =>
    voices.filter(
      ({ gkVoiceprintProfileId, prints = 0, decision }) =>
        gkVoiceprintProfileId === `print of ${person}` && (prints <= 1 || decision === 'AUTHENTIC'),
    );
  const inGroup = voices.filter(({ prints = 0, hasClaimed }) => prints > 1 && hasClaimed === true);
  const isKnown = claim === 'anna' || claim === 'bob';
  return {
    matched: people.filter((one) => printsOf(one).some(({ decision }) => decision === 'AUTHENTIC')),
    isCompared: (one: string) => printsOf(one).length > 0 || (isKnown && one === claim && inGroup.length > 0),
    isUnlike: (one: string) =>
      printsOf(one).some(({ decision }) => decision === 'NO_MATCH') ||
      (one === claim && inGroup.some(({ decision }) => decision !== 'UNCERTAIN')),
  };
}

const cases = Array.from({ length: 4_000 }, (_, seed) => drawCase(seed));
const nameOf = (drawn: Case) =>
  `${drawn.claim}: ${drawn.own
    .map(({ kind, decision, gkVoiceprintProfileId = '', recording, channel, hasClaimed, prints }) =>
      [kind, decision, gkVoiceprintProfileId, prints, recording, channel?.heard, hasClaimed].join(' '),
    )
    .join('; ')} | ${drawn.elsewhere.map(({ kind, decision }) => `${kind} ${decision}`).join()}`;
const sayCarryOn = /carry on|No action/;

it('draws all that it is about', { tags: 'slow' }, () => {
  const seen = new Set(cases.map((drawn) => told(drawn)).map(({ decision }) => decision.decision));
  expect([...seen].sort()).toEqual(['AUTHENTIC', 'FRAUD', 'NO_MATCH', 'NO_RISK_DETECTED', 'UNCERTAIN']);
  const green = cases.filter((drawn) => told(drawn).isGreen);
  expect(green.length).toBeGreaterThan(50);
  expect(green.some(({ claim }) => claim === 'anna')).toBe(true);
  expect(green.some(({ claim, own }) => claim === 'none' && own.some(({ channel }) => channel))).toBe(true);
});

it('never says that somebody did not match who matched, or was not compared', () => {
  for (const drawn of cases) {
    const { head, list } = told(drawn);
    const truth = truthOf(drawn);
    const words = [head, ...list].join(' | ');
    for (const one of people) {
      const isUnlike = truth.isUnlike(one) && !truth.matched.includes(one);
      const isSaid = new RegExp(`does not match ([a-z]+, )?${one}|${one} claimed, does not match`).test(
        words,
      );
      if (isSaid) expect(isUnlike, `${nameOf(drawn)}: ${words}`).toBe(true);
      const isSaidUncompared = new RegExp(
        `${one}, who was claimed, was not compared|${one} claimed, not compared`,
      );
      if (isSaidUncompared.test(words))
        expect(truth.isCompared(one), `${nameOf(drawn)}: ${words}`).toBe(false);
    }
    // Whom it does not match is the person claimed, in the eyes of whoever reads it.
    if (head.includes('does not match well enough')) {
      expect(truth.matched, `${nameOf(drawn)}: ${words}`).toEqual([]);
      if (drawn.claim !== 'none' && drawn.claim !== 'erased')
        expect(truth.isUnlike(drawn.claim), `${nameOf(drawn)}: ${words}`).toBe(true);
    }
  }
});

it('names everybody who matches, in the list, the spreadsheet and on the page', () => {
  for (const drawn of cases) {
    const { list, csv, entry } = told(drawn);
    for (const one of truthOf(drawn).matched) {
      expect(list.join(' | '), nameOf(drawn)).toContain(one);
      expect(`${csv['person']} ${csv['claimed_person']}`, nameOf(drawn)).toContain(one);
      expect(entry.persons?.some(({ personId, isMatch }) => personId === one && isMatch)).toBe(true);
    }
  }
});

it('is green, or says to carry on, only for the one person who matches and was to match', () => {
  for (const drawn of cases) {
    const { head, isGreen, decision, entry } = told(drawn);
    if (!isGreen && !sayCarryOn.test(head)) continue;
    const { matched } = truthOf(drawn);
    expect(entry.carried, nameOf(drawn)).toBeUndefined();
    if (decision.decision === 'AUTHENTIC')
      expect(matched, nameOf(drawn)).toEqual(drawn.claim === 'none' ? [expect.anything()] : [drawn.claim]);
    else expect(decision.decision).toBe('NO_RISK_DETECTED');
  }
});

it('is green only where every channel of a caller was checked for what another channel was', () => {
  for (const drawn of cases) {
    const { head, isGreen, csv } = told(drawn);
    const isLeft = [...new Set(drawn.own.map(mediaOf))].some((recording) => {
      const made = drawn.own.filter((one) => one.recording === recording);
      const callers = made[0]?.channel ? (made[0].channel.callers ?? [1, 2]) : [];
      const kinds = new Set(made.map(({ kind }) => kind));
      return callers.some((number) =>
        [...kinds].some((kind) => !made.some((one) => one.kind === kind && one.channel?.heard === number)),
      );
    });
    if (!isLeft || drawn.own.some(({ decision }) => decision === 'FRAUD')) continue;
    expect(isGreen || sayCarryOn.test(head), nameOf(drawn)).toBe(false);
    if (!told(drawn).entry.carried) expect(csv['caller_not_checked'], nameOf(drawn)).not.toBe('');
  }
});

it('takes nothing that was heard on the channel of an agent for the caller', () => {
  for (const drawn of cases) {
    const isOfAgent = ({ channel }: Drawn) =>
      channel?.callers !== undefined && channel.heard > 0 && !channel.callers.includes(channel.heard);
    if (drawn.own.length === 0 || !drawn.own.every(isOfAgent)) continue;
    const { caller, isGreen, head, list } = told(drawn);
    expect(caller.matched, nameOf(drawn)).toEqual([]);
    if (drawn.claim !== 'none' && drawn.claim !== 'erased')
      expect(caller.claimed, nameOf(drawn)).toBe('NOT_COMPARED');
    expect(isGreen || sayCarryOn.test(head), nameOf(drawn)).toBe(false);
    expect(list.join(), nameOf(drawn)).not.toMatch(/voice matches|recognized/);
  }
});

/** Somebody was claimed, and nobody at all was compared as the caller. */
const isNobodyCompared = (drawn: Case): boolean =>
  drawn.claim !== 'none' &&
  drawn.claim !== 'erased' &&
  !ofCaller(drawn).some(({ kind }) => kind === 'AUTHENTICATION');

it.each(['NO_RISK_DETECTED', 'UNCERTAIN', 'FRAUD'])(
  'gives no all-clear to somebody who claims to be a person that was not compared, and says so beside %s',
  (decided) => {
    const open = cases.filter(
      (drawn) =>
        isNobodyCompared(drawn) && told(drawn).decision.decision === decided && !told(drawn).entry.carried,
    );
    expect(open.length).toBeGreaterThan(20);
    for (const drawn of open) {
      const { head, isGreen, list, csv } = told(drawn);
      expect(isGreen || sayCarryOn.test(head), `${nameOf(drawn)}: ${head}`).toBe(false);
      expect(head, nameOf(drawn)).toContain('not compared with that of');
      expect(list.join(), nameOf(drawn)).toContain('claimed, not compared');
      expect(csv['claimed_person_not_compared'], nameOf(drawn)).toBe('yes');
    }
  },
);

it('says of a decision of another session that the person claimed was not compared only where they were in neither', () => {
  const carried = cases.filter((drawn) => isNobodyCompared(drawn) && told(drawn).entry.carried);
  const isComparedThere = ({ elsewhere, claim }: Case) =>
    truthOf({ own: elsewhere, claim }).isCompared(claim);
  for (const isThere of [true, false])
    expect(carried.filter((drawn) => isComparedThere(drawn) === isThere).length).toBeGreaterThan(20);
  for (const drawn of carried) {
    const { head, csv } = told(drawn);
    if (isComparedThere(drawn)) {
      expect(csv['claimed_person_not_compared'], nameOf(drawn)).toBe('');
      expect(head, nameOf(drawn)).not.toContain('not compared with that of');
    } else if (csv['claimed_person_not_compared'])
      expect(head, nameOf(drawn)).toContain('not compared with that of');
    else if (drawn.elsewhere.every(({ kind }) => kind !== 'AUTHENTICATION')) expect.fail(nameOf(drawn));
  }
});

it('speaks of an earlier session only where there is one', () => {
  for (const drawn of cases) {
    const { head, word } = told(drawn);
    if (/earlier session/.test(`${head} ${word}`))
      expect(drawn.elsewhere.length, `${nameOf(drawn)}: ${head}`).toBeGreaterThan(0);
  }
});

it('says where members of a list could not be compared, and gives no full all-clear', () => {
  for (const drawn of cases) {
    const { head, isGreen, csv, decision } = told(drawn);
    const last = new Map(
      drawn.own.map((one) => [
        `${one.kind} ${one.kind === 'AUTHENTICATION' ? '' : one.gkCollectionId} ${one.recording}`,
        one,
      ]),
    );
    const isLeft = [...last.values()].some(
      (one) => one.leftOut && one.decision !== 'AUTHENTIC' && one.decision !== 'FRAUD',
    );
    if (!isLeft || decision.decision === 'FRAUD') continue;
    expect(isGreen || sayCarryOn.test(head), nameOf(drawn)).toBe(false);
    expect(csv['members_not_compared'], nameOf(drawn)).toBe('yes');
    expect(head, nameOf(drawn)).toMatch(/could not be compared|earlier session/);
  }
});

/** As an erasure leaves it: the print and the score go, and that there was a claim, and how each check ended, stays. */
function erased(drawn: Case, person: Person): Case {
  const forget = (factor: Drawn): Drawn => {
    if (factor.gkVoiceprintProfileId !== `print of ${person}`) return factor;
    const { gkVoiceprintProfileId: _print, risk: _risk, reliability: _reliability, ...rest } = factor;
    return rest;
  };
  return {
    claim: drawn.claim === person ? 'erased' : drawn.claim,
    ...(drawn.claim === person && { noted: notedOf(drawn) }),
    own: drawn.own.map(forget),
    elsewhere: drawn.elsewhere.map(forget),
  };
}

function notedOf(drawn: Case): NonNullable<Case['noted']> {
  const { caller, entry } = told(drawn);
  const { claimed = 'UNDECIDED' } = caller;
  return {
    claimEnd: claimed === 'MATCHED' ? 'UNDECIDED' : claimed,
    ...(entry.withoutClaimed && { wasClaimOpen: true }),
  };
}

it(
  'is never greener once a person was erased, and no match becomes a mismatch, nor the other way round',
  { tags: 'slow' },
  () => {
    for (const drawn of cases) {
      const before = told(drawn);
      for (const person of people) {
        const after = telling(erased(drawn, person), before.decision);
        const name = `${nameOf(drawn)}, without ${person}: ${before.head} -> ${after.head}`;
        if (after.isGreen) expect(before.isGreen, name).toBe(true);
        if (sayCarryOn.test(after.head)) expect(before.head, name).toMatch(sayCarryOn);
        const ends = [before.caller.claimed, after.caller.claimed].join();
        expect(['MATCHED,NO_MATCH', 'NO_MATCH,MATCHED'], name).not.toContain(ends);
        // What was known of the one claimed stays known, but for a match; and nothing else is made of it.
        if (drawn.claim === person && before.caller.claimed !== 'MATCHED')
          expect(after.caller.claimed, name).toBe(before.caller.claimed);
        // Where somebody else was compared instead, and is forgotten, it is said as well.
        if (drawn.claim === person || before.entry.withoutClaimed)
          expect(after.entry.withoutClaimed, name).toBe(before.entry.withoutClaimed);
        if (/is not clear whether/.test(after.head))
          expect(before.head, name).toMatch(/is not clear whether/);
        const others = before.caller.matched.filter((one) => one !== person);
        expect(after.caller.matched, name).toEqual(expect.arrayContaining([...others]));
        expect(after.caller.matched.length, name).toBe(before.caller.matched.length);
        if (/earlier session/.test(after.head)) expect(drawn.elsewhere.length, name).toBeGreaterThan(0);
      }
    }
  },
);
