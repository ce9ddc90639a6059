// An assessment in the words of the catalogue, as lists, pages, the command line and the widget tell it.
import type { EngagementVerdictInfoJson } from '../gen/vendor/biosec/v1/sessions/sessions_pb.js';
import type {
  LaterFoundJson,
  SessionAssessmentJson,
  SessionPartyJson,
} from '../gen/voxgate/biosec/v1/assessment_pb.js';
import type { AssessmentWords, CaveatName, CauseName, HeadlineName } from './catalogue.js';

type ToneName = 'GOOD' | 'NEUTRAL' | 'WARNING' | 'ALARM';

/** Something was not checked, or not to its end. */
const gaps: ReadonlySet<CaveatName> = new Set([
  'PROMPT_WANTED',
  'CLAIM_NOT_CONFIRMED',
  'CALLER_NOT_ISOLATED',
  'ATTACK_CHECK_MISSING',
  'LIST_NOT_FULLY_COMPARED',
  'CUT_OFF',
  'ATTACK_CHECK_UNRESOLVED',
]);
export const isGap = (name: CaveatName): boolean => gaps.has(name);
const alarms: ReadonlySet<CaveatName> = new Set(['FOUND_LATER']);
const notes: ReadonlySet<CaveatName> = new Set(['DATA_ERASED', 'REFUSED']);

export function headlineName({ headline = 'SESSION_HEADLINE_NONE' }: SessionAssessmentJson): HeadlineName {
  const name = headline.replace('SESSION_HEADLINE_', '') as HeadlineName | 'UNSPECIFIED';
  return name === 'UNSPECIFIED' ? 'NONE' : name;
}

export function headlineWord({ headlines }: AssessmentWords, assessment: SessionAssessmentJson): string {
  const { word, inherited } = headlines[headlineName(assessment)];
  return (assessment.inheritedFrom && inherited) || word;
}

export const toneName = ({ tone = 'SESSION_TONE_NEUTRAL' }: SessionAssessmentJson): ToneName =>
  tone === 'SESSION_TONE_UNSPECIFIED' ? 'NEUTRAL' : (tone.replace('SESSION_TONE_', '') as ToneName);

/** In the order in which they are told. */
export const caveatNames = ({ caveats = [] }: SessionAssessmentJson): CaveatName[] =>
  caveats.flatMap((caveat) =>
    caveat === 'SESSION_CAVEAT_UNSPECIFIED' ? [] : (caveat.replace('SESSION_CAVEAT_', '') as CaveatName),
  );

/** A caveat, and which checks it is about. */
export function caveatWords(
  { caveats, checks }: AssessmentWords,
  { unresolvedChecks = [], missingChecks = [] }: SessionAssessmentJson,
  name: CaveatName,
): string {
  const of: Partial<Record<CaveatName, readonly string[]>> = {
    ATTACK_CHECK_MISSING: missingChecks,
    ATTACK_CHECK_UNRESOLVED: unresolvedChecks.filter((check) => !missingChecks.includes(check)),
  };
  const words: Readonly<Record<string, string>> = checks;
  const named = (of[name] ?? []).map((check) => words[check] ?? check).join(', ');
  return named ? `${caveats[name].word} (${named})` : caveats[name].word;
}

/** What a caveat says; also if it alone takes green away, which it does only by a setting. */
export function caveatMeaning(
  words: AssessmentWords,
  assessment: SessionAssessmentJson,
  name: CaveatName,
): string {
  const { meaning } = words.caveats[name];
  const isPositive = ['AUTHENTIC', 'NO_RISK_DETECTED'].includes(headlineName(assessment));
  const isAlone = caveatNames(assessment).every((one) => one === name || one === 'REFUSED');
  const takesGreen = isPositive && isAlone && toneName(assessment) !== 'GOOD';
  return name === 'ATTACK_CHECK_UNRESOLVED' && takesGreen ? `${meaning} ${words.requiredForGreen}` : meaning;
}

/**
 * What to do: first about an alarm, in the call or after it, then about a warning, then about the gravest caveat. Nothing about what
 * somebody has judged, unless more was found since.
 */
export function nextStep(
  words: AssessmentWords,
  assessment: SessionAssessmentJson,
  outcome: EngagementVerdictInfoJson = {},
): string {
  if (isJudged(assessment, outcome)) return '';
  const ofHeadline = words.headlines[headlineName(assessment)].next;
  const names = caveatNames(assessment);
  const ofCaveats = names.map((name) => words.caveats[name].next).filter(Boolean);
  const ofAlarms = names.filter((name) => alarms.has(name)).map((name) => words.caveats[name].next);
  const tone = toneName(assessment);
  const steps = tone === 'ALARM' ? [ofHeadline] : [...ofAlarms, ...(tone === 'WARNING' ? [ofHeadline] : [])];
  return [...steps, ...ofCaveats, ofHeadline].find(Boolean) ?? '';
}

function isJudged(
  { foundLater = [] }: SessionAssessmentJson,
  { verdict = 'ENGAGEMENT_VERDICT_UNSPECIFIED', verdictTimestamp = '' }: EngagementVerdictInfoJson,
): boolean {
  const judgedAtMs = Date.parse(verdictTimestamp);
  const isFoundSince = foundLater.some(({ time = '' }) => Date.parse(time) > judgedAtMs);
  return verdict !== 'ENGAGEMENT_VERDICT_UNSPECIFIED' && !isFoundSince;
}

/** What the headline rests on, in a few words each. */
export const causeWords = (words: AssessmentWords, assessment: SessionAssessmentJson): string[] =>
  wordsOf(words, causeNames(assessment));

const causeNames = ({ causes = [] }: SessionAssessmentJson): readonly string[] =>
  causes.flatMap(({ reason = '', measures = [] }) => (measures.length > 0 ? measures : [reason]));

function wordsOf({ causes }: AssessmentWords, names: readonly string[]): string[] {
  const words: Readonly<Record<string, string>> = causes;
  return [...new Set(names.flatMap((name) => words[name] ?? []))];
}

const ofSecondVoice: ReadonlySet<string> = new Set<CauseName>(['SPEAKER_CHANGED', 'two_voices']);

/** The same as a sentence beside the caveats, which say some of it themselves. */
export function because(words: AssessmentWords, assessment: SessionAssessmentJson): string {
  const isSaid = caveatNames(assessment).includes('SECOND_VOICE');
  const names = causeNames(assessment).filter((name) => !isSaid || !ofSecondVoice.has(name));
  const causes = wordsOf(words, names).join(', ');
  return causes && words.because(causes);
}

/** By the caller's own identifier, or what is left to say of somebody who has none any more. */
export function partyName(words: AssessmentWords, { id = '', state }: SessionPartyJson): string {
  if (state === 'PARTY_STATE_ERASED') return words.erasedPerson;
  if (id === '') return words.unknownPerson;
  return state === 'PARTY_STATE_DELETED' ? words.deleted(id) : id;
}

/** How the voice and somebody go together. */
export function partyRole(words: AssessmentWords, party: SessionPartyJson): string {
  const { result = 'PARTY_RESULT_UNSPECIFIED', isClaimed = false, isAgent = false, state } = party;
  if (result === 'PARTY_RESULT_UNSPECIFIED') return '';
  // How it ended with them went with their data: the headline may still know.
  if (state === 'PARTY_STATE_ERASED' && result === 'PARTY_RESULT_UNDECIDED') return '';
  const name = result.replace('PARTY_RESULT_', '') as keyof AssessmentWords['results'];
  if (isFraudster(party)) return words.fraudsters[name === 'ENROLLED' ? 'ENROLLED' : 'MATCHED'];
  const role = (isClaimed ? words.claimed : words.results)[name];
  return isAgent ? `${role}, ${words.onAgentsChannel}` : role;
}

export const isFraudster = ({ gkFraudsterId }: SessionPartyJson): boolean => gkFraudsterId !== undefined;

export const foundWord = ({ found }: AssessmentWords, { check = '' }: LaterFoundJson): string =>
  (found as Readonly<Record<string, string>>)[check] ?? check;

/** Somebody, and how they go together with the voice. */
interface PartyDisplay {
  party: SessionPartyJson | undefined;
  name: string;
  role: string;
}

/** Everybody whom a session is about: in it, in the one that its decision comes from, and found later. */
export function shownParties(
  words: AssessmentWords,
  { whoCalled = [], inheritedFrom, foundLater = [] }: SessionAssessmentJson,
): PartyDisplay[] {
  const display = (party: SessionPartyJson, more = ''): PartyDisplay => ({
    party,
    name: partyName(words, party),
    role: [partyRole(words, party), more].filter(Boolean).join(', '),
  });
  return [
    ...whoCalled.map((party) => display(party)),
    ...(inheritedFrom?.whoCalled ?? []).map((party) => display(party, words.inEarlierSession)),
    ...foundLater.map((found) => ({
      party: found.fraudster,
      name: found.fraudster ? partyName(words, found.fraudster) : foundWord(words, found),
      role: [
        found.fraudster ? foundWord(words, found) : '',
        words.caveats.FOUND_LATER.word.toLowerCase(),
        found.gkSessionId ? words.inEarlierSession : '',
      ]
        .filter(Boolean)
        .join(', '),
    })),
  ];
}

/** A caveat by its own word, and those that are told under it. */
export interface CaveatDisplay {
  word: string;
  severity: 'alarm' | 'warning' | 'note';
  more: readonly string[];
}

/**
 * The caveats of a row: all gaps are one mark with the word of the gravest, shown where they take green away. That a decision is inherited
 * is in its headline.
 */
export function shownCaveats(words: AssessmentWords, assessment: SessionAssessmentJson): CaveatDisplay[] {
  const names = caveatNames(assessment).filter((name) => name !== 'INHERITED');
  const open = toneName(assessment) === 'GOOD' ? [] : names.filter((name) => gaps.has(name));
  const own = names.filter((name) => !gaps.has(name));
  const [gravest, ...more] = open.map((name) => words.caveats[name].word);
  return [
    ...own.map((name): CaveatDisplay => {
      const severity = alarms.has(name) ? 'alarm' : notes.has(name) ? 'note' : 'warning';
      return { word: words.caveats[name].word, severity, more: [] };
    }),
    ...(gravest === undefined ? [] : [{ word: gravest, severity: 'warning', more } as const]),
  ];
}
