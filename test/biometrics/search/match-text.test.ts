// What a search finds, text by text.
import { expect, it } from 'vitest';
import { matcherOf, searchable } from '../../../src/biometrics/search/match-text.js';

const person = ['p-4', 'Grete Müller', '+49 (30) 555-0123'];

it.each([
  ['mülL', true],
  ['MULLER', true],
  ['e mu', true],
  ['  grete ', true],
  ['030 5550123', true],
  ['0049305550123', true],
  ['30/555', true],
  ['55', true],
  // Too few digits to be told apart from any other number, and not as it is written.
  ['05', false],
  ['5550124', false],
  // The end of one text and the beginning of the next are not one text.
  ['p-4grete', false],
  ['p-4\ngrete', false],
  ['nobody', false],
])('looks for %j', (query, isFound) => {
  expect(matcherOf(query)(searchable(person))).toBe(isFound);
});

it('takes no number out of the identifiers of the system', () => {
  const known = searchable(['4a000000-0000-4000-8000-000001234567', undefined, '']);
  expect(matcherOf('1234567')(known)).toBe(true);
  expect(matcherOf('4000 8000')(known)).toBe(false);
});
