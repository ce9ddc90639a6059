// How opening hours are written on the command line: mon-fri=09:00-17:00, 2024-12-25=closed.
import type { DateException, Span, Weekday, WeeklySpan } from '../../engagement-api/model.js';
import { AppError } from '../../errors.js';
import { inEnglish } from '../../words/server/say.js';

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** One span per day of the range, which may run over the end of the week: fri-mon. */
export function parseWeekly(text: string): WeeklySpan[] {
  const match = /^([a-z]{3})(?:-([a-z]{3}))?=(.+)$/.exec(text.toLowerCase());
  const first = days.indexOf(match?.[1] ?? '');
  const last = match?.[2] === undefined ? first : days.indexOf(match[2]);
  const span = parseSpan(match?.[3] ?? '');
  if (first < 0 || last < 0 || !span)
    throw new AppError(
      'INVALID_REQUEST',
      inEnglish(`--open must look like mon-fri=09:00-17:00, not ${text}`),
    );
  const count = ((last - first + days.length) % days.length) + 1;
  return Array.from({ length: count }, (_, index) => ({
    weekday: (((first + index) % days.length) + 1) as Weekday,
    ...span,
  }));
}

export function parseException(text: string): DateException {
  const equals = text.indexOf('=');
  const date = text.slice(0, Math.max(0, equals));
  const rest = text.slice(equals + 1).toLowerCase();
  if (rest === 'closed') return { date, closed: true };
  const span = parseSpan(rest);
  if (!span)
    throw new AppError(
      'INVALID_REQUEST',
      inEnglish(`--exception must look like 2024-12-25=closed or 2024-12-24=09:00-12:00, not ${text}`),
    );
  return { date, closed: false, ...span };
}

function parseSpan(text: string): Span | undefined {
  const match = /^(\d{2}):(\d{2})-(\d{2}):(\d{2})$/.exec(text);
  if (!match) return undefined;
  const [, startHour, startMinute, endHour, endMinute] = match.map(Number);
  if (Math.max(startMinute ?? 60, endMinute ?? 60) > 59) return undefined;
  const end = (endHour ?? 0) * 60 + (endMinute ?? 0);
  // Midnight as an end is the end of the day.
  return { startMinute: (startHour ?? 0) * 60 + (startMinute ?? 0), endMinute: end === 0 ? 1440 : end };
}
