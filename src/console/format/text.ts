// Values as text: times and numbers in the reader's format, enum names as words, long ids shortened.
import { LOCALE } from '../text/language.js';
import { t } from '../text/shell.js';

/** `AGENT_STATE_BUSY` with prefix `AGENT_STATE` becomes `Busy`: for codes that no catalogue knows. */
export function words(value: string | undefined, prefix = ''): string {
  if (!value) return t.none;
  const bare = prefix !== '' && value.startsWith(`${prefix}_`) ? value.slice(prefix.length + 1) : value;
  const text = bare.toLowerCase().replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function fullName(details: { firstName?: string; lastName?: string } | undefined): string {
  return [details?.firstName, details?.lastName].filter(Boolean).join(' ');
}

type Moment = string | number | undefined;

export function dateTime(value: Moment): string {
  if (value === undefined || value === '') return t.none;
  return new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(value));
}

/** To the second and with its zone, for comparing it with other records. */
export function exactTime(value: Moment): string {
  if (value === undefined || value === '') return '';
  return new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full', timeStyle: 'long' }).format(new Date(value));
}

export function clockTime(value: Moment): string {
  if (value === undefined || value === '') return '';
  return new Intl.DateTimeFormat(LOCALE, { timeStyle: 'medium' }).format(new Date(value));
}

/** By the reader's calendar. */
export const isSameDay = (one: Moment, other: Moment): boolean =>
  one === undefined || other === undefined || new Date(one).toDateString() === new Date(other).toDateString();

/** "3 minutes ago", "in 2 hours". */
export function relativeTime(value: Moment, now = Date.now()): string {
  if (value === undefined || value === '') return t.never;
  const seconds = (new Date(value).getTime() - now) / 1000;
  const format = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' });
  const units = [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ] as const;
  for (const [unit, size] of units)
    if (Math.abs(seconds) >= size) return format.format(Math.round(seconds / size), unit);
  return format.format(Math.round(seconds), 'second');
}

/** JSON form of a protobuf Duration ("2.5s") in seconds. */
export function durationSeconds(value: string | undefined): number {
  return value === undefined ? 0 : Number.parseFloat(value) || 0;
}

/** A number in the contract's JSON, which writes non-finite numbers as words. */
export function finite(value: number | string | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function shortId(value: string | undefined): string {
  if (value === undefined || value === '') return t.none;
  // The prefix says what kind of thing it is: `engagement-4e457fa6…`.
  const [prefix = ''] = /^[a-z]+-(?=[0-9a-f]{8}-)/.exec(value) ?? [];
  const shown = prefix.length + 8;
  return value.length > shown + 4 ? `${value.slice(0, shown)}…` : value;
}

/** The same extension exists at many hosts; a number of this length is unique worldwide. */
const PUBLIC_DIGITS_MIN = 7;

/**
 * A telephone number by its digits, however it is written or passed on: `+49 170 …`, `0049170…`, `+49 (0)170
 * …`, `tel:+49170…` and `sip:+49170…@host` are the same. A value with hardly any digits (the address of a
 * voice-over-IP call, a name) stands for itself.
 */
export function numberKey(value: string | undefined): string {
  const whole = (value ?? '').trim();
  const [number = '', host] = whole
    .replace(/^(tel|sips?|callto):(\/\/)?/i, '')
    .replace(/[;?].*$/s, '')
    .split('@');
  const digits = /[a-z]/i.test(number) ? '' : number.replace('(0)', '').replace(/\D/g, '').replace(/^0+/, '');
  return digits.length >= (host === undefined ? 3 : PUBLIC_DIGITS_MIN) ? digits : folded(whole);
}

/** The query for other spellings: without the parts that are written in different ways. */
export function numberQuery(value: string): string {
  const key = numberKey(value);
  return /^\d+$/.test(key) ? key.slice(-PUBLIC_DIGITS_MIN) : value;
}

/**
 * The caller has withheld the number (RFC 3323, and what telephone systems send for it): many strangers share
 * it.
 */
export const isWithheld = (value: string): boolean =>
  /^(sips?:|tel:)?("?)(anonymous|unknown|private|restricted|withheld|unavailable|blocked)\2(@.*)?$/i.test(
    value.trim(),
  );

/** As people search: without accents and case. */
export function folded(value: string): string {
  return value.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
