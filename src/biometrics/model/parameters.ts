// Every number that controls a call, in one table: default, allowed range, meaning. The JSON schema we publish, the validation
// that names the wrong parameter, and the typed values that the operations read are all derived from it. Names are lowerCamel
// except the one that the contract spells differently.
import { defaultGates } from '../../voice/quality/judge-audio.js';
import { deepFreeze, type DeepReadonly } from './freeze.js';

interface NumberRule {
  kind: 'number' | 'integer';
  default: number;
  min: number;
  max: number;
  about: string;
}
interface BooleanRule {
  kind: 'boolean';
  default: boolean;
  about: string;
}
interface NumberListRule {
  kind: 'numbers';
  default: readonly number[];
  min: number;
  max: number;
  maxItems: number;
  about: string;
}
export type ParameterRule = NumberRule | BooleanRule | NumberListRule;

const integer = (value: number, min: number, max: number, about: string) =>
  ({ kind: 'integer', default: value, min, max, about }) as const;
const number = (value: number, min: number, max: number, about: string) =>
  ({ kind: 'number', default: value, min, max, about }) as const;
const flag = (value: boolean, about: string) => ({ kind: 'boolean', default: value, about }) as const;
const numbers = (value: readonly number[], min: number, max: number, maxItems: number, about: string) =>
  ({ kind: 'numbers', default: value, min, max, maxItems, about }) as const;

const MINUTE = 60;
const HOUR = 60 * MINUTE;

const { enroll: enrolling, verify: verifying } = defaultGates;

/** section -> parameter -> rule. Durations carry their unit in the name; rates are fractions. */
export const parameterTable = {
  audio: {
    snrDbMinEnroll: number(
      enrolling.snrDbMin,
      0,
      60,
      'Minimum signal-to-noise ratio of an enrollment segment.',
    ),
    snrDbMinVerify: number(
      verifying.snrDbMin,
      0,
      60,
      'Minimum signal-to-noise ratio for verification, identification and detection.',
    ),
    speechLevelDbMin: number(
      verifying.speechLevelDbfsMin,
      -90,
      0,
      'Minimum speech level, in dB relative to full scale.',
    ),
    saturationPerMinuteMax: number(
      verifying.saturatedPerMinuteMax,
      0,
      1_000_000,
      'Maximum number of clipped samples per minute of audio.',
    ),
    speechSecondsMaxForEnrollment: number(
      60,
      1,
      3600,
      'Maximum speech used when audio is processed for enrollment.',
    ),
    EnableSegmentation: flag(false, 'Look for more than one speaker in the audio and refuse mixed audio.'),
    mediaMegabytesMax: number(50, 0.01, 1024, 'Largest upload.'),
    mediaMinutesMax: number(60, 0.1, 60, 'Longest audio.'),
  },
  enrollment: {
    segmentsMin: integer(3, 1, 50, 'Segments needed before a print can be trained.'),
    segmentsOptimal: integer(5, 1, 50, 'Segments after which training is suggested.'),
    segmentsMax: integer(20, 1, 100, 'Segments after which a print is full.'),
    netSpeechSecondsMinPerSegment: number(
      enrolling.netMsMin / 1000,
      0.1,
      600,
      'Minimum speech in one enrollment segment.',
    ),
    netSpeechSecondsMin: number(6, 0.5, 3600, 'Minimum speech in all used segments together.'),
    netSpeechSecondsOptimal: number(20, 0.5, 3600, 'Speech after which training is suggested.'),
    coolingOffMinutes: number(
      0,
      0,
      525_600,
      'Time for which a new print of a person is not compared when a request names it; 0: compared at once.',
    ),
    createMissingPersons: flag(
      true,
      'CreateVoiceprintProfile creates the person if nobody has the given person_id.',
    ),
    consistencyLlrMin: number(
      -1,
      -20,
      20,
      'A segment whose log-likelihood ratio against the others is lower is left out.',
    ),
  },
  authentication: {
    netSpeechSecondsMin: number(verifying.netMsMin / 1000, 0.5, 600, 'Minimum speech for a decision.'),
    checkpointsForAuthentication: numbers(
      [3, 6, 10],
      0.5,
      3600,
      10,
      'Seconds of net speech after which a match ends the scoring early; empty: none.',
    ),
    falseAcceptRate: number(
      0.005,
      0.00001,
      0.5,
      'Target share of impostors accepted, over all looks at a call; sets the low-risk threshold.',
    ),
    riskLow: integer(300, 1, 999, 'At or below this risk the caller is AUTHENTIC.'),
    riskHigh: integer(700, 1, 999, 'From this risk on, a live call is NO_MATCH even before patienceSeconds.'),
    patienceSeconds: number(
      10,
      3,
      600,
      'Up to this much speech, a live call whose risk is between riskLow and riskHigh goes on listening.',
    ),
    reliabilityMin: integer(50, 0, 100, 'Below this reliability the decision is UNCERTAIN.'),
    stretchLlrMin: number(
      -1,
      -20,
      20,
      'A match is UNCERTAIN if a stretch of the audio scores lower, because somebody else may be speaking there. Higher is stricter.',
    ),
    identifyPrintsMax: integer(10_000, 1, 10_000, 'Maximum number of prints that one call may list.'),
    pauseLiveAudioWhenDecided: flag(
      false,
      'If the telephone system supports it (AudioHook), pause the audio of a live call once the caller is AUTHENTIC or FRAUD.',
    ),
    firstSpeakerIsAgent: flag(
      false,
      'If agent and customer share a channel in a live call, leave out speech that sounds like the first speaker, unless the print of the agent is named.',
    ),
    nearTermAdaptation: flag(false, 'Adapt a print after a certain match.'),
    adaptationNetSpeechSecondsMin: number(10, 1, 600, 'Minimum speech for an adaptation.'),
  },
  fraudDetection: {
    netSpeechSecondsMin: number(verifying.netMsMin / 1000, 0.5, 600, 'Minimum speech for a decision.'),
    checkpointsForFraudDetection: numbers(
      [10, 20, 40],
      0.5,
      3600,
      10,
      'Seconds of net speech after which a hit ends the scoring early; empty: none.',
    ),
    falseAlarmRate: number(
      0.001,
      0.00001,
      0.5,
      'Target share of innocent callers flagged, for the whole watchlist.',
    ),
    riskHigh: integer(700, 1, 999, 'At or above this risk the call is FRAUD.'),
    reliabilityMin: integer(50, 0, 100, 'Below this reliability the decision is UNCERTAIN.'),
    incompatiblePrintsMax: integer(100, 1, 1000, 'Maximum length of the list of incompatible prints.'),
  },
  attackChecks: {
    riskHigh: integer(
      700,
      1,
      999,
      'At or above this risk the call is FRAUD; 700 is the threshold that the detectors ship with.',
    ),
    syntheticRiskHigh: integer(
      0,
      0,
      999,
      'The same for synthetic speech only, such as the line for your own callers that `voxgate model alarm-threshold` finds; 0: as riskHigh.',
    ),
    syntheticRiskHighNarrow: integer(
      0,
      0,
      999,
      'The same for speech in the telephone band (up to 4 kHz) only; 0: as syntheticRiskHigh.',
    ),
    syntheticRiskHighWide: integer(
      0,
      0,
      999,
      'The same for speech in a wider band only, such as from microphones; 0: as syntheticRiskHigh.',
    ),
    reliabilityMin: integer(50, 0, 100, 'Below this reliability the check answers LOW_RELIABILITY.'),
    requiredForGreen: flag(
      false,
      'A result is green only if every attack check that ran could decide. Off, because the detectors are experimental: on real telephone calls the check for synthetic speech often cannot tell.',
    ),
  },
  promptedWords: {
    digits: integer(4, 3, 10, 'How many digits the caller is asked to repeat.'),
    answerSeconds: integer(
      30,
      5,
      600,
      'An answer that arrives later after the prompt was issued fails. The shorter, the less time to make one.',
    ),
    scoreMin: number(
      3.2,
      -20,
      20,
      'From this score on the words count as said; models/words-digits-1/card.md has the error rates at the default.',
    ),
    always: flag(false, 'A prompt is wanted whenever a voice matches.'),
    whenUnresolved: flag(false, 'A prompt is wanted if an attack check could not tell.'),
    fromRisk: integer(
      0,
      0,
      999,
      'A prompt is wanted if a voice matches, or an attack check finds nothing, with at least this risk; 0: not for that reason.',
    ),
    tellDetectedText: flag(true, 'Results and records say which digits were heard.'),
  },
  calibration: {
    useCallers: flag(
      false,
      'In the config set SCOPE: stored calls may be used to set thresholds for strangers. Each caller counts once; no voice leaves the tenant.',
    ),
    callersDays: integer(90, 1, 3650, 'How many days of calls are used for that.'),
  },
  voiceSearch: {
    hasLegalBasis: flag(
      false,
      'In the config set SCOPE: there is a legal basis for searching the stored calls of this tenant for a voice. Each search leaves an audit record.',
    ),
    days: integer(30, 1, 3650, 'How many days back stored calls are searched.'),
    searchForNewFraudsters: flag(
      false,
      'In the config set SCOPE: the stored calls are searched automatically for anyone who is put on a watchlist, or trained while on one. Needs hasLegalBasis.',
    ),
  },
  locks: {
    mismatchesMax: integer(5, 1, 100, 'Consecutive mismatches after which a print is locked.'),
    autoUnlockMinutes: number(30, 0.5, 10_080, 'Minutes until an automatic lock opens.'),
  },
  sessions: {
    idleSecondsIvr: integer(30 * MINUTE, 10, 7 * 24 * HOUR, 'Idle time after which an IVR session ends.'),
    idleSecondsDigital: integer(
      30 * MINUTE,
      10,
      7 * 24 * HOUR,
      'Idle time after which a digital session ends.',
    ),
    idleSecondsCallCenter: integer(
      2 * HOUR,
      10,
      7 * 24 * HOUR,
      'Idle time after which a call-center session ends.',
    ),
    idleSecondsOffline: integer(
      24 * HOUR,
      10,
      7 * 24 * HOUR,
      'Idle time after which an offline session ends.',
    ),
    idleSecondsEngagement: integer(4 * HOUR, 10, 7 * 24 * HOUR, 'Idle time after which an engagement ends.'),
  },
  urls: {
    uploadSeconds: integer(900, 10, 86_400, 'Lifetime of an upload URL.'),
    downloadSeconds: integer(900, 10, 86_400, 'Lifetime of a download URL.'),
    jobResultHours: integer(24, 1, 720, 'Lifetime of a job result.'),
  },
} as const satisfies Record<string, Record<string, ParameterRule>>;

type ValueOf<R> = R extends { kind: 'boolean' }
  ? boolean
  : R extends { kind: 'numbers' }
    ? readonly number[]
    : number;
type Table = typeof parameterTable;

/** Every parameter, resolved: what an operation reads. */
export type Parameters = DeepReadonly<{
  -readonly [S in keyof Table]: { -readonly [P in keyof Table[S]]: ValueOf<Table[S][P]> };
}>;

/** The content of a config-set document: any subset. */
export type ParameterOverrides = { readonly [S in keyof Parameters]?: Partial<Parameters[S]> };

/** Adds the defaults for everything that the document omits. The document must have passed validation. */
export function resolveParameters(overrides: ParameterOverrides): Parameters {
  const resolved: Record<string, Record<string, unknown>> = {};
  for (const [section, rules] of Object.entries(parameterTable) as [
    string,
    Record<string, ParameterRule>,
  ][]) {
    const given = (overrides as Record<string, Record<string, unknown> | undefined>)[section] ?? {};
    resolved[section] = Object.fromEntries(
      Object.entries(rules).map(([name, rule]) => [name, given[name] ?? rule.default]),
    );
  }
  return deepFreeze(resolved) as unknown as Parameters;
}

export const defaultParameters: Parameters = resolveParameters({});
