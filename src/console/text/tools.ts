// What texts are made with: numbers as the reader writes them, and words that agree with a count.
import { LOCALE } from './language.js';

const plurals = new Intl.PluralRules(LOCALE);

/** A number as the reader writes it. */
export const num = (value: number | bigint, digits?: number): string =>
  new Intl.NumberFormat(LOCALE, {
    maximumFractionDigits: digits ?? 3,
    ...(digits === undefined ? {} : { minimumFractionDigits: digits }),
  }).format(value);

/** What is far below one keeps its first digits: 0.00012. */
export const smallNum = (value: number): string =>
  new Intl.NumberFormat(LOCALE, { maximumSignificantDigits: 3 }).format(value);

/** 0.015 as `1.5%`. */
export const percent = (share: number, digits = 2): string =>
  new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: digits }).format(share);

/** Three digits that count, however small the share is. */
export const shareWords = (share: number): string => percent(Number(share.toPrecision(3)), 6);

/** What the server writes as 1.5% and 0.25, as German has it. */
export const germanNumbers = (said: string): string =>
  said.replace(/(\d)\.(\d)/g, '$1,$2').replace(/(\d)\s?%/g, '$1\u00a0%');

/** `many(3, '# session', '# sessions')` */
export const many = (count: number, one: string, other: string): string =>
  (plurals.select(count) === 'one' ? one : other).replace('#', num(count));

/** What happened, and what to do next. */
export interface Advice {
  title: string;
  next: string;
  /** For those who may not listen to recordings. */
  nextUnheard?: string;
  /** Where no recording was kept; also for those who may not listen, where there is nothing else for them. */
  nextUnkept?: string;
  /** Where the call is over, and nobody can be asked any more. */
  nextOver?: string;
}
