// Turns codes of the service into sentences: what happened, and what to do next.
import { durationSeconds } from '../../format/text.js';
import { t } from '../../text/checks.js';
import { num, type Advice } from '../../text/tools.js';
import type { DecisionReasonJson as AttackReasonJson } from '../../../gen/vendor/biosec/v1/audio/types_pb.js';
import type { AudioDetailsJson, DecisionJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import type {
  DecisionReasonJson as VoiceReasonJson,
  TrainResultJson,
} from '../../../gen/vendor/biosec/v1/voiceprint/types_pb.js';

/** The question that a check answers. */
export type Question = 'verify' | 'identify' | 'watchlist' | 'attack';

/** The answer of a check. */
interface Finding {
  question: Question;
  decision: DecisionJson | undefined;
  /** With or without the prefix of the contract. */
  reason: string | undefined;
  /** Seconds of speech in the audio; undefined if they were not counted. */
  speechSeconds?: number | undefined;
}

const uncertain: readonly DecisionJson[] = ['DECISION_UNCERTAIN', 'DECISION_FAILED'];

type Bare<T extends string> = T extends `DECISION_REASON_${infer Name}`
  ? Exclude<Name, 'UNSPECIFIED'>
  : never;
/** Of answers to prompts, as records have them. */
type PromptReason = 'PROMPT_PASSED' | 'WORDS_MATCH' | 'WORDS_NO_MATCH' | 'VOICE_NO_MATCH' | 'PROMPT_EXPIRED';
type Reason = Bare<VoiceReasonJson | AttackReasonJson> | PromptReason;

/** The decisions that a reason can explain, if not that nothing could be decided; beside any other it would be a contradiction. */
const speaksFor: Partial<Readonly<Record<Reason, readonly DecisionJson[]>>> = {
  AUDIO_OK: ['DECISION_NO_RISK_DETECTED'],
  VOICEPRINT_MATCH: ['DECISION_AUTHENTIC'],
  VOICEPRINT_NO_MATCH: ['DECISION_NO_MATCH'],
  FRAUDSTER_INDICATION: ['DECISION_FRAUD'],
  SYNTHETIC_SPEECH_DETECTED: ['DECISION_FRAUD'],
  PLAYBACK_INDICATION: ['DECISION_FRAUD'],
  NO_RISK_DETECTED: ['DECISION_NO_RISK_DETECTED'],
  PROMPT_PASSED: ['DECISION_AUTHENTIC'],
  WORDS_MATCH: ['DECISION_AUTHENTIC'],
  WORDS_NO_MATCH: ['DECISION_NO_MATCH'],
  VOICE_NO_MATCH: ['DECISION_NO_MATCH'],
  PROMPT_EXPIRED: ['DECISION_NO_MATCH'],
};

/** Reasons for refusing recordings without any speech, which differ by check. */
const forSilence = new Set(['AUDIO_TOO_SHORT', 'AUDIO_TOO_SOFT', 'AUDIO_TOO_NOISY', 'LOW_RELIABILITY']);

const decisionsFor = (reason: string): readonly DecisionJson[] =>
  (speaksFor as Readonly<Record<string, readonly DecisionJson[]>>)[reason] ?? uncertain;

const wordsFor = (table: Readonly<Record<string, Advice>>, key: string): Advice | undefined => table[key];

/** The single place that turns the answer of a check into a sentence, wherever it is shown. */
export function adviceOn({ question, decision, reason = '', speechSeconds }: Finding): Advice {
  const bare = reason.replace('DECISION_REASON_', '');
  const isDecided = decision !== undefined && decision !== 'DECISION_UNSPECIFIED';
  if (isDecided && !decisionsFor(bare).includes(decision)) return t.byDecision[decision];
  if (speechSeconds === 0 && forSilence.has(bare)) return t.noSpeech;
  return (
    wordsFor(t.findings[question], bare) ??
    wordsFor(t.findings.any, bare) ??
    wordsFor(t.audio, `REASON_${bare}`) ??
    t.byDecision[decision ?? 'DECISION_UNSPECIFIED']
  );
}

/** Whether a recording can be used at all. */
export function adviceOnAudio(validity: string | undefined, details: AudioDetailsJson | undefined): Advice {
  const bare = (validity ?? '').replace('REASON_', '');
  if (speechIn(details) === 0 && forSilence.has(bare)) return t.noSpeech;
  return wordsFor(t.audio, validity ?? '') ?? t.audio.REASON_UNSPECIFIED;
}

/** Seconds of speech found in a recording; undefined if they were not counted. */
export const speechIn = (details: AudioDetailsJson | undefined): number | undefined =>
  details?.netAudio === undefined ? undefined : durationSeconds(details.netAudio);

export const adviceOnEnroll = (reason: string | undefined): Advice =>
  wordsFor(t.enroll, reason ?? '') ?? t.enroll.ENROLL_REASON_UNSPECIFIED;
export const adviceOnTrain = (reason: string | undefined): Advice =>
  wordsFor(t.train, reason ?? '') ?? t.train.TRAIN_REASON_UNSPECIFIED;

/** Says what is missing, if the answer tells. */
export function adviceOnTraining(result: TrainResultJson): Advice {
  if (result.reason !== 'TRAIN_REASON_NOT_READY_TO_TRAIN') return adviceOnTrain(result.reason);
  const { totalSegments = 0, minSegmentsRequired = 0, enrollmentSegmentsDetails = [] } = result;
  if (totalSegments < minSegmentsRequired) return t.trainNeeds.recordings(totalSegments, minSegmentsRequired);
  const speech = enrollmentSegmentsDetails.reduce(
    (sum, { audioDetails }) => sum + (speechIn(audioDetails) ?? 0),
    0,
  );
  const needed = durationSeconds(result.minNetAudioRequired);
  return speech < needed ? t.trainNeeds.speech(speech, needed) : adviceOnTrain(result.reason);
}

/** The reason of a verification that was refused because of a lock: nothing was compared. */
export const REFUSED_FOR_LOCK = 'PROFILE_LOCKED';
type DecisionTone = 'good' | 'warn' | 'bad' | 'neutral';

const tones: Readonly<Record<DecisionJson, DecisionTone>> = {
  DECISION_UNSPECIFIED: 'neutral',
  DECISION_AUTHENTIC: 'good',
  DECISION_NO_MATCH: 'warn',
  DECISION_FRAUD: 'bad',
  DECISION_UNCERTAIN: 'warn',
  DECISION_FAILED: 'bad',
  DECISION_NO_RISK_DETECTED: 'good',
};

export function decisionWord(decision: DecisionJson | undefined): { word: string; tone: DecisionTone } {
  const code = decision ?? 'DECISION_UNSPECIFIED';
  return { word: t.decisions[code], tone: tones[code] };
}

const MILLION_LLR = Math.log(1e6);

/** A log-likelihood ratio as readable odds. */
export function evidenceWords(llr: number | undefined): string {
  if (llr === undefined) return t.evidence.none;
  const size = Math.abs(llr);
  const times = Math.exp(size);
  const odds =
    size > MILLION_LLR ? t.evidence.million : times < 10 ? num(times, 1) : num(Math.round(times), 0);
  return llr >= 0 ? t.evidence.same(odds) : t.evidence.other(odds);
}
