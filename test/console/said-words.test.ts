// What the server says, as readers of both languages see it: by code and parameters, as they come over the wire.
import { create, toJson } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import { fieldWords, saidWords, wholeWords } from '../../src/console/format/refusal.js';
import { messageWords } from '../../src/console/pages/batches/line-words.js';
import { warningWords } from '../../src/console/pages/accuracy/warning-words.js';
import { text as german } from '../../src/console/text/de/refusals.js';
import { text as english } from '../../src/console/text/en/refusals.js';
import { LocalizedMessageSchema, type LocalizedMessageJson } from '../../src/gen/vendor/rpc/status_pb.js';
import { localized } from '../../src/transport/status.js';
import { english as sentences } from '../../src/words/server/english.js';
import { inEnglish, say, type Said } from '../../src/words/server/say.js';

const wire = (said: Said): LocalizedMessageJson =>
  toJson(LocalizedMessageSchema, create(LocalizedMessageSchema, localized(said)));

it.each(Object.entries(sentences))('has a place for all that stands in %s', (code, sentence) => {
  const places = new Set(sentence.match(/\{\w+\}/g));
  for (const words of [german.said[code] ?? '', english.said[code] ?? '']) {
    for (const place of words.match(/\{\w+\}/g) ?? []) expect(places).toContain(place);
    expect(words).not.toMatch(/\b(?:du|dich|dir|deine?)\b/);
  }
});

it.each([
  [say('NOT_HTTPS'), 'Die Adresse muss mit https:// beginnen.'],
  [say('TOO_MANY_CHARACTERS', { max: 128 }), 'Höchstens 128 Zeichen sind möglich.'],
  [say('OUT_OF_RANGE', { min: 0.5, max: 2.5 }), 'Der Wert muss zwischen 0,5 und 2,5 liegen.'],
  [say('ON_LINE', { line: 3, fault: say('NO_RECORDING') }), 'Zeile 3: Es ist keine Aufnahme genannt.'],
  [
    say('ON_LINE', { line: 3, fault: say('SPEAKER_ID', { fault: say('MANDATORY') }) }),
    'Zeile 3: speaker_id: Dieses Feld ist erforderlich.',
  ],
  [say('NO_SUCH_RECORDING', { recording: 'calls/a_b 1.5.wav' }), /: calls\/a_b 1\.5\.wav$/],
  [say('REJECTS_RIGHT_PEOPLE', { share: '62.5%' }), /^Sie würde 62,5\s% /],
  [
    say('FEW_IN_GROUP', {
      group: 'en',
      few: say('LISTED', { first: say('ONE_SPEAKER'), next: say('TARGET_TRIALS', { count: 5 }) }),
    }),
    /^en: nur eine Person, 5 Vergleiche derselben Person; /,
  ],
])('%j in German', (said, words) => {
  const shown = saidWords(wire(said), german);
  if (typeof words === 'string') expect(shown).toBe(words);
  else expect(shown).toMatch(words);
});

it('shows the words of the catalogue, and the sentence of the server where there are none', () => {
  const refused = (said: Said, field = 'url', words = german) =>
    fieldWords(
      {
        field: `voxgate.batch.v1.StartBatchRequest.${field}`,
        message: said.message,
        userMessage: wire(said),
        violation: 'OTHER',
      },
      words,
    );
  expect(refused(say('NOT_HTTPS'))).toBe('Die Adresse muss mit https:// beginnen.');
  expect(refused(say('NOT_A_SCOPE'), 'scope', english)).toBe('This is not a runtime scope.');
  expect(refused(say('NOT_HTTPS'), 'url', english)).toBe('Must begin with https://.');
  expect(refused(inEnglish('unheard of'))).toBe('Unheard of.');
  expect(refused(inEnglish('has no such speaker_id'), 'manifest')).toBe('Has no such speaker_id.');
  expect(wholeWords(wire(say('LAST_OWNER')), german)).toBe(
    'Der letzte Eigentümer kann nicht entfernt werden.',
  );
  expect(wholeWords(wire(inEnglish('the sky fell down')), german)).toBe('The sky fell down.');
});

it('tells what became of a line in parts, and codes by their names', () => {
  const shown = (...said: Said[]) => messageWords({ said: said.map(wire) });
  expect(shown(say('NO_CONSENT'))).toBe('The manifest says that there is no consent');
  expect(
    shown(
      say('RECORDINGS_NOT_ACCEPTED', { reasons: 'AUDIO_TOO_SHORT, AUDIO_TOO_NOISY' }),
      say('NO_PRINT_MADE'),
    ),
  ).toBe(
    'Recordings were not used: Too little speech, Too much background noise; no print can be made from these recordings',
  );
  expect(shown(say('RECORDING_EMPTY', { recording: 'a_b.wav' }))).toBe('This recording is empty: a_b.wav');
  // Results of earlier versions have the sentence alone.
  expect(messageWords({ message: 'something old' })).toBe('Something old');
  expect(messageWords({})).toBe('');
});

it('writes the name of a group as the table does', () => {
  const few = say('FEW_IN_GROUP', { group: 'FEMALE', few: say('ONE_SPEAKER') });
  expect(warningWords(wire(few), () => 'Women')).toBe('Women: only 1 speaker; its rates say little.');
});
