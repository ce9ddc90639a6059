// What the product itself wrote into descriptions is told in the reader's language; what people wrote stays.
import { expect, it } from 'vitest';
import {
  aboutCalibration,
  aboutRevision,
  askedFor,
} from '../../src/console/pages/accuracy/about-revision.js';
import { text as german } from '../../src/console/text/de/accuracy.js';
import { text as english } from '../../src/console/text/en/accuracy.js';
import { factoryTemplates } from '../../src/biometrics/configsets/factory-templates.js';

it('says in German what comes with the product, and leaves what people wrote', () => {
  for (const { description } of factoryTemplates) expect(german.revisions.shipped[description]).toMatch(/\w/);
  const saved = 'For 1% false accepts: verified from score -1.21 (0.505% measured)';
  expect(english.threshold.description('1%', '-1.21', '0.505%')).toBe(saved);
  expect(askedFor(saved)).toEqual({ target: 0.01, score: -1.21, measured: 0.00505 });
  for (const same of [
    saved,
    german.threshold.description('1\u00a0%', '-1,21', '0,505\u00a0%'),
    'Verified from score -1.21: false accepts 0.505% measured, 10% by the calibration (target 1%)',
    'Verifiziert ab Wert -1,21: Falschakzeptanzen 0,505\u00a0% gemessen, 10\u00a0% nach der Kalibrierung (Ziel 1\u00a0%)',
  ])
    expect(aboutRevision(same)).toBe(saved);
  expect(
    aboutRevision(
      'Alarm thresholds for synthetic speech from own callers: telephone 471 (193 calls of 25 callers), wide band 261 (123 calls of 65 callers)',
    ),
  ).toBe(
    'Alarm thresholds for synthetic speech from own callers: Telephone speech 471 (193 calls of 25 callers), Wide-band speech 261 (123 calls of 65 callers)',
  );
  // Of what was wanted earlier revisions said that it is so.
  for (const before of [
    'Verifiziert ab Wert 1,83: Falschakzeptanzen 0,5 %',
    'Verified from score 1.83: false accepts 0.5%',
  ])
    expect(aboutRevision(before)).toBe('For 0.5% false accepts: verified from score 1.83');
  expect(aboutRevision('For the hotline')).toBe('For the hotline');
});

it('says in German where thresholds of callers come from', () => {
  const said = 'From 18 callers against the voiceprints of 16 people (272 pairs)';
  expect(aboutCalibration(said, german.calibrations.fromCallers)).toBe(
    'Aus 18 Anrufern gegen die Stimmabdrücke von 16 Personen (272 Paare)',
  );
  expect(aboutCalibration(said)).toBe(said);
  expect(aboutCalibration('For the hotline')).toBeUndefined();
});
