// Describes a revision in the reader's language if the product itself wrote the description: in its
// templates, or for a reader of another language. People's own text stays as it is.
import { num, shareWords } from '../../text/tools.js';
import { t } from '../../text/accuracy.js';
import { t as alarmThresholds } from '../../text/alarm-thresholds.js';

/** Descriptions as the console writes them in its languages (`threshold.description` of the catalogues). */
const written = [
  /^Verified from score (-?[\d.,]+): false accepts ([\d.,]+)\s?% measured, ([\d.,]+)\s?% by the calibration \(target ([\d.,]+)\s?%\)$/,
  /^Verifiziert ab Wert (-?[\d.,]+): Falschakzeptanzen ([\d.,]+)\s?% gemessen, ([\d.,]+)\s?% nach der Kalibrierung \(Ziel ([\d.,]+)\s?%\)$/,
];
/** As earlier versions wrote them: they stated the target as if it had been measured. */
const writtenBefore = [
  /^Verified from score (-?[\d.,]+): false accepts ([\d.,]+)\s?%$/,
  /^Verifiziert ab Wert (-?[\d.,]+): Falschakzeptanzen ([\d.,]+)\s?%$/,
];

export function aboutRevision(description: string): string {
  const shipped = t.revisions.shipped[description];
  if (shipped !== undefined) return shipped;
  for (const pattern of written) {
    const [, score, measured, calibrated, target] = pattern.exec(description) ?? [];
    if (score && measured && calibrated && target)
      return t.threshold.description(
        inLocale(score),
        rateInLocale(measured),
        rateInLocale(calibrated),
        rateInLocale(target),
      );
  }
  const lines = [...description.matchAll(fromOwnCallers)];
  if (fromOwnAlarms.test(description) && lines.length > 0)
    return alarmThresholds.kept(lines.map(lineOf).join(', '));
  for (const pattern of writtenBefore) {
    const [, score, target] = pattern.exec(description) ?? [];
    if (score && target) return t.threshold.descriptionOfTarget(inLocale(score), rateInLocale(target));
  }
  return description;
}

/** As the server writes it when alarm thresholds come from callers. */
const fromOwnAlarms = /^Alarm (?:thresholds|lines) for synthetic speech from own callers: /;
const fromOwnCallers = /(telephone|wide band) (\d+) \((\d+) calls of (\d+) callers\)/g;

const lineOf = ([, band, risk, calls, callers]: RegExpMatchArray): string =>
  alarmThresholds.keptLine(
    alarmThresholds.bands[band === 'telephone' ? 'narrow' : 'wide'] ?? '',
    Number(risk),
    Number(calls),
    Number(callers),
  );

/** As the server writes it when thresholds come from callers. */
const fromCallers = /^From (\d+) callers against (?:prints|the voiceprints) of (\d+) people \((\d+) pairs\)$/;

/** Undefined if people wrote it. */
export function aboutCalibration(
  description: string,
  words = t.calibrations.fromCallers,
): string | undefined {
  const [, ...numbers] = fromCallers.exec(description) ?? [];
  const [callers, owners, pairs] = numbers.map(Number);
  return callers === undefined || owners === undefined || pairs === undefined
    ? undefined
    : words(callers, owners, pairs);
}

const DECIMAL_MARK = num(0.5, 1).replace(/\d/g, '');
const inLocale = (number: string): string => number.replace(/[.,]/, DECIMAL_MARK);
const rateInLocale = (rate: string): string => shareWords(Number(rate.replace(',', '.')) / 100);
