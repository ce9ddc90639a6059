// A time in everyday words; the exact time appears on hover or long press.
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
  /** Embeds the time in a sentence. */
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
