// The next step of an advice, without anything the user may not do, and without listening if nothing was
// kept.
import type { Advice } from '../../text/tools.js';

export function nextStep(
  { next, nextUnheard, nextUnkept, nextOver, nextJudged }: Advice,
  {
    mayListen,
    isKept,
    isOver: isPast,
    isJudged,
  }: Record<'mayListen' | 'isKept' | 'isOver' | 'isJudged', boolean>,
): string {
  if (isJudged && nextJudged) return nextJudged;
  if (isPast && nextOver) return nextOver;
  if (mayListen && isKept) return next;
  // A user who may not listen or check must not conclude that there is nothing.
  if (isKept) return nextUnheard ?? nextUnkept ?? next;
  return nextUnkept ?? (mayListen ? undefined : nextUnheard) ?? next;
}
