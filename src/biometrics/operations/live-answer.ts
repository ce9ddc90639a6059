// The answer to a prompt in a running call, heard from the end of the prompt on: judged again while it grows, and recorded once
// it has passed, is complete, or time is up. Like DetectLiveness, with the rest of the call as the reference.
import { auditDetail } from '../../audit/model.js';
import type { Call } from '../../platform.js';
import type { RawFormat } from '../../voice/audio/types.js';
import type { VoiceSample } from '../../voice/scoring/speaker-model.js';
import type { WordsHeard } from '../../voice/words/model.js';
import { assessmentsWithoutNames } from '../assessment/gather.js';
import type { LiveAssessment } from '../assessment/model.js';
import { openFullContext, requireNotErased } from '../call/context.js';
import type { Decision } from '../model/outcome.js';
import { PROMPT_EXPIRED, type Prompt } from '../model/prompts.js';
import { audioGates } from '../rules/media-for-engine.js';
import { PROMPT_LANGUAGE } from '../rules/prompted-words.js';
import { recordOf, type DecisionRun, type ProcessPurpose } from './audio-input.js';
import type { OperationDeps } from './deps.js';
import { answerRecord, compareVoices, failuresOf, type JudgedAnswer } from './detect-liveness.js';
import type { LiveQuestion } from './live-decision.js';
import { openCall, type OpenedCall } from './opened-call.js';
import { decideWords, type Asked, type JudgedWords, usableWords, usePrompt } from './prompted-answer.js';
import { storeRecord } from './record.js';

/** After that much silence nobody is about to go on. */
const SILENCE_MS = 1500;

interface LiveAnswer {
  liveCallId: string;
  prompt: Prompt;
  /** From the end of the prompt on; without `raw`, the bytes say themselves what they are. */
  sound: { bytes: Uint8Array; raw?: RawFormat; lengthMs: number };
  /** Of the caller. */
  channel: number;
  /** The caller's voice before, as the call was decided by it. */
  reference: VoiceSample | undefined;
  /** Absent while the caller may go on; `NO_MORE`: no more can be heard, although there was time. */
  over?: 'TIME_IS_UP' | 'NO_MORE';
}

interface LiveAnswerOutcome {
  decision: Decision;
  reason: string;
  detectedText?: string;
  delayMs?: number;
  /** What the call means with it, as far as it is stored. */
  assessment?: LiveAssessment;
}

const purpose: ProcessPurpose = {
  forEnrollment: false,
  checkpointSeconds: [],
  spoof: { synthetic: false, playback: false },
  printType: 'VOICEPRINT',
};

/** Undefined if more has to be heard first. */
export async function judgeLiveAnswer(
  deps: OperationDeps,
  call: Call,
  question: LiveQuestion,
  answer: LiveAnswer,
): Promise<LiveAnswerOutcome | undefined> {
  const context = await openFullContext(deps, call, question.context);
  const opened = await openCall(deps, call, context);
  const words = await judgeSound(opened, answer);
  if (!words) return undefined;
  const { run, judged } = await withVoice(opened, answer, words);
  // A little more may be enough to know the voice.
  if (mayGoOn(words, answer) && judged.voice.decision === 'UNCERTAIN') return undefined;
  const { type, subjects, detail, factor } = answerRecord(run, judged);
  const [first] = words.heard?.words ?? [];
  const delayMs = words.heard?.detectedText ? first?.startMs : undefined;
  await deps.store.transaction(async (tx) => {
    await requireNotErased(tx, context.session);
    await usePrompt(tx, judged.asked);
    const ofCall = { liveCallId: answer.liveCallId, delayMs };
    const told = auditDetail({ ...detail, gkReferenceProcessedAudioId: undefined, ...ofCall });
    const made = { ...factor, liveCallId: answer.liveCallId };
    await storeRecord(tx, run, 'DetectLiveness', { type, subjects, factor: made, detail: told });
  });
  const { tellDetectedText } = context.parameters.promptedWords;
  const { gkSessionId } = context.session;
  const assessment = (await assessmentsWithoutNames(deps, context.gkScopeId, [gkSessionId])).get(gkSessionId);
  return {
    decision: factor.decision,
    reason: factor.reason,
    ...(tellDetectedText && words.heard && { detectedText: words.heard.detectedText }),
    ...(delayMs !== undefined && { delayMs }),
    ...(assessment && { assessment }),
  };
}

const callersSound = (
  { call }: OpenedCall,
  { sound: { raw }, channel }: LiveAnswer,
): { raw?: RawFormat; channel: number; client: string; priority: 'live' } => ({
  ...(raw && { raw }),
  channel,
  client: call.caller.clientId,
  priority: 'live',
});

async function judgeSound(opened: OpenedCall, answer: LiveAnswer): Promise<JudgedWords | undefined> {
  const { deps, context } = opened;
  const { prompt, sound, over } = answer;
  const expected = prompt.words.split(' ');
  const options = { ...callersSound(opened, answer), language: PROMPT_LANGUAGE, expected } as const;
  const words = usableWords(await deps.engine.hearWords(sound.bytes, options), context.parameters);
  if (words) {
    const judged = { ...decideWords(words, context.parameters), heard: words };
    const isPassed = judged.decision === 'AUTHENTIC' && isWhole(words);
    return isPassed || !mayGoOn(judged, answer) ? judged : undefined;
  }
  if (over === 'TIME_IS_UP') return { decision: 'NO_MATCH', reason: 'AUDIO_OK', failed: PROMPT_EXPIRED };
  return over && { decision: 'UNCERTAIN', reason: 'AUDIO_TOO_SHORT' };
}

/** As many digits as were asked for, or more. */
const isWhole = ({ words, detectedText }: WordsHeard): boolean =>
  detectedText.split(' ').length >= words.length;

/** Until the right digits, or as many, are followed by silence. */
function mayGoOn({ heard, decision }: JudgedWords, { sound, over }: LiveAnswer): boolean {
  if (over || !heard) return !over;
  const saidTo = Math.max(...heard.words.map(({ endMs }) => endMs));
  const isSilent = sound.lengthMs - saidTo >= SILENCE_MS;
  return !(isSilent && (decision === 'AUTHENTIC' || isWhole(heard)));
}

async function withVoice(
  opened: OpenedCall,
  answer: LiveAnswer,
  words: JudgedWords,
): Promise<{ run: DecisionRun; judged: JudgedAnswer }> {
  const { deps, context } = opened;
  const gates = audioGates(context.parameters, false);
  const heard = await deps.engine.processAudio(answer.sound.bytes, {
    ...callersSound(opened, answer),
    gates,
  });
  const audio = { ...recordOf(opened, { gkMediaSegmentId: '' }, purpose, heard), gkProcessedAudioId: '' };
  const prepared = { audio, isNew: false, spoof: {} };
  const { reference } = answer;
  const before = { validity: 'AUDIO_OK', ...(reference && { model: { voice: reference } }) } as const;
  const voice = compareVoices(opened, { reference: before, answer: audio }, 1);
  const asked: Asked = { prompt: answer.prompt, answeredAtMs: deps.clock.now(), field: 'live_call_id' };
  const failed = failuresOf(words, voice);
  return { run: { ...opened, prepared }, judged: { prepared, asked, words, voice, failed } };
}
