// Deutsch: was der Server ablehnt.
import { german } from '../../../words/server/german.js';
import type { text as en } from '../en/refusals.js';
import { germanNumbers } from '../tools.js';

export const text: typeof en = {
  said: german,
  predicates: new Set(),
  // Namen sind keine Zahlen.
  valueWords: (value) => (/^-?\d+\.\d+%?$/.test(value) ? germanNumbers(value) : value),
};
