// What is to be said beside a verdict: more of the same, and who was left out of the checks.
import type { DecisionJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import { t } from '../../text/sessions.js';
import type { Advice } from '../../text/tools.js';
import type { Marked } from '../biosec/session-words.js';

const text = t.session.verdict;

export type LeftOutMarks = Pick<Marked, 'leftOutCaller' | 'hasLeftOutMembers'>;

/** `beside`: in a sentence, where something else is to be said first. */
const callerWords: Readonly<Record<string, Advice & { beside?: string }>> = {
  CALLER: text.leftOut.CALLER,
  MIXED: text.leftOut.MIXED,
  UNKNOWN: text.leftOut.UNKNOWN,
  TOGETHER: text.leftOut.TOGETHER,
};

/** With who was left out: as all that is to be said where nothing else is open. */
export function withLeftOut(
  advice: Advice,
  { leftOutCaller, hasLeftOutMembers }: LeftOutMarks,
  beside: DecisionJson | 'clear' | undefined,
): Advice {
  if (beside === 'DECISION_FRAUD') return advice;
  const caller = callerWords[leftOutCaller ?? ''];
  const left = [...(caller ? [caller] : []), ...(hasLeftOutMembers ? [text.leftOut.members] : [])];
  const besides = left.map(({ title, beside: short = title }) => `${short}.`);
  const [first] = left;
  const start = first && beside === 'clear' ? { ...first } : advice;
  return besides.slice(start === advice ? 0 : 1).reduce(withMore, start);
}

export function withMore(advice: Advice, more: string): Advice {
  const { next, nextUnheard, nextUnkept, nextOver } = advice;
  return {
    ...advice,
    next: `${next} ${more}`,
    ...(nextUnheard && { nextUnheard: `${nextUnheard} ${more}` }),
    ...(nextUnkept && { nextUnkept: `${nextUnkept} ${more}` }),
    ...(nextOver && { nextOver: `${nextOver} ${more}` }),
  };
}
