// Whatever the server can refuse in a form has German words: its sentences are read from the sources, so that a new one without words
// is found here and not by a reader. And the words are those of the server: none is left over from a sentence that is gone.
import { expect, it } from 'vitest';
import { fieldWords, wholeWords } from '../../src/console/format/refusal.js';
import { wordsFor } from '../../src/console/format/said.js';
import { text as german } from '../../src/console/text/de/refusals.js';
import { text as english } from '../../src/console/text/en/refusals.js';
import { SAMPLE, serverSentences } from './server-sentences.js';

const { sentences, unread } = serverSentences();
/** Beside the lines of a manifest stands what they are about. */
const inner = (said: string): string => said.replace(/^(?:line \d+: )?(?:speaker_id |fraudster_id )?/, '');

it('can tell what the server says', () => {
  expect(sentences.length).toBeGreaterThan(250);
  // Of too few callers: the pages of accuracy have the words (server-words.test.ts).
  expect(unread).toEqual(['src/biometrics/accuracy/from-callers.ts: message']);
});

it('has German words for every sentence', () => {
  const silent = sentences.filter(
    ({ said }) => inner(said) !== SAMPLE && wordsFor(inner(said), german) === undefined,
  );
  expect(silent.map(({ said, file }) => `${file}: ${said}`)).toEqual([]);
});

it.each([
  ['de', german],
  ['en', english],
])('has no words for what the server does not say (%s)', (_language, { serverSays }) => {
  const shapes = sentences.map(
    ({ said }) =>
      new RegExp(
        `^${inner(said)
          .replace(/[.*+?^$()|[\]{}\\]/g, '\\$&')
          .replaceAll(SAMPLE, '.+')}$`,
      ),
  );
  const frames = [
    'line {1}: {2}',
    'speaker_id {1}',
    'fraudster_id {1}',
    'must begin with {1}',
    'is mandatory',
  ];
  const left = Object.keys(serverSays).filter(
    (said) => !frames.includes(said) && !shapes.some((shape) => shape.test(inner(said))),
  );
  expect(left).toEqual([]);
});

it('keeps places and ends of sentences', () => {
  for (const [said, words] of Object.entries(german.serverSays)) {
    const places = new Set(said.match(/\{\d\}/g));
    for (const place of words.match(/\{\d\}/g) ?? []) expect(places, words).toContain(place);
    expect(words, words).toMatch(/[.}]$/);
    expect(words, words).not.toMatch(/\b(?:du|dich|dir|deine?)\b/);
  }
});

it.each([
  ['must begin with https://', 'Die Adresse muss mit https:// beginnen.'],
  ['must begin with https:// or http://', 'Die Adresse muss mit https:// oder http:// beginnen.'],
  ['must have at most 128 characters', 'Höchstens 128 Zeichen sind möglich.'],
  ['must be from 0.5 to 2.5', 'Der Wert muss zwischen 0,5 und 2,5 liegen.'],
  ['must be from 0 (all channels) to 8', 'Der Kanal muss zwischen 0 (alle Kanäle) und 8 liegen.'],
  ['line 3: names no recording', 'Zeile 3: Es ist keine Aufnahme genannt.'],
  ['line 3: speaker_id is mandatory', 'Zeile 3: speaker_id: Dieses Feld ist erforderlich.'],
])('%s', (said, words) => {
  expect(wordsFor(said, german)).toBe(words);
});

it('shows the words of the catalogue, and the sentence of the server where there are none', () => {
  const refused = (message: string, field = 'url') =>
    fieldWords({ field: `voxgate.batch.v1.StartBatchRequest.${field}`, message, violation: 'OTHER' }, german);
  expect(refused('must begin with https://')).toBe('Die Adresse muss mit https:// beginnen.');
  expect(refused('is unheard of')).toBe('This is unheard of.');
  expect(refused('has no such speaker_id', 'manifest')).toBe('Has no such speaker_id.');
  expect(wholeWords('the last owner cannot be removed', german)).toBe(
    'Der letzte Eigentümer kann nicht entfernt werden.',
  );
  expect(wholeWords('the sky fell down', german)).toBe('The sky fell down.');
});
