// Wall clock time in an IANA zone. The zone's rules come from the runtime, so daylight saving time is right: an hour
// that is skipped never comes, one that is repeated counts twice, as on the clock at the wall.
import { DAY_MS } from '../platform.js';

interface LocalTime {
  /** YYYY-MM-DD. */
  date: string;
  /** The day before, for spans that run over midnight. */
  previousDate: string;
  minuteOfDay: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();
const FORMATS_MAX = 600;

export function isTimeZone(name: string): boolean {
  // Offsets such as +01:00 are accepted by some runtimes, but they have no daylight saving time.
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{1,63}$/.test(name)) return false;
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

export function localTime(timeZone: string, atMs: number): LocalTime {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, value]),
  );
  const part = (name: Intl.DateTimeFormatPartTypes): string => parts.get(name) ?? '0';
  const date = `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
  return {
    date,
    previousDate: new Date(Date.parse(`${date}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10),
    minuteOfDay: Number(part('hour')) * 60 + Number(part('minute')),
  };
}

/** 1 is Monday. */
export function weekdayOf(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay() || 7;
}

/** Whether the text names a day of the calendar: 2024-02-30 does not. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const parsed = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(text);
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  if (formats.size < FORMATS_MAX) formats.set(timeZone, made);
  return made;
}
