// Helpers for texts: numbers in the reader's format, and words that agree with a count.
import { LOCALE } from './language.js';

const plurals = new Intl.PluralRules(LOCALE);

/** A number in the reader's format. */
export const num = (value: number | bigint, digits?: number): string =>
  new Intl.NumberFormat(LOCALE, {
    maximumFractionDigits: digits ?? 3,
    ...(digits === undefined ? {} : { minimumFractionDigits: digits }),
  }).format(value);

/** Numbers far below one keep their first digits: 0.00012. */
export const smallNum = (value: number): string =>
  new Intl.NumberFormat(LOCALE, { maximumSignificantDigits: 3 }).format(value);

/** 0.015 as `1.5%`. */
export const percent = (share: number, digits = 2): string =>
  new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: digits }).format(share);

/** Three significant digits, however small the share is. */
export const shareWords = (share: number): string => percent(Number(share.toPrecision(3)), 6);

/** The server's 1.5% and 0.25 in German notation. */
export const germanNumbers = (said: string): string =>
  said.replace(/(\d)\.(\d)/g, '$1,$2').replace(/(\d)\s?%/g, '$1\u00a0%');

/** `many(3, '# session', '# sessions')` */
export const many = (count: number, one: string, other: string): string =>
  (plurals.select(count) === 'one' ? one : other).replace('#', num(count));

/** What happened, and what to do next. */
export interface Advice {
  title: string;
  next: string;
  /** For users who may not listen to recordings. */
  nextUnheard?: string;
  /** If no recording was kept; also for users who may not listen, if there is nothing else for them. */
  nextUnkept?: string;
  /** If the call is over, and nobody can be asked any more. */
  nextOver?: string;
  /** If the outcome has been recorded since. */
  nextJudged?: string;
}
