// ValidateText: whether exactly these words are said in a recording. As the answer to a prompt of the session it uses the
// prompt up; it does not say whose voice it is.
import { auditDetail } from '../../audit/model.js';
import type { Call } from '../../platform.js';
import type { RequestContext } from '../call/context.js';
import type { ProcessedAudio } from '../model/media.js';
import { WORDS_MATCH } from '../model/prompts.js';
import { readExpected } from '../rules/prompted-words.js';
import type { AudioInput, DecisionRun } from './audio-input.js';
import { findPerson, giveToPerson } from './audio-of-person.js';
import type { Decided } from './record.js';
import type { OperationDeps } from './deps.js';
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

const FIELD = 'expected_text';

interface ValidateTextInput {
  context: RequestContext;
  audio: AudioInput;
  expectedText: string;
  /** Makes the audio personal data of this person. */
  gkPersonId?: string;
}

interface ValidateTextResult extends JudgedWords {
  audio: ProcessedAudio;
  /** Only if the config set allows it. */
  detectedText?: string;
}

export function validateText(
  deps: OperationDeps,
  call: Call,
  input: ValidateTextInput,
): Promise<ValidateTextResult> {
  const { gkPersonId } = input;
  const expected = readExpected(input.expectedText, FIELD);
  const words = 'words' in expected ? expected.words : [];
  return runDecision(deps, call, {
    name: 'ValidateText',
    request: input,
    faults: 'fault' in expected ? [expected.fault] : [],
    find: async (opened) => {
      await findPerson(opened, gkPersonId);
      return findPrompt(opened, { words, field: FIELD, isOwnText: true }, gkPersonId);
    },
    named: { gkPersonId },
    purpose: () => ({
      forEnrollment: false,
      checkpointSeconds: [],
      spoof: { synthetic: false, playback: false },
      printType: 'NONE',
    }),
    judge: (run, asked) => judgeWords(run, run.prepared, words, asked),
    speaker: () => gkPersonId,
    conclude: async (tx, run, { found: asked, judged }) => {
      if (asked) await usePrompt(tx, asked);
      if (gkPersonId) await giveToPerson(tx, run, run.prepared, gkPersonId);
      const { tellDetectedText } = run.context.parameters.promptedWords;
      const detectedText = tellDetectedText ? judged.heard?.detectedText : undefined;
      return {
        result: {
          ...judged,
          audio: run.prepared.audio,
          ...(detectedText !== undefined && { detectedText }),
        },
        records: [recordOf(run, judged, asked)],
      };
    },
  });
}

/** A text that is no prompt may be a number of the caller: the trail does not keep it. */
function recordOf(
  { context, prepared }: DecisionRun,
  judged: JudgedWords,
  asked: Asked | undefined,
): Decided {
  const { decision, failed, risk, heard } = judged;
  const { gkProcessedAudioId, netAudioMs } = prepared.audio;
  const reason = failed ?? (decision === 'AUTHENTIC' ? WORDS_MATCH : judged.reason);
  return {
    type: 'FACTORS_AUDIT_INFO_EVENT',
    subjects: [gkProcessedAudioId],
    detail: auditDetail({
      check: 'text',
      decision,
      reason,
      score: heard?.score,
      risk,
      gkProcessedAudioId,
      ...(asked && {
        promptId: asked.prompt.promptId,
        answerMs: answerMsOf(asked),
        expected: asked.prompt.words,
        ...(context.parameters.promptedWords.tellDetectedText && { detected: heard?.detectedText }),
      }),
    }),
    factor: {
      kind: 'TEXT_VALIDATION',
      decision,
      reason,
      netSpeechMs: netAudioMs,
      ...(heard && { score: heard.score }),
      ...(risk !== undefined && { risk, reliability: RELIABLE }),
    },
  };
}
