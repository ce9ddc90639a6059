// What the server says against a result has German words, and numbers keep their places; every sentence that the server can say is known.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { aboutCalibration, aboutRevision } from '../../src/console/pages/accuracy/about-revision.js';
import { aboutGroup } from '../../src/console/pages/accuracy/group-warnings.js';
import { warningWords } from '../../src/console/pages/accuracy/server-words.js';
import { text as german } from '../../src/console/text/de/accuracy.js';
import { text as english } from '../../src/console/text/en/accuracy.js';
import { factoryTemplates } from '../../src/biometrics/configsets/factory-templates.js';

it.each([
  ['only 3 trials of the same speaker: intervals are rough', /^Nur 3 Vergleiche derselben Person/],
  ['a rate of 1% needs at least 100 trials of different speakers; there are 10', /1 % .* 100 .* 10\.$/],
  ['3 speakers are too few: a threshold needs at least 10', /^3 Personen sind zu wenige: .* 10\.$/],
  ['it would reject 62.5% of the right people', /^Sie würde 62,5\s% /],
  [
    'a config set goes no lower than score -0.12, which means 50% false accepts with the calibration in use: aim for a lower rate',
    /Wert -0,12 hinab, .* 50\s% /,
  ],
  [
    'a config set goes no higher than score 9.81, which means 0.001% false accepts with the calibration in use: aim for a higher rate',
    /Wert 9,81 hinauf, .* 0,001\s% /,
  ],
  [
    'score -0.93 would be enough for these voices, but 12 people do not represent all strangers: the suggestion goes no lower than the score that means 10% false accepts with the calibration in use',
    /Wert -0,93 genügen, aber 12 Personen .* 10\s% /,
  ],
  ['3 callers are too few: thresholds need at least 10', /^3 Anrufer sind zu wenige/],
  ['Voiceprints of 3 people are too few: thresholds need at least 10.', /^Stimmabdrücke von 3 Personen/],
  [
    '156 pairs of strangers (13 callers, voiceprints of 13 people) are too few: thresholds need at least 200',
    /^156 Paare von Fremden \(13 Anrufer, .* 13 Personen\) .* 200\.$/,
  ],
  [
    'these may be one person under two names: HV28 and HV46 (score 13.82); here they count as strangers, which raises the shares that are accepted',
    /^Vielleicht eine Person .*: HV28 und HV46 \(Wert 13,82\)/,
  ],
  [
    'the new threshold for 1% accepts 1.83% of these strangers: more than it promises',
    /^Die neue Schwelle für 1\s% akzeptiert 1,83\s% dieser Fremden: mehr/,
  ],
  [
    'the new threshold for 0.5% accepts 1.47% of these strangers, more than it promises; 2.34% when half of the people set it for the other half',
    /für 0,5\s% akzeptiert 1,47\s% dieser Fremden, mehr, als sie verspricht; 2,34\s%, wenn eine Hälfte/,
  ],
  [
    'the new threshold for 1% accepts 1.47% of these strangers, but 2.34% when half of the people set it for the other half: more than it promises',
    /für 1\s% akzeptiert 1,47\s% dieser Fremden, aber 2,34\s%, wenn eine Hälfte .*: mehr, als sie verspricht\.$/,
  ],
  [
    'few errors (false accepts: 1, false rejects: 2): GARBE and the ratios say little',
    /^Wenige Fehler \(Falschakzeptanzen: 1, Falschablehnungen: 2\): GARBE /,
  ],
  [
    'en: only 1 speaker, 5 trials of the same speaker, 12 trials of different speakers; its rates say little',
    /^en: nur eine Person, 5 Vergleiche derselben Person, 12 Vergleiche verschiedener Personen; die Raten/,
  ],
  ['fewer than two groups: there is nothing to compare', /^Weniger als zwei Gruppen/],
  ['2 trials were left out: their sides are of no group, or of two', /^2 Vergleiche blieben außen vor/],
  ['The scores of these strangers do not differ.', /^Die Werte dieser Fremden/],
  ['only the newest 5000 voiceprints were used; 7 were left out', /5000 .*; 7 blieben/],
])('%s', (said, words) => {
  expect(warningWords(said, german)).toMatch(words);
  expect(warningWords(said)).toBeUndefined();
});

it.each([
  ['FEMALE', 'FEMALE: only 1 speaker; its rates say little', 'Weiblich: nur eine Person; die Raten '],
  ['en', 'en: only 2 speakers; its rates say little', 'en: nur 2 Personen; die Raten '],
  ['a: only b', 'a: only b: only 1 speaker; its rates say little', 'a: only b: nur eine Person; die Raten '],
  ['en', 'fewer than two groups: there is nothing to compare', undefined],
])('writes the name of %s as the table does', (group, warning, words) => {
  const nameOf = (name: string): string => german.fairness.genders[name] ?? name;
  const found = aboutGroup(warning, ['a', group], nameOf);
  if (words === undefined) expect(found).toBeUndefined();
  else expect(`${found?.name}${warningWords(found?.said ?? '', german)}`).toContain(words);
});

/** What stands where something is put in differs; the rest is the sentence. */
const shape = (text: string): string =>
  text.replace(/\$\{[^`]*?\}(?=[^}]|$)|\{\d\}/g, '#').replace(/\d+/g, '#');

it('knows every sentence of the server', () => {
  const known = new Set(Object.keys(german.serverSays).map(shape));
  const files = [
    ...['evaluate', 'assess-threshold', 'from-callers', 'caller-trials', 'caller-warnings', 'own-trials'].map(
      (file) => `biometrics/accuracy/${file}`,
    ),
    'voice/evaluation/fairness',
  ];
  const said = files.flatMap((file) => {
    const source = readFileSync(new URL(`../../src/${file}.ts`, import.meta.url), 'utf8');
    return [...source.matchAll(/(?:warnings|objections)\.push\(\s*(['`])((?:(?!\1).)*)\1/gs)].map(
      ([, , text = '']) => text,
    );
  });
  expect(said.length).toBeGreaterThan(8);
  expect(said.filter((text) => !/speakers === 1/.test(text) && !known.has(shape(text)))).toEqual([]);
});

it('says in German what comes with the product, and leaves what people wrote', () => {
  for (const { description } of factoryTemplates) expect(german.revisions.shipped[description]).toMatch(/\w/);
  const said = ['-1.21', '0.505%', '10%', '1%'] as const;
  const saved =
    'Verified from score -1.21: false accepts 0.505% measured, 10% by the calibration (target 1%)';
  expect(english.threshold.description(...said)).toBe(saved);
  expect(aboutRevision(saved)).toBe(saved);
  expect(
    aboutRevision(
      'Alarm thresholds for synthetic speech from own callers: telephone 471 (193 calls of 25 callers), wide band 261 (123 calls of 65 callers)',
    ),
  ).toBe(
    'Alarm thresholds for synthetic speech from own callers: Telephone speech 471 (193 calls of 25 callers), Wide-band speech 261 (123 calls of 65 callers)',
  );
  expect(aboutRevision(german.threshold.description('-1,21', '0,505\u00a0%', '10\u00a0%', '1\u00a0%'))).toBe(
    saved,
  );
  // Of what was wanted earlier revisions said that it is so.
  for (const before of [
    'Verifiziert ab Wert 1,83: Falschakzeptanzen 0,5 %',
    'Verified from score 1.83: false accepts 0.5%',
  ])
    expect(aboutRevision(before)).toBe('Verified from score 1.83 (target: 0.5% false accepts)');
  expect(aboutRevision('For the hotline')).toBe('For the hotline');
});

it('says in German where thresholds of callers come from, as the server writes it', () => {
  const source = readFileSync(
    new URL('../../src/biometrics/accuracy/from-callers.ts', import.meta.url),
    'utf8',
  );
  const [, written = ''] = /description: `([^`]*)`/.exec(source) ?? [];
  const said = ['18', '16', '272'].reduce((text, number) => text.replace(/\$\{\w+\}/, number), written);
  expect(aboutCalibration(said, german.calibrations.fromCallers)).toBe(
    'Aus 18 Anrufern gegen die Stimmabdrücke von 16 Personen (272 Paare)',
  );
  expect(aboutCalibration(said)).toBe('From 18 callers against the voiceprints of 16 people (272 pairs)');
  expect(aboutCalibration('For the hotline')).toBeUndefined();
});
