// What to do next by an advice: nobody is told to do what they may not, or to listen where nothing was kept.
import type { Advice } from '../../text/tools.js';

export function nextStep(
  { next, nextUnheard, nextUnkept, nextOver }: Advice,
  { mayListen, isKept, isOver: isPast }: { mayListen: boolean; isKept: boolean; isOver: boolean },
): string {
  if (isPast && nextOver) return nextOver;
  if (mayListen && isKept) return next;
  // That somebody may not listen or check does not mean that there is nothing.
  if (isKept) return nextUnheard ?? nextUnkept ?? next;
  return nextUnkept ?? (mayListen ? undefined : nextUnheard) ?? next;
}
