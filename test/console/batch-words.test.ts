// What the server says of a line of a batch has German words: its sentences are read from the sources, so that a new one without words is
// found here and not by a reader.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { wordsFor } from '../../src/console/format/said.js';
import { messageWords } from '../../src/console/pages/batches/line-words.js';
import { text as batches } from '../../src/console/text/de/batches.js';
import { text as refusals } from '../../src/console/text/de/refusals.js';
import { SourceFiles } from '../tidy/source-files.js';
import { SAMPLE } from './server-sentences.js';

const ROOT = join(import.meta.dirname, '..', '..');
const FOLDER = 'src/biometrics/batch';

const german = {
  serverSays: { ...refusals.serverSays, ...batches.serverSays },
  serverNumber: batches.serverNumber,
};

/** Notes for the log and for other programs, and pieces of what is found as a whole below. */
const notShown = new Set([
  'a line of a batch failed',
  'replaced by a batch',
  'taken back',
  'is empty',
  'is not audio in a format that can be read',
  'this: see batch.folder and batch.s3Prefixes',
  'anything outside of batch.folder',
]);
const putTogether = [
  'is empty: a.wav',
  'is not audio in a format that can be read: a.wav',
  'batches may not read this: see batch.folder and batch.s3Prefixes',
  'batches may not read anything outside of batch.folder',
  'not uploaded: a.wav',
  'the recording has no channel 3',
];

/** Whatever has words in it and is no import; where something is put in stands a sample. */
function sentencesIn(file: string, files: SourceFiles): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isStringLiteralLike(node)) found.push(node.text);
    if (ts.isTemplateExpression(node))
      found.push(node.head.text + node.templateSpans.map(({ literal }) => SAMPLE + literal.text).join(''));
    ts.forEachChild(node, visit);
  };
  visit(files.get(file).tree);
  // Of several parts each has its words.
  return found
    .map((said) => said.replace(/^; |(?<= used)7$/g, ''))
    .filter((said) => /[a-z]{2}.* [a-z]/.test(said) && !notShown.has(said));
}

const files = new SourceFiles(ROOT);
const said = [
  ...readdirSync(join(ROOT, FOLDER)).map((file) => `${FOLDER}/${file}`),
  'src/compose/recordings.ts',
]
  .flatMap((file) => sentencesIn(file, files))
  .filter((each) => each !== `batches may not read ${SAMPLE}`);
files.forget();

it('finds what the server says of lines', () => {
  expect(said).toContain('the manifest says that there is no consent');
  expect(said).toContain(`${SAMPLE} of ${SAMPLE} recordings were used`);
  expect(said.length).toBeGreaterThan(18);
});

it.each([...new Set([...said, ...putTogether])])('has German words for: %s', (sentence) => {
  expect(wordsFor(sentence, german)).toMatch(/\w/);
});

it.each([
  [
    '3 of 3 recordings were used; together with line 2',
    '3 von 3 Aufnahmen wurden verwendet; zusammen mit Zeile 2',
  ],
  ['there is no such recording: calls/a_b 1.5.wav', 'Diese Aufnahme gibt es nicht: calls/a_b 1.5.wav'],
  [
    '2 recordings; is empty: A.wav; probably too few: a print needs 3',
    '2 Aufnahmen; diese Aufnahme ist leer: A.wav; wahrscheinlich zu wenige: ein Stimmabdruck braucht 3',
  ],
  [
    '1 of at least 3 recordings with 2.5 of at least 12.0 seconds of speech',
    '1 von mindestens 3 Aufnahmen mit 2,5 von mindestens 12,0 Sekunden Sprache',
  ],
  ['something new', 'Something new'],
])('%s', (sentence, words) => {
  expect(messageWords(sentence, german)).toBe(words);
});

it.each([
  ['the manifest says that there is no consent', 'The manifest says that there is no consent'],
  [
    'recordings were not accepted: AUDIO_TOO_SHORT, AUDIO_TOO_NOISY; no print can be made from these recordings',
    'Recordings were not used: Too little speech, Too much background noise; no print can be made from these recordings',
  ],
  ['is empty: a_b.wav', 'This recording is empty: a_b.wav'],
  ['', ''],
])('reads in English: %s', (sentence, words) => {
  expect(messageWords(sentence)).toBe(words);
});
