// What `voxgate bench spoof` says about the recordings that it heard: both detectors together, each of them, and every
// folder, with the intervals that so few recordings allow.
import type { ProcessedAudio } from '../../voice/engine.js';
import type { Trial } from '../../voice/evaluation/arrange.js';
import { shareWithInterval } from '../../voice/evaluation/binomial.js';
import { ratesAt, type Interval } from '../../voice/evaluation/metrics.js';
import { percent } from '../../voice/evaluation/percent.js';
import { equalErrorOf } from '../../voice/evaluation/rates.js';
import type { SpoofScore } from '../../voice/spoof/detector.js';

export interface Scored {
  attack: boolean;
  /** Path below the folder that was named. */
  name: string;
  /** Everything above the file name. */
  speaker: string;
  /** The first folder below the one that was named; empty at its top. */
  folder: string;
  spoof: ProcessedAudio['spoof'];
}

type Bounds = Pick<Interval, 'low' | 'high'>;

/** One folder below --bonafide or --spoof, judged by both detectors: an alarm is one of either. */
interface FolderReport {
  folder: string;
  side: 'bonafide' | 'spoof';
  recordings: number;
  alarms: number;
  alarms_interval: Bounds;
  /** Of the playback detector alone. */
  playback_alarms: number;
  /** The synthetic-speech detector (or, without one, the other) does not know. */
  low_reliability: number;
  /** It says that this is no attack, and neither raises an alarm. */
  cleared: number;
  cleared_interval: Bounds;
  /** Attacks of this folder against people: those of the folder of the same name where there is one, else all. */
  eer?: number;
  eer_interval?: Bounds;
  against?: number;
}

interface Shares {
  bonafide: number;
  spoof: number;
}

interface DetectorReport {
  trials: Shares;
  eer: Interval;
  /** Shares that the shipped threshold flags. */
  alarms: Shares;
  low_reliability: Shares;
  /** Shares that it calls no attack. */
  cleared: Shares;
  revision: string;
  experimental: boolean;
}

type Kind = 'synthetic' | 'playback';

interface SpoofReport {
  trials: Shares;
  eer: Interval;
  alarms: Shares;
  synthetic?: DetectorReport;
  playback?: DetectorReport;
  folders: FolderReport[];
}

const LEVEL = 0.95;

/**
 * One score for "any attack", relative to the alarm thresholds. Playback counts only once it raises its own
 * alarm: below that it ranks rooms and microphones, which would blur the order of synthetic speech.
 */
export function combined({ synthetic, playback }: ProcessedAudio['spoof']): number | undefined {
  const above = (score: SpoofScore): number => score.llr - score.alarmLlr;
  if (!synthetic) return playback && above(playback);
  return playback?.alarm ? Math.max(above(synthetic), above(playback)) : above(synthetic);
}

function share(values: readonly boolean[]): number {
  return values.length === 0 ? 0 : values.filter(Boolean).length / values.length;
}

const isCleared = (score: SpoofScore): boolean => score.reliable && !score.alarm;

/** Recordings of one folder share a voice or a system, so they are drawn together; those at the top each for themselves. */
const trialOf = ({ attack, name, speaker }: Scored, score: number, alone: boolean): Trial => {
  const group = `${attack ? 1 : 0}:${alone || speaker === '' ? name : speaker}`;
  return { score, target: attack, groups: [group, group] };
};

function detectorReport(kind: Kind, scored: readonly Scored[]): DetectorReport | undefined {
  const own = scored.flatMap((entry) => {
    const score = entry.spoof[kind];
    return score ? [{ entry, score }] : [];
  });
  const first = own[0];
  if (!first) return undefined;
  const sides = (holds: (score: SpoofScore) => boolean): Shares => {
    const of = (attack: boolean) =>
      share(own.filter(({ entry }) => entry.attack === attack).map(({ score }) => holds(score)));
    return { bonafide: of(false), spoof: of(true) };
  };
  return {
    trials: countsOf(own.map(({ entry }) => entry)),
    eer: equalErrorOf(own.map(({ entry, score }) => trialOf(entry, score.llr, false))),
    alarms: sides((score) => score.alarm),
    low_reliability: sides((score) => !score.reliable),
    cleared: sides(isCleared),
    revision: first.score.revision,
    experimental: first.score.experimental,
  };
}

function countsOf(scored: readonly Scored[]): Shares {
  const spoof = scored.filter(({ attack }) => attack).length;
  return { bonafide: scored.length - spoof, spoof };
}

const boundsOf = (values: readonly boolean[]): Bounds => {
  const { low, high } = shareWithInterval(values.filter(Boolean).length, values.length, LEVEL);
  return { low, high };
};

/** What each folder gives on its own: a mean over all of them hides the one that always passes. */
function folderReports(scored: readonly Scored[]): FolderReport[] {
  const keys = [...new Set(scored.map(({ attack, folder }) => `${attack ? 'spoof' : 'bonafide'}:${folder}`))];
  return keys.sort().map((key) => {
    const side = key.startsWith('spoof:') ? 'spoof' : 'bonafide';
    const folder = key.slice(side.length + 1);
    const own = scored.filter((entry) => entry.attack === (side === 'spoof') && entry.folder === folder);
    const report = folderReport(folder, side, own);
    const people = scored.filter((entry) => !entry.attack);
    return side === 'bonafide' ? report : { ...report, ...equalErrorOfFolder(folder, own, people) };
  });
}

function folderReport(
  folder: string,
  side: FolderReport['side'],
  own: readonly Scored[],
): Omit<FolderReport, 'eer'> {
  const measure = ({ spoof }: Scored): SpoofScore | undefined => spoof.synthetic ?? spoof.playback;
  const isAlarm = ({ spoof }: Scored): boolean => Object.values(spoof).some((score) => score.alarm);
  const alarms = own.map(isAlarm);
  const cleared = own.map((entry) => {
    const score = measure(entry);
    return score !== undefined && isCleared(score) && !isAlarm(entry);
  });
  return {
    folder,
    side,
    recordings: own.length,
    alarms: share(alarms),
    alarms_interval: boundsOf(alarms),
    playback_alarms: share(own.map(({ spoof }) => spoof.playback?.alarm ?? false)),
    low_reliability: share(own.map((entry) => !(measure(entry)?.reliable ?? false))),
    cleared: share(cleared),
    cleared_interval: boundsOf(cleared),
  };
}

/** Within one folder recordings are drawn by its own folders, or each for itself where it has none. */
function equalErrorOfFolder(
  folder: string,
  own: readonly Scored[],
  people: readonly Scored[],
): Required<Pick<FolderReport, 'eer' | 'eer_interval' | 'against'>> {
  const same = people.filter((entry) => entry.folder === folder);
  const against = same.length > 0 && folder !== '' ? same : people;
  const { value, low, high } = equalErrorOf(
    [...against, ...own].map((entry) =>
      trialOf(entry, combined(entry.spoof) ?? 0, entry.speaker === entry.folder),
    ),
  );
  return { eer: value, eer_interval: { low, high }, against: against.length };
}

export function spoofReport(scored: readonly Scored[]): SpoofReport {
  const trials = scored.map((entry) => trialOf(entry, combined(entry.spoof) ?? 0, false));
  const counts = countsOf(scored);
  if (counts.bonafide === 0 || counts.spoof === 0)
    throw new Error('there must be usable recordings in both folders');
  const rates = ratesAt(trials, 0);
  return {
    trials: counts,
    eer: equalErrorOf(trials),
    alarms: { bonafide: rates.falseAccept, spoof: 1 - rates.miss },
    ...Object.fromEntries(
      (['synthetic', 'playback'] as const).map((kind) => [kind, detectorReport(kind, scored)]),
    ),
    folders: folderReports(scored),
  };
}

/** One line for each recording, as CSV: what every detector scores and what a check answers by it. */
export function scoresTable(scored: readonly Scored[]): string {
  const quoted = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const answer = (score: SpoofScore): string => {
    if (!score.reliable) return 'low_reliability';
    return score.alarm ? 'alarm' : 'clear';
  };
  const cells = (score: SpoofScore | undefined): string[] =>
    score ? [score.llr.toFixed(4), score.alarmLlr.toFixed(4), answer(score), `${score.spans.length}`] : ['', '', '', '']; // prettier-ignore
  const columns = ['llr', 'alarm_llr', 'answer', 'spans'];
  const heading = ['side', 'recording', ...columns.map((column) => `synthetic_${column}`), ...columns.map((column) => `playback_${column}`)]; // prettier-ignore
  const rows = scored.map(({ attack, name, spoof }) => [
    attack ? 'spoof' : 'bonafide',
    quoted(name),
    ...cells(spoof.synthetic),
    ...cells(spoof.playback),
  ]);
  return `${[heading, ...rows].map((row) => row.join(',')).join('\n')}\n`;
}

const fixed = (rate: number): string => percent(rate, 2);
const between = ({ low, high }: Bounds): string => `(${fixed(low)} to ${fixed(high)})`;

function folderText(row: FolderReport): string {
  return (
    `${row.side === 'spoof' ? 'attacks' : 'people'}  ${row.folder || '(top)'}: ${String(row.recordings)} recordings, ` +
    `alarms ${fixed(row.alarms)} ${between(row.alarms_interval)}, of playback ${fixed(row.playback_alarms)}; ` +
    `does not know ${fixed(row.low_reliability)}; all-clear ${fixed(row.cleared)} ${between(row.cleared_interval)}` +
    (row.eer === undefined || !row.eer_interval
      ? ''
      : `; EER ${fixed(row.eer)} ${between(row.eer_interval)} against ${String(row.against)} of people`)
  );
}

export function asText(report: SpoofReport): string {
  const among = (rate: number, count: number): string =>
    `${fixed(rate)} ${between(shareWithInterval(Math.round(rate * count), count, LEVEL))}`;
  const rows: [string, Pick<DetectorReport, 'eer' | 'alarms' | 'trials'> | undefined][] = [['either', report], ['synthetic', report.synthetic], ['playback', report.playback]]; // prettier-ignore
  return [
    `recordings  ${report.trials.bonafide} bona fide, ${report.trials.spoof} attacks`,
    ...rows.flatMap(([name, row]) =>
      row
        ? [
            `${name.padEnd(11)}${'experimental' in row && row.experimental ? ' (experimental)' : ''} EER ${fixed(row.eer.value)} ${between(row.eer)}, alarms: ${among(row.alarms.bonafide, row.trials.bonafide)} of bona fide, ${among(row.alarms.spoof, row.trials.spoof)} of attacks`,
          ]
        : [],
    ),
    ...report.folders.map(folderText),
  ].join('\n');
}
