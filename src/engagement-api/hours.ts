// Whether hours of operation are open at an instant. A date with exceptions has those instead of its weekday's spans;
// a span belongs to the date it starts on, so one that began yesterday goes on after midnight whatever today says.
import { localTime, weekdayOf } from './local-time.js';
import type { HoursOfOperation, Span } from './model.js';

const DAY_MINUTES = 1440;

export function isOpen(hours: HoursOfOperation, atMs: number): boolean {
  const { date, previousDate, minuteOfDay } = localTime(hours.timeZone, atMs);
  return (
    spansOf(hours, date).some(
      (span) => minuteOfDay >= span.startMinute && minuteOfDay < endOnFirstDay(span),
    ) || spansOf(hours, previousDate).some((span) => runsOverMidnight(span) && minuteOfDay < span.endMinute)
  );
}

function spansOf(hours: HoursOfOperation, date: string): Span[] {
  const exceptions = hours.exceptions.filter((each) => each.date === date);
  if (exceptions.length > 0) return exceptions.flatMap((each) => (each.closed ? [] : [each]));
  const weekday = weekdayOf(date);
  return hours.spans.filter((span) => span.weekday === weekday);
}

function runsOverMidnight({ startMinute, endMinute }: Span): boolean {
  return endMinute <= startMinute;
}

function endOnFirstDay(span: Span): number {
  return runsOverMidnight(span) ? DAY_MINUTES : span.endMinute;
}
