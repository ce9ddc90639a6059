// Additions to a verdict: who was left out of the checks.
import type { DecisionJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import { t } from '../../text/sessions.js';
import type { Advice } from '../../text/tools.js';
import type { Marked } from '../biosec/session-words.js';

const text = t.session.verdict;

export type LeftOutMarks = Pick<Marked, 'leftOutCaller' | 'hasLeftOutMembers' | 'withoutClaimed'>;

/** `beside`: a shorter form, for after another sentence. */
const callerWords: Readonly<Record<string, Advice & { beside?: string }>> = {
  CALLER: text.leftOut.CALLER,
  MIXED: text.leftOut.MIXED,
  UNKNOWN: text.leftOut.UNKNOWN,
  TOGETHER: text.leftOut.TOGETHER,
};

export function claimWords(claimed: string): Advice & { beside: string } {
  const { badge: _badge, title, beside, ...words } = text.leftOut.claimed;
  return { ...words, title: title(claimed), beside: beside(claimed) };
}

/** Adds who was left out; if nothing else is open, that becomes the whole advice. */
export function withLeftOut(
  advice: Advice,
  { leftOutCaller, hasLeftOutMembers, withoutClaimed, claimed = '' }: LeftOutMarks & { claimed?: string },
  beside: DecisionJson | 'clear' | undefined,
): Advice {
  const caller = callerWords[leftOutCaller ?? ''];
  // Beside an alarm it does not matter who was left out of the checks, but who called still does.
  const isAlarm = beside === 'DECISION_FRAUD';
  const left = [
    ...(withoutClaimed ? [claimWords(claimed)] : []),
    ...(caller && !isAlarm ? [caller] : []),
    ...(hasLeftOutMembers && !isAlarm ? [text.leftOut.members] : []),
  ];
  const besides = left.map(({ title, beside: short = title }) => `${short}.`);
  const [first] = left;
  const start = first && beside === 'clear' ? { ...first } : advice;
  return besides.slice(start === advice ? 0 : 1).reduce(withMore, start);
}

export function withMore(advice: Advice, more: string): Advice {
  const { next, nextUnheard, nextUnkept, nextOver, nextJudged } = advice;
  return {
    ...advice,
    next: next ? `${next} ${more}` : more,
    ...(nextUnheard && { nextUnheard: `${nextUnheard} ${more}` }),
    ...(nextUnkept && { nextUnkept: `${nextUnkept} ${more}` }),
    ...(nextOver && { nextOver: `${nextOver} ${more}` }),
    ...(nextJudged && { nextJudged: `${nextJudged} ${more}` }),
  };
}
