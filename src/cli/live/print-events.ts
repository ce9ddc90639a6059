// The events of a live call as lines, for people or for programs.
import type { CliIo } from '../io.js';
import type { OnEvent, SentEvent } from './follow-events.js';

export const STATE_WIDTH = 16;

export const printer =
  (io: CliIo, json: boolean | undefined): OnEvent =>
  (event) =>
    io.out(json ? JSON.stringify(event) : inWords(event));

function inWords({ state = '', reason = '', netSpeech = '0s', risk, endReason }: SentEvent): string {
  const facts = [
    `${netSpeech} of speech`,
    ...(risk === undefined ? [] : [`risk ${risk}`]),
    reason.toLowerCase(),
  ];
  return `${state.padEnd(STATE_WIDTH)} ${facts.join(', ')}${endReason ? ` (${endReason})` : ''}`;
}
