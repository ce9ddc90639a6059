// Matches as people search: without accents and case, and a telephone number however it is written.
import { folded } from '../rules/fold-text.js';

/** The texts of one entry, prepared for searching: folded once instead of with every search. */
export interface Searchable {
  folded: string;
  digits: string;
}

const DIGITS_MIN = 3;
/** Between two texts, so that no match spans both. */
const BETWEEN = '\n';
const identifier = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

export function searchable(texts: readonly (string | undefined)[]): Searchable {
  const known = texts.filter((text) => text !== undefined && text !== '') as string[];
  // The digits of a system identifier are next to each other only by chance.
  const numbers = known.filter((text) => !identifier.test(text)).map(digitsOf);
  return {
    folded: known.map(folded).join(BETWEEN),
    digits: numbers.filter((digits) => digits.length >= DIGITS_MIN).join(BETWEEN),
  };
}

/** The first of texts that were folded together. */
export function firstOf(folded: string): string {
  const end = folded.indexOf(BETWEEN);
  return end < 0 ? folded : folded.slice(0, end);
}

/** Whether a text begins with the query. */
export function beginningWith(query: string): (text: string) => boolean {
  const sought = folded(query.trim());
  return (text) => folded(text).startsWith(sought);
}

/**
 * Whether any of the texts contains the query; a number also matches if its spaces and signs differ, or if it
 * was written with a leading 0 or 00 instead of + and a country.
 */
export function matcherOf(query: string): (known: Searchable) => boolean {
  const sought = folded(query.trim()).replaceAll(BETWEEN, ' ');
  const digits = /^[\d\s()+./-]+$/.test(sought) ? digitsOf(sought).replace(/^0+/, '') : '';
  const isNumber = digits.length >= DIGITS_MIN;
  return (known) => known.folded.includes(sought) || (isNumber && known.digits.includes(digits));
}
