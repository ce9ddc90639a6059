// DetectLiveness: whether answers to prompts were given in time, with the right words, by the voice of other speech of the
// caller. A recording or a clone that was made in advance cannot say digits that were drawn a moment ago.
import { auditDetail } from '../../audit/model.js';
import { invalidFields, missingField, type FieldFault } from '../../errors.js';
import type { Call } from '../../platform.js';
import { scoreSample } from '../../voice/scoring/score.js';
import { buildTemplate } from '../../voice/scoring/template.js';
import type { RequestContext } from '../call/context.js';
import { linkSpeaker, noteRefused } from '../call/data-subjects.js';
import type { AudioModel, ProcessedAudio } from '../model/media.js';
import type { AudioValidity, Decision, RiskResult, SpoofReason } from '../model/outcome.js';
import { PROMPT_PASSED, VOICE_NO_MATCH, type FailedAnswer } from '../model/prompts.js';
import { decideScore, decidingLlr, reasonOfAudio } from '../rules/decide-score.js';
import { readExpected } from '../rules/prompted-words.js';
import {
  audioFaults,
  prepareAudio,
  type AudioInput,
  type DecisionRun,
  type PreparedAudio,
  type ProcessPurpose,
} from './audio-input.js';
import { findPerson, giveToPerson } from './audio-of-person.js';
import { type Decided, type DecisionRecord, storeAudio } from './record.js';
import type { OperationDeps } from './deps.js';
import type { OpenedCall } from './opened-call.js';
import {
  answerMsOf,
  findPrompt,
  judgeWords,
  RELIABLE,
  usePrompt,
  type Asked,
  type JudgedWords,
} from './prompted-answer.js';
import { runDecision } from './run-decision.js';
import { say } from '../../words/server/say.js';

const ANSWERS_MAX = 5;

interface PromptedRecording {
  audio: AudioInput;
  expectedText: string;
}

interface DetectLivenessInput {
  context: RequestContext;
  /** The reference. */
  audio: AudioInput;
  answers: readonly PromptedRecording[];
  /** Makes all of the audio personal data of this person. */
  gkPersonId?: string;
}

/** An answer whose words can be scored. */
interface ReadAnswer {
  audio: AudioInput;
  words: readonly string[];
  field: string;
}

interface FoundAnswer extends ReadAnswer {
  asked: Asked;
}

/** What the comparison of the voices says. */
interface ComparedVoice {
  decision: Decision;
  reason: SpoofReason;
  llr?: number;
  /** By how much it is above the threshold. */
  margin?: number;
  risk?: RiskResult;
}

/** Of a recording, or of the audio of a live call. */
export interface JudgedAnswer {
  prepared: PreparedAudio;
  asked: Asked;
  words: JudgedWords;
  voice: ComparedVoice;
  failed: readonly FailedAnswer[];
}

interface Liveness {
  decision: Decision;
  reason: SpoofReason;
  risk?: RiskResult;
  score?: number;
}

interface DetectLivenessResult extends Liveness {
  reference: ProcessedAudio;
  answers: readonly JudgedAnswer[];
}

export function detectLiveness(
  deps: OperationDeps,
  call: Call,
  input: DetectLivenessInput,
): Promise<DetectLivenessResult> {
  const { gkPersonId } = input;
  const { answers, faults } = readAnswers(input.answers);
  return runDecision(deps, call, {
    name: 'DetectLiveness',
    request: input,
    faults,
    find: (opened) => findAnswers(opened, answers, gkPersonId),
    named: { gkPersonId },
    purpose: () => purpose,
    judge: async (run, found) => {
      const judged: JudgedAnswer[] = [];
      for (const answer of found) judged.push(await judgeAnswer(run, answer, found.length));
      return judged;
    },
    speaker: () => gkPersonId,
    conclude: async (tx, run, { judged }) => {
      for (const { prepared, asked } of judged) {
        await storeAudio(tx, prepared);
        await usePrompt(tx, asked);
      }
      if (gkPersonId)
        for (const prepared of [run.prepared, ...judged.map((answer) => answer.prepared)])
          await giveToPerson(tx, run, prepared, gkPersonId);
      return {
        result: { ...overall(judged, run), reference: run.prepared.audio, answers: judged },
        records: recordsOf(run, judged),
      };
    },
  });
}

const purpose: ProcessPurpose = {
  forEnrollment: false,
  checkpointSeconds: [],
  spoof: { synthetic: false, playback: false },
  printType: 'VOICEPRINT',
  heardInCheck: true,
};

function readAnswers(answers: readonly PromptedRecording[]): {
  answers: ReadAnswer[];
  faults: FieldFault[];
} {
  const set = 'random_audio_set';
  if (answers.length === 0) return { answers: [], faults: [missingField(set)] };
  if (answers.length > ANSWERS_MAX)
    return {
      answers: [],
      faults: [{ field: set, violation: 'TOO_LONG', ...say('TOO_MANY_ANSWERS', { max: ANSWERS_MAX }) }],
    };
  const faults: FieldFault[] = [];
  const read = answers.map(({ audio, expectedText }, at): ReadAnswer => {
    const within = `${set}[${at}]`;
    const field = `${within}.expected_text`;
    const expected = readExpected(expectedText, field);
    faults.push(...audioFaults({ ...audio, within }), ...('fault' in expected ? [expected.fault] : []));
    return { audio: { ...audio, within }, words: 'words' in expected ? expected.words : [], field };
  });
  return { answers: read, faults };
}

/** The recordings of the answers are said to be the person's, too, even if the call is refused. */
async function findAnswers(
  opened: OpenedCall,
  answers: readonly ReadAnswer[],
  gkPersonId: string | undefined,
): Promise<FoundAnswer[]> {
  const { deps, context } = opened;
  const { gkScopeId } = context;
  try {
    await findPerson(opened, gkPersonId);
    const found: FoundAnswer[] = [];
    for (const answer of answers) {
      const asked = await findPrompt(opened, { ...answer, isOwnText: false }, gkPersonId);
      if (asked) found.push({ ...answer, asked });
    }
    if (gkPersonId)
      for (const { audio } of answers) await linkSpeaker(deps, { gkScopeId, gkPersonId }, audio);
    return found;
  } catch (error) {
    for (const { audio } of answers) await noteRefused(deps, { gkScopeId, gkPersonId, of: audio }, error);
    throw error;
  }
}

async function judgeAnswer(run: DecisionRun, answer: FoundAnswer, count: number): Promise<JudgedAnswer> {
  const { asked, audio } = answer;
  const prepared = await prepareAudio(run, audio, purpose);
  const { audio: reference } = run.prepared;
  if (prepared.audio.gkMediaSegmentId === reference.gkMediaSegmentId)
    throw invalidFields([
      {
        field: audio.within ?? '',
        violation: 'FIELD_CONFLICT',
        ...say('IS_THE_REFERENCE'),
      },
    ]);
  const words = await judgeWords(run, prepared, answer.words, asked);
  const voice = compareVoices(run, { reference, answer: prepared.audio }, count);
  return { prepared, asked, words, voice, failed: failuresOf(words, voice) };
}

export const failuresOf = (words: JudgedWords, voice: ComparedVoice): FailedAnswer[] => [
  ...(words.failed ? [words.failed] : []),
  ...(voice.decision === 'NO_MATCH' ? [VOICE_NO_MATCH as FailedAnswer] : []),
];

interface HeardVoice {
  validity: AudioValidity;
  model?: Pick<AudioModel, 'voice'>;
}

/** With the threshold of the config set for verifying persons. */
export function compareVoices(
  { calibration, context }: OpenedCall,
  { reference, answer }: { reference: HeardVoice; answer: HeardVoice },
  comparisons: number,
): ComparedVoice {
  const unusable = [answer, reference].find(({ validity }) => validity !== 'AUDIO_OK');
  if (unusable) return { decision: 'UNCERTAIN', reason: reasonOfAudio(unusable.validity) as SpoofReason };
  if (!reference.model || !answer.model) return { decision: 'UNCERTAIN', reason: 'AUDIO_TOO_SHORT' };
  const { model } = calibration;
  const template = buildTemplate(model, [reference.model.voice]);
  const { llr, reliability } = scoreSample(model, template, answer.model.voice);
  const scale = { side: 'AUTHENTICATION', model, parameters: context.parameters } as const;
  const { decision, reason, risk } = decideScore(scale, { llr, reliability }, comparisons);
  return {
    decision,
    reason: reason === 'LOW_RELIABILITY' ? reason : 'AUDIO_OK',
    llr,
    margin: llr - decidingLlr(scale, comparisons),
    risk,
  };
}

/** A failure outweighs what could not be decided. */
function overall(answers: readonly JudgedAnswer[], { context }: OpenedCall): Liveness {
  const { scoreMin } = context.parameters.promptedWords;
  const parts = answers.flatMap(({ words, voice }) => [words, voice]);
  const isFailed = answers.some(({ failed }) => failed.length > 0);
  const open = parts.find(({ decision }) => decision === 'UNCERTAIN');
  const margins = answers.flatMap(({ words: { heard }, voice: { margin } }) =>
    heard && margin !== undefined ? [heard.score - scoreMin, margin] : [],
  );
  const risks = answers.flatMap(({ words, voice }) => [words.risk ?? 0, voice.risk?.risk ?? 0]);
  const trust = answers.map(({ voice }) => voice.risk?.reliability ?? RELIABLE);
  const isScored = margins.length === parts.length;
  return {
    decision: isFailed ? 'NO_MATCH' : open ? 'UNCERTAIN' : 'AUTHENTIC',
    reason: isFailed ? 'AUDIO_OK' : (open?.reason ?? 'AUDIO_OK'),
    ...(isScored && {
      score: Math.min(...margins),
      risk: { risk: Math.max(...risks), reliability: Math.min(...trust) },
    }),
  };
}

/** Every answer leaves a record; the one that decides gives the factor of the session. */
function recordsOf(run: DecisionRun, judged: readonly JudgedAnswer[]): DecisionRecord[] {
  const { decision, score, risk } = overall(judged, run);
  const records = judged.map((answer) => answerRecord(run, answer));
  const deciding = records.findLast(({ factor }) => factor.decision === decision);
  return records.map(({ factor, ...noted }) =>
    factor === deciding?.factor
      ? {
          ...noted,
          factor: {
            ...factor,
            ...(score !== undefined && { score }),
            ...(risk && { risk: risk.risk, reliability: risk.reliability }),
          },
        }
      : noted,
  );
}

export function answerRecord(run: DecisionRun, answer: JudgedAnswer): Decided {
  const { prepared, asked, words, voice, failed } = answer;
  const { gkProcessedAudioId, netAudioMs, validity } = prepared.audio;
  const { decision, reason: own, risk, score } = overall([answer], run);
  const reason = failed[0] ?? (decision === 'AUTHENTIC' ? PROMPT_PASSED : own);
  const { heard } = words;
  return {
    type: 'FACTORS_AUDIT_INFO_EVENT',
    heard: prepared,
    subjects: [gkProcessedAudioId],
    detail: auditDetail({
      check: 'liveness',
      decision,
      reason,
      ...(failed.length > 1 && { failed: [...failed] }),
      risk: risk?.risk,
      reliability: risk?.reliability,
      score,
      wordsScore: heard?.score,
      voiceScore: voice.llr,
      promptId: asked.prompt.promptId,
      answerMs: answerMsOf(asked),
      expected: asked.prompt.words,
      ...(run.context.parameters.promptedWords.tellDetectedText && { detected: heard?.detectedText }),
      validity,
      gkProcessedAudioId,
      gkReferenceProcessedAudioId: run.prepared.audio.gkProcessedAudioId,
      model: run.calibration.model.revision,
      calibrationRevisionId: run.calibration.revisionId,
    }),
    factor: {
      kind: 'LIVENESS',
      decision,
      reason,
      netSpeechMs: netAudioMs,
      gkReferenceProcessedAudioId: run.prepared.audio.gkProcessedAudioId,
      ...(risk && { risk: risk.risk, reliability: risk.reliability }),
      ...(score !== undefined && { score }),
    },
  };
}
