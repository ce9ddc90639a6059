// The events of a live call as lines, for people or for programs.
import type { SessionHeadlineJson } from '../../gen/voxgate/biosec/v1/assessment_pb.js';
import { text as words } from '../../words/english.js';
import { caveatNames, caveatWords, causeWords, headlineWord } from '../../words/tell.js';
import type { CliIo } from '../io.js';
import type { OnEvent, SentEvent } from './follow-events.js';

export const HEADLINE_WIDTH = 16;

export const printer =
  (io: CliIo, json: boolean | undefined): OnEvent =>
  (event) =>
    io.out(json ? JSON.stringify(event) : inWords(event));

function inWords(event: SentEvent): string {
  const { state = '', reason = '', netSpeech = '0s', risk, endReason, assessment, prompt } = event;
  // While nothing can be stored, only the state is known, and why.
  const known = assessment ?? { headline: `SESSION_HEADLINE_${state}` as SessionHeadlineJson };
  const facts = [
    `${netSpeech} of speech`,
    ...(risk === undefined ? [] : [`risk ${risk}`]),
    ...(assessment && endReason !== 'failed' ? causeWords(words, assessment) : [reason]),
    ...(prompt ? [promptInWords(prompt)] : []),
  ];
  return [
    `${headlineWord(words, known).padEnd(HEADLINE_WIDTH)} ${facts.join(', ')}${endReason ? ` (${endReason})` : ''}`,
    ...caveatNames(known).map((name) => caveatWords(words, known, name)),
  ].join('; ');
}

function promptInWords(prompt: NonNullable<SentEvent['prompt']>): string {
  const { state = '', expectedText = '', detectedText = '', reason = '', answerDelay } = prompt;
  const about = [
    `"${expectedText}"`,
    ...(reason ? [reason.toLowerCase()] : []),
    ...(detectedText ? [`heard "${detectedText}"`] : []),
    ...(answerDelay ? [`after ${answerDelay}`] : []),
  ];
  return `prompt ${state.replace('LIVE_PROMPT_STATE_', '').toLowerCase()}: ${about.join(', ')}`;
}
