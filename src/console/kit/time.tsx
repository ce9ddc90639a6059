// A moment as people say it; the exact time is one hover (or one long press) away.
import type { ReactNode } from 'react';
import { dateTime, exactTime, relativeTime } from '../format/text.js';

export function Time({
  at,
  relative = false,
  within = (time) => time,
}: {
  at: string | number | undefined;
  /** "3 minutes ago" instead of the date. */
  relative?: boolean;
  /** A sentence that it is part of. */
  within?: (time: string) => string;
}): ReactNode {
  const text = within(relative ? relativeTime(at) : dateTime(at));
  if (at === undefined || at === '') return text;
  return (
    <time dateTime={new Date(at).toISOString()} title={exactTime(at)}>
      {text}
    </time>
  );
}
