// The next step of an advice, without anything the user may not do, and without listening if nothing was
// kept.
import type { Advice } from '../../text/tools.js';

export function nextStep(
  { next, nextUnheard, nextUnkept, nextOver }: Advice,
  { mayListen, isKept, isOver: isPast }: { mayListen: boolean; isKept: boolean; isOver: boolean },
): string {
  if (isPast && nextOver) return nextOver;
  if (mayListen && isKept) return next;
  // A user who may not listen or check must not conclude that there is nothing.
  if (isKept) return nextUnheard ?? nextUnkept ?? next;
  return nextUnkept ?? (mayListen ? undefined : nextUnheard) ?? next;
}
