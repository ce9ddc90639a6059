// The answer to a prompt: which of its words were said, by whose voice, and how soon.
import type { ReactNode } from 'react';
import type { TimelineEventJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { Badge } from '../../kit/layout.js';
import { t as checks } from '../../text/checks.js';
import { t as shell } from '../../text/shell.js';
import { evidenceWords } from './advice.js';
import { saidIn } from './said-words.js';

const text = checks.prompt;

const wordsIn = (said: string): string[] => said.split(' ').filter(Boolean);

/** Each word with its mark; without marks if it is not known what was said. */
function SaidWords({ expected, said }: { expected: readonly string[]; said: readonly boolean[] }): ReactNode {
  return (
    <ul className="row prompt-words">
      {expected.map((word, at) => {
        const isSaid = said[at];
        return (
          // eslint-disable-next-line react/no-array-index-key -- they never change places
          <li key={at}>
            {isSaid === undefined ? (
              <Badge plain>{word}</Badge>
            ) : (
              <Badge tone={isSaid ? 'good' : 'bad'}>
                {word}: {isSaid ? text.said : text.notHeard}
              </Badge>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** Reasons of answers in which all words were said. */
const wordsWereSaid: ReadonlySet<string> = new Set([
  'PROMPT_PASSED',
  'WORDS_MATCH',
  'VOICE_NO_MATCH',
  'PROMPT_EXPIRED',
]);

/** Of an event that is an answer to a prompt; others have none. */
export function answerFacts({
  reason = '',
  attributes = {},
}: Pick<TimelineEventJson, 'reason' | 'attributes'>): (readonly [string, ReactNode])[] {
  const { expected = '', detected, voiceScore, wordsScore } = attributes;
  // In a running call from the end of the prompt, otherwise from when it was drawn.
  const delayMs = attributes['delayMs'] ?? attributes['answerMs'];
  if (expected === '') return [];
  const words = wordsIn(expected);
  // An answer can also be too late, or in another voice, without any words that could be scored.
  const isScored = wordsScore !== undefined || reason === 'WORDS_MATCH';
  const said =
    wordsWereSaid.has(reason) && isScored
      ? words.map(() => true)
      : detected === undefined
        ? []
        : saidIn(words, wordsIn(detected));
  return [
    [text.asked, <SaidWords key="asked" expected={words} said={said} />],
    ...(detected !== undefined && detected !== expected
      ? [[text.heard, <span key="heard">{detected || shell.none}</span>] as const]
      : []),
    ...(voiceScore === undefined ? [] : [[text.voice, evidenceWords(Number(voiceScore))] as const]),
    ...(delayMs === undefined ? [] : [[text.delay, text.seconds(Number(delayMs) / 1000)] as const]),
  ];
}
