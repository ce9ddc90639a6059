// Describes a revision in the reader's language if the product itself wrote the description: in its
// templates, or for a reader of another language. People's own text stays as it is.
import { num, shareWords } from '../../text/tools.js';
import { t } from '../../text/accuracy.js';
import { t as alarmThresholds } from '../../text/alarm-thresholds.js';

/** Descriptions as the console writes them in its languages (`threshold.description` of the catalogues), and as earlier versions did. */
const written = [
  /^For (?<target>[\d.,]+)\s?% false accepts: verified from score (?<score>-?[\d.,]+) \((?<measured>[\d.,]+)\s?% measured\)$/,
  /^Für (?<target>[\d.,]+)\s?% Falschakzeptanzen: verifiziert ab Wert (?<score>-?[\d.,]+) \((?<measured>[\d.,]+)\s?% gemessen\)$/,
  /^Verified from score (?<score>-?[\d.,]+): false accepts (?<measured>[\d.,]+)\s?% measured, [\d.,]+\s?% by the calibration \(target (?<target>[\d.,]+)\s?%\)$/,
  /^Verifiziert ab Wert (?<score>-?[\d.,]+): Falschakzeptanzen (?<measured>[\d.,]+)\s?% gemessen, [\d.,]+\s?% nach der Kalibrierung \(Ziel (?<target>[\d.,]+)\s?%\)$/,
  // They stated the target as if it had been measured.
  /^Verified from score (?<score>-?[\d.,]+): false accepts (?<target>[\d.,]+)\s?%$/,
  /^Verifiziert ab Wert (?<score>-?[\d.,]+): Falschakzeptanzen (?<target>[\d.,]+)\s?%$/,
];

/** What somebody asked for when they saved a revision. */
interface Asked {
  /** A share of false accepts. */
  target: number;
  score: number;
  measured: number | undefined;
}

/** Undefined if it was not saved with a threshold that was found here. */
export function askedFor(description: string): Asked | undefined {
  for (const pattern of written) {
    const { target, score, measured } = pattern.exec(description)?.groups ?? {};
    if (target && score)
      return {
        target: plain(target) / 100,
        score: plain(score),
        measured: measured ? plain(measured) / 100 : undefined,
      };
  }
  return undefined;
}

const plain = (number: string): number => Number(number.replace(',', '.'));

export function aboutRevision(description: string): string {
  const shipped = t.revisions.shipped[description];
  if (shipped !== undefined) return shipped;
  const asked = askedFor(description);
  if (asked) {
    const [target, score] = [shareWords(asked.target), num(asked.score, 2)];
    return asked.measured === undefined
      ? t.threshold.descriptionOfTarget(target, score)
      : t.threshold.description(target, score, shareWords(asked.measured));
  }
  const lines = [...description.matchAll(fromOwnCallers)];
  if (fromOwnAlarms.test(description) && lines.length > 0)
    return alarmThresholds.kept(lines.map(lineOf).join(', '));
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
