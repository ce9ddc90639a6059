// An answer to a prompt: which prompt it is for, and what was said in it.
import { AppError } from '../../errors.js';
import { authenticationRisk } from '../../voice/scoring/risk.js';
import type { AnswerHeard } from '../../voice/engine.js';
import type { WordsHeard } from '../../voice/words/model.js';
import {
  PROMPT_EXPIRED,
  WORDS_NO_MATCH,
  type FailedAnswer,
  type Prompt,
  type RefusedPrompt,
} from '../model/prompts.js';
import type { Decision, SpoofReason } from '../model/outcome.js';
import type { Parameters } from '../model/parameters.js';
import type { BiometricsTransaction } from '../ports/store.js';
import { rawFormatOf, requireUploaded } from '../rules/media-for-engine.js';
import { PROMPT_LANGUAGE, promptFor } from '../rules/prompted-words.js';
import type { PreparedAudio } from './audio-input.js';
import type { OpenedCall } from './opened-call.js';
import { say } from '../../words/server/say.js';

/** There are ten thousand answers of four digits: more of one in a day are not told apart. */
const SAME_WORDS_MAX = 100;

/** The prompt that an answer is for. */
export interface Asked {
  prompt: Prompt;
  answeredAtMs: number;
  field: string;
}

function refusedPrompt(refused: RefusedPrompt, field: string): AppError {
  const said = say(refused);
  return new AppError('INVALID_REQUEST', `${field}: ${said.message}`, {
    fields: [{ field, violation: 'OTHER', ...said }],
    diagnostics: [{ code: refused }],
  });
}

/** `isOwnText`: the words need not be a prompt; they are one only if this very session was asked for them. */
export async function findPrompt(
  { deps, context }: OpenedCall,
  answer: { words: readonly string[]; field: string; isOwnText: boolean },
  gkPersonId: string | undefined,
): Promise<Asked | undefined> {
  const { gkScopeId, session } = context;
  const { field } = answer;
  const { gkSessionId } = session;
  const known = await deps.store.read.prompts.listByWords(gkScopeId, answer.words.join(' '), SAME_WORDS_MAX);
  const meant = answer.isOwnText ? known.filter((prompt) => prompt.gkSessionId === gkSessionId) : known;
  const found = promptFor(meant, { gkSessionId, gkPersonId });
  if ('prompt' in found) return { prompt: found.prompt, answeredAtMs: deps.clock.now(), field };
  const { refused } = found;
  if (answer.isOwnText && refused === 'PROMPT_UNKNOWN') return undefined;
  throw refusedPrompt(refused, field);
}

/** In the transaction that records the answer, whatever it says: no prompt is answered twice. */
export async function usePrompt(
  tx: BiometricsTransaction,
  { prompt, answeredAtMs, field }: Asked,
): Promise<void> {
  if (!(await tx.prompts.use(prompt.promptId, answeredAtMs))) throw refusedPrompt('PROMPT_USED', field);
}

/** From the moment at which the prompt was issued. */
export const answerMsOf = ({ prompt, answeredAtMs }: Asked): number => answeredAtMs - prompt.issuedAtMs;

/** Audio that could make the words unreliable is not scored. */
export const RELIABLE = 100;

/** Of one recording. */
export interface JudgedWords {
  decision: Extract<Decision, 'AUTHENTIC' | 'NO_MATCH' | 'UNCERTAIN'>;
  /** What is wrong with the audio. */
  reason: SpoofReason;
  failed?: FailedAnswer;
  risk?: number;
  heard?: WordsHeard;
}

export async function judgeWords(
  { deps, call, context }: OpenedCall,
  { audio, media }: PreparedAudio,
  expected: readonly string[],
  asked?: Asked,
): Promise<JudgedWords> {
  if (!media) throw new Error('an answer has a recording');
  requireUploaded(media);
  const raw = rawFormatOf(media);
  const heard = await deps.engine.hearWords(
    deps.mediaBytes.read(media),
    {
      language: PROMPT_LANGUAGE,
      expected,
      ...(audio.selectedChannel !== undefined && { channel: audio.selectedChannel }),
      ...(raw && { raw }),
      client: call.caller.clientId,
      ...(call.deadlineAtMs !== undefined && { deadlineAtMs: call.deadlineAtMs }),
    },
    call.signal,
  );
  const words = usableWords(heard, context.parameters);
  if (words) return { ...decideWords(words, context.parameters, asked), heard: words };
  const { validity } = heard.verdict;
  const isUsable = validity === 'AUDIO_OK' || validity === 'MULTIPLE_SPEAKERS_DETECTED';
  return { decision: 'UNCERTAIN', reason: isUsable ? 'AUDIO_TOO_SHORT' : validity };
}

/** Digits that were recognized were said, even if too little of the sound was taken for speech. */
export function usableWords(
  { verdict: { validity }, words }: AnswerHeard,
  { promptedWords: { scoreMin } }: Parameters,
): WordsHeard | undefined {
  if (!words || validity === 'AUDIO_OK') return words;
  return validity === 'AUDIO_TOO_SHORT' && words.score >= scoreMin ? words : undefined;
}

export function decideWords(
  { score }: WordsHeard,
  { promptedWords: { scoreMin } }: Parameters,
  asked?: Pick<Asked, 'prompt' | 'answeredAtMs'>,
): JudgedWords {
  const risk = authenticationRisk(score, scoreMin);
  const isLate = asked !== undefined && asked.answeredAtMs > asked.prompt.expiresAtMs;
  const failed = score < scoreMin ? WORDS_NO_MATCH : isLate ? PROMPT_EXPIRED : undefined;
  if (failed) return { decision: 'NO_MATCH', reason: 'AUDIO_OK', failed, risk };
  return { decision: 'AUTHENTIC', reason: 'AUDIO_OK', risk };
}
