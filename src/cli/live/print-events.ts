// The events of a live call as lines, for people or for programs.
import type { CliIo } from '../io.js';
import type { OnEvent, SentEvent } from './follow-events.js';

export const STATE_WIDTH = 16;

export const printer =
  (io: CliIo, json: boolean | undefined): OnEvent =>
  (event) =>
    io.out(json ? JSON.stringify(event) : inWords(event));

function inWords(event: SentEvent): string {
  const { state = '', reason = '', netSpeech = '0s', risk, endReason, prompt } = event;
  const facts = [
    `${netSpeech} of speech`,
    ...(risk === undefined ? [] : [`risk ${risk}`]),
    reason.toLowerCase(),
    ...(prompt ? [promptInWords(prompt)] : []),
  ];
  return `${state.padEnd(STATE_WIDTH)} ${facts.join(', ')}${endReason ? ` (${endReason})` : ''}`;
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
