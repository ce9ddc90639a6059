// `voxgate bench spoof`: how well the attack detectors tell attacks from people.
import { shareWithInterval } from '../../voice/evaluation/binomial.js';
import { eerWithInterval, ratesAt } from '../../voice/evaluation/metrics.js';
import { percent } from '../../voice/evaluation/percent.js';
import { equalErrorOf } from '../../voice/evaluation/rates.js';
import type { Trial } from '../../voice/evaluation/arrange.js';
import type { Interval } from '../../voice/evaluation/metrics.js';
import type { ProcessedAudio, VoiceEngine } from '../../voice/engine.js';
import type { SpoofScore } from '../../voice/spoof/detector.js';
import { findRecordings, type Utterance } from '../recordings/corpus.js';
import { processFiles, withEngine } from '../recordings/engine.js';
import type { EngineFlags } from '../recordings/engine.js';
import type { CliIo } from '../io.js';
import { progressBar } from '../progress.js';
import { maskReports, maskText, type MaskReport } from './mask.js';

export interface SpoofFlags extends EngineFlags {
  bonafide: string;
  spoof: string;
  /** Recordings to join and mask; true: the default number. */
  mask?: string | true;
}

/** One folder below --bonafide or --spoof, judged by both detectors: an alarm is one of either. */
interface FolderReport {
  folder: string;
  side: 'bonafide' | 'spoof';
  recordings: number;
  alarms: number;
  /** Of the playback detector alone. */
  playback_alarms: number;
  /** The synthetic-speech detector (or, without one, the other) does not know. */
  low_reliability: number;
  /** Attacks of this folder against people: those of the folder of the same name where there is one, else all. */
  eer?: number;
  against?: number;
}

interface DetectorReport {
  trials: { bonafide: number; spoof: number };
  eer: Interval;
  /** Shares that the shipped threshold flags. */
  alarms: { bonafide: number; spoof: number };
  low_reliability: { bonafide: number; spoof: number };
  revision: string;
  experimental: boolean;
}

type Kind = 'synthetic' | 'playback';

interface Scored {
  attack: boolean;
  group: string;
  /** The first folder below the one that was named; empty at its top. */
  folder: string;
  spoof: ProcessedAudio['spoof'];
}

/**
 * One score for "any attack", relative to the alarm thresholds. Playback counts only once it raises its own
 * alarm: below that it ranks rooms and microphones, which would blur the order of synthetic speech.
 */
function combined({ synthetic, playback }: ProcessedAudio['spoof']): number | undefined {
  const above = (score: SpoofScore): number => score.llr - score.alarmLlr;
  if (!synthetic) return playback && above(playback);
  return playback?.alarm ? Math.max(above(synthetic), above(playback)) : above(synthetic);
}

function share(values: readonly boolean[]): number {
  return values.length === 0 ? 0 : values.filter(Boolean).length / values.length;
}

function detectorReport(kind: Kind, scored: readonly Scored[]): DetectorReport | undefined {
  const own = scored.flatMap(({ attack, group, spoof }) => {
    const score = spoof[kind];
    return score ? [{ attack, group, score }] : [];
  });
  const first = own[0];
  if (!first) return undefined;
  const trials: Trial[] = own.map(({ attack, group, score }) => ({
    score: score.llr,
    target: attack,
    groups: [group, group],
  }));
  const of = (attack: boolean) => own.filter((entry) => entry.attack === attack).map((entry) => entry.score);
  return {
    trials: { bonafide: of(false).length, spoof: of(true).length },
    eer: equalErrorOf(trials),
    alarms: { bonafide: share(of(false).map((s) => s.alarm)), spoof: share(of(true).map((s) => s.alarm)) },
    low_reliability: {
      bonafide: share(of(false).map((s) => !s.reliable)),
      spoof: share(of(true).map((s) => !s.reliable)),
    },
    revision: first.score.revision,
    experimental: first.score.experimental,
  };
}

/** What each folder gives on its own: a mean over all of them hides the one that always passes. */
function folderReports(scored: readonly Scored[]): FolderReport[] {
  const measure = ({ spoof }: Scored): SpoofScore | undefined => spoof.synthetic ?? spoof.playback;
  const isAlarm = ({ spoof }: Scored): boolean => Object.values(spoof).some((score) => score.alarm);
  const people = scored.filter((entry) => !entry.attack);
  const keys = [...new Set(scored.map(({ attack, folder }) => `${attack ? 'spoof' : 'bonafide'}:${folder}`))];
  return keys.sort().map((key) => {
    const side = key.startsWith('spoof:') ? 'spoof' : 'bonafide';
    const folder = key.slice(side.length + 1);
    const own = scored.filter((entry) => entry.attack === (side === 'spoof') && entry.folder === folder);
    const report: FolderReport = {
      folder,
      side,
      recordings: own.length,
      alarms: share(own.map(isAlarm)),
      playback_alarms: share(own.map(({ spoof }) => spoof.playback?.alarm ?? false)),
      low_reliability: share(own.map((entry) => !(measure(entry)?.reliable ?? false))),
    };
    if (side === 'bonafide') return report;
    const same = people.filter((entry) => entry.folder === folder);
    const against = same.length > 0 && folder !== '' ? same : people;
    const trials = [...against, ...own].map((entry): Trial => ({
      score: combined(entry.spoof) ?? 0,
      target: entry.attack,
      groups: [entry.group, entry.group],
    }));
    return { ...report, eer: eerWithInterval(trials, 1).value, against: against.length };
  });
}

const MASKED_DEFAULT = 60;

/** How many recordings to mask; 0: none. */
function maskedOf(mask: SpoofFlags['mask']): number {
  if (mask === undefined) return 0;
  const count = mask === true ? MASKED_DEFAULT : Number(mask);
  if (!Number.isInteger(count) || count < 1) throw new Error('--mask must be a whole number above 0');
  return count;
}

export async function benchSpoof(io: CliIo, flags: SpoofFlags): Promise<void> {
  const masked = maskedOf(flags.mask);
  const [people, attacks] = [findRecordings(flags.bonafide), findRecordings(flags.spoof)];
  await withEngine(io, flags, async (engine, workers) => {
    if (!engine.detectors.synthetic && !engine.detectors.playback)
      throw new Error('no attack detector among the models');
    const { scored, unusable } = await scoreSides(io, engine, workers, [people, attacks]);
    for (const { file, reason } of unusable.slice(0, 20)) io.err(`unusable: ${file}: ${reason}`);
    const trials: Trial[] = scored.map(({ attack, group, spoof }) => ({
      score: combined(spoof) ?? 0,
      target: attack,
      groups: [group, group],
    }));
    const counts = {
      bonafide: trials.filter((t) => !t.target).length,
      spoof: trials.filter((t) => t.target).length,
    };
    if (counts.bonafide === 0 || counts.spoof === 0)
      throw new Error('there must be usable recordings in both folders');
    const rates = ratesAt(trials, 0);
    const isUsable = ({ file }: Utterance): boolean => !unusable.some((other) => other.file === file);
    const sides = { people: people.filter(isUsable), attacks: attacks.filter(isUsable) };
    const report = {
      trials: counts,
      eer: equalErrorOf(trials),
      alarms: { bonafide: rates.falseAccept, spoof: 1 - rates.miss },
      ...Object.fromEntries(
        (['synthetic', 'playback'] as const).map((kind) => [kind, detectorReport(kind, scored)]),
      ),
      folders: folderReports(scored),
      unusable,
      ...(masked > 0 && { masked: await maskReports(io, engine, sides, masked) }),
    };
    io.out(flags.json ? JSON.stringify(report) : asText(report));
  });
}

/** Every recording of both sides, people first, by all detectors. */
async function scoreSides(
  io: CliIo,
  engine: VoiceEngine,
  workers: number,
  sides: readonly [people: Utterance[], attacks: Utterance[]],
): Promise<{ scored: Scored[]; unusable: { file: string; reason: string }[] }> {
  const scored: Scored[] = [];
  const unusable: { file: string; reason: string }[] = [];
  for (const [side, recordings] of sides.entries()) {
    const known = new Map(recordings.map((recording) => [recording.file, recording]));
    const progress = progressBar(io, side === 0 ? 'bona fide' : 'attacks', recordings.length);
    let done = 0;
    await processFiles(
      engine,
      workers,
      [...known.keys()],
      { spoof: { synthetic: true, playback: true }, treatAllAsSpeech: true },
      (file, result) => {
        progress(++done);
        const { speaker = '', name = file } = known.get(file) ?? {};
        if (result instanceof Error) unusable.push({ file, reason: result.message });
        else if (combined(result.spoof) === undefined)
          unusable.push({ file, reason: result.verdict.explanation });
        else
          scored.push({
            attack: side === 1,
            group: `${side}:${speaker || name}`,
            folder: speaker.split('/')[0] ?? '',
            spoof: result.spoof,
          });
      },
    );
  }
  return { scored, unusable };
}

function asText(report: {
  trials: DetectorReport['trials'];
  eer: Interval;
  alarms: DetectorReport['alarms'];
  synthetic?: DetectorReport;
  playback?: DetectorReport;
  folders: readonly FolderReport[];
  masked?: Partial<Record<Kind, MaskReport>>;
}): string {
  const fixed = (rate: number): string => percent(rate, 2);
  const among = (rate: number, count: number): string => {
    const { low, high } = shareWithInterval(Math.round(rate * count), count, 0.95);
    return `${fixed(rate)} (${fixed(low)} to ${fixed(high)})`;
  };
  const rows: [string, Pick<DetectorReport, 'eer' | 'alarms' | 'trials'> | undefined][] = [['either', report], ['synthetic', report.synthetic], ['playback', report.playback]]; // prettier-ignore
  return [
    `recordings  ${report.trials.bonafide} bona fide, ${report.trials.spoof} attacks`,
    ...rows.flatMap(([name, row]) =>
      row
        ? [
            `${name.padEnd(11)}${'experimental' in row && row.experimental ? ' (experimental)' : ''} EER ${fixed(row.eer.value)} (${fixed(row.eer.low)} to ${fixed(row.eer.high)}), alarms: ${among(row.alarms.bonafide, row.trials.bonafide)} of bona fide, ${among(row.alarms.spoof, row.trials.spoof)} of attacks`,
          ]
        : [],
    ),
    ...report.folders.map(
      (row) =>
        `${row.side === 'spoof' ? 'attacks' : 'people'}  ${row.folder || '(top)'}: ${String(row.recordings)} recordings, alarms ${fixed(row.alarms)} (playback ${fixed(row.playback_alarms)}), does not know ${fixed(row.low_reliability)}` +
        (row.eer === undefined ? '' : `, EER ${fixed(row.eer)} against ${String(row.against)} of people`),
    ),
    ...Object.entries(report.masked ?? {}).map(([kind, masked]) => maskText(kind, masked)),
  ].join('\n');
}
