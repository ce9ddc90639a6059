// `voxgate bench accuracy`: how well the shipped model tells speakers apart on a folder of recordings.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../errors.js';
import { cllr, eerWithInterval, minDcf, operatingPoints, ratesAt } from '../../voice/evaluation/metrics.js';
import type { Interval } from '../../voice/evaluation/metrics.js';
import { percent } from '../../voice/evaluation/percent.js';
import { detPlot, scorePlot } from '../../voice/evaluation/plots.js';
import type { SpeakerModel } from '../../voice/scoring/speaker-model.js';
import { allPairs, findRecordings, readTrials } from '../recordings/corpus.js';
import type { Utterance } from '../recordings/corpus.js';
import { withEngine } from '../recordings/engine.js';
import type { EngineFlags } from '../recordings/engine.js';
import { defaultParameters } from '../../biometrics/model/parameters.js';
import { liveCheckpointsMs } from '../../biometrics/rules/checkpoints.js';
import { callsText, reportCalls, type CallsReport } from './as-calls.js';
import { fairnessReports, fairnessText, type FairnessReport } from './fairness.js';
import { equalErrorOf } from '../../voice/evaluation/rates.js';
import { readLabels } from './groups.js';
import type { CliIo } from '../io.js';
import { measureRecordings, scorePairs, type Scored } from '../recordings/scored-corpus.js';

export interface AccuracyFlags extends EngineFlags {
  corpus: string;
  trials?: string;
  out?: string;
  groups?: string;
  groupBy?: string;
  far?: string;
}

interface Slice {
  name: string;
  target: number;
  impostor: number;
  eer: number;
}

interface AccuracyReport {
  /** Absent with a list of trials, and where no two people have four recordings. */
  as_calls?: CallsReport;
  trials: { target: number; impostor: number };
  eer: Interval;
  min_dcf: number;
  cllr: number;
  /** Measured false-accept rates at the shipped thresholds, in the order of `thresholds`. */
  far: number[];
  thresholds: { far_target: number; llr: number; far: number; frr: number }[];
  by_net_speech: Slice[];
  by_condition: Slice[];
  model: string;
  recordings: {
    used: number;
    without_speech: string[];
    unusable: { file: string; reason: string }[];
    unknown_in_trials: number;
  };
  plots: string[];
  /** One for each column of labels, at the threshold that `--far` names. */
  fairness?: FairnessReport[];
}

/** Of the report by group, if none is named. */
const GROUPS_FAR = 0.01;

/** At most so many rows without recordings are named. */
const NAMED_MAX = 10;

function slice(name: string, trials: readonly Scored[]): Slice {
  const target = trials.filter((trial) => trial.target).length;
  return { name, target, impostor: trials.length - target, eer: eerWithInterval(trials, 0).value };
}

/** Slices with trials of both kinds; the others say nothing. */
const slices = (trials: readonly Scored[], cuts: readonly [string, (trial: Scored) => boolean][]): Slice[] =>
  cuts
    .map(([name, within]) => slice(name, trials.filter(within)))
    .filter((s) => s.target > 0 && s.impostor > 0);

function accuracyOf(
  model: SpeakerModel,
  scored: readonly Scored[],
): Omit<AccuracyReport, 'recordings' | 'plots'> {
  const target = scored.filter((trial) => trial.target).length;
  if (target === 0 || target === scored.length)
    throw new Error('there must be trials of the same and of different speakers');
  const seconds: readonly [string, number, number][] = [['under 2 s', 0, 2], ['2-3 s', 2, 3], ['3-6 s', 3, 6], ['6-10 s', 6, 10], ['10 s and more', 10, Infinity]]; // prettier-ignore
  const thresholds = model.thresholds.map(({ far, llr }) => {
    const rates = ratesAt(scored, llr);
    return { far_target: far, llr, far: rates.falseAccept, frr: rates.miss };
  });
  return {
    trials: { target, impostor: scored.length - target },
    eer: equalErrorOf(scored),
    min_dcf: minDcf(operatingPoints(scored)),
    cllr: cllr(scored),
    far: thresholds.map((point) => point.far),
    thresholds,
    by_net_speech: slices(
      scored,
      seconds.map(([name, low, high]) => [
        name,
        (t: Scored) => t.netMs >= 1000 * low && t.netMs < 1000 * high,
      ]),
    ),
    by_condition: slices(scored, [
      ['wide band', (t) => t.bands === 'wide'],
      ['narrow band', (t) => t.bands === 'narrow'],
      ['mixed bands', (t) => t.bands === 'mixed'],
      ['SNR under 10 dB', (t) => t.snrDb < 10],
      ['SNR 10-20 dB', (t) => t.snrDb >= 10 && t.snrDb < 20],
      ['SNR 20 dB and more', (t) => t.snrDb >= 20],
    ]),
    model: model.revision,
  };
}

function asText(report: AccuracyReport): string {
  const fixed = (rate: number): string => percent(rate, 2);
  const line = (s: Slice): string =>
    `  ${s.name.padEnd(20)} EER ${fixed(s.eer).padStart(8)}   ${s.target} target, ${s.impostor} impostor trials`;
  const { recordings } = report;
  return [
    `model       ${report.model}`,
    `recordings  ${recordings.used} used, ${recordings.without_speech.length} of them without detected speech, ${recordings.unusable.length} unusable`,
    ...(report.as_calls ? callsText(report.as_calls) : []),
    `trials      ${report.trials.target} target, ${report.trials.impostor} impostor`,
    `EER         ${fixed(report.eer.value)}  (95%: ${fixed(report.eer.low)} to ${fixed(report.eer.high)})`,
    `minDCF      ${report.min_dcf.toFixed(4)} at prior 0.01`,
    `Cllr        ${report.cllr.toFixed(4)}`,
    ...report.thresholds.map(
      (t) =>
        `FAR         ${fixed(t.far)} at the threshold for ${percent(t.far_target)} (LLR ${t.llr.toFixed(2)}), misses ${fixed(t.frr)}`,
    ),
    'by net speech of the shorter side',
    ...report.by_net_speech.map(line),
    'by condition',
    ...report.by_condition.map(line),
    ...(report.fairness ?? []).flatMap(fairnessText),
    ...report.plots.map((file) => `wrote ${file}`),
  ].join('\n');
}

function writePlots(folder: string, scored: readonly Scored[], model: SpeakerModel): string[] {
  mkdirSync(folder, { recursive: true });
  const plots: [string, string][] = [
    ['det.svg', detPlot(operatingPoints(scored), `Detection error tradeoff, ${model.revision}`)],
    ['scores.svg', scorePlot(scored, model.thresholds, `Scores, ${model.revision}`)],
  ];
  return plots.map(([name, svg]) => {
    writeFileSync(join(folder, name), svg);
    return join(folder, name);
  });
}

export async function benchAccuracy(io: CliIo, flags: AccuracyFlags): Promise<void> {
  // A fault in the labels should show before the recordings are measured.
  const labels = flags.groups ? readLabels(flags.groups, flags.groupBy) : undefined;
  const far = Number(flags.far ?? GROUPS_FAR);
  if (!(far > 0 && far < 1)) throw new Error('--far must be above 0 and below 1');
  const recordings = findRecordings(flags.corpus);
  const strays = labels?.aboutNobody(recordings) ?? [];
  if (labels && strays.length === labels.rows)
    throw new Error(`${flags.groups}: none of its names is a speaker or a recording in ${flags.corpus}`);
  if (strays.length > 0)
    io.err(
      `${flags.groups}: no recordings of ${strays.slice(0, NAMED_MAX).join(', ')}${strays.length > NAMED_MAX ? ' and others' : ''}`,
    );
  const { pairs, unknown } = flags.trials
    ? readTrials(flags.trials, recordings)
    : { pairs: allPairs(recordings), unknown: [] };
  for (const message of unknown.slice(0, 10)) io.err(message);
  const needed = new Set<Utterance>(pairs.flatMap(({ first, second }) => [first, second]));
  const files = [...needed].map((recording) => recording.file);
  await withEngine(io, flags, async (engine, workers) => {
    const { voices, heard, withoutSpeech, unusable } = await measureRecordings(
      io,
      engine,
      workers,
      files,
      liveCheckpointsMs,
    );
    const scored = scorePairs(engine.model, pairs, voices);
    let plots: string[] = [];
    try {
      plots = writePlots(flags.out ?? 'accuracy-report', scored, engine.model);
    } catch (error) {
      io.err(`no plots: ${messageOf(error)}`);
    }
    const calls = [...needed].flatMap(({ name, speaker, file }) => {
      const call = heard.get(file);
      return call ? [{ name, speaker, ...call }] : [];
    });
    const rate = flags.far === undefined ? defaultParameters.authentication.falseAcceptRate : far;
    const asCalls = flags.trials ? undefined : await reportCalls(engine.model, calls, rate);
    const report: AccuracyReport = {
      ...(asCalls && { as_calls: asCalls }),
      ...accuracyOf(engine.model, scored),
      recordings: {
        used: voices.size,
        without_speech: withoutSpeech,
        unusable,
        unknown_in_trials: unknown.length,
      },
      plots,
      ...(labels && { fairness: await fairnessReports(engine.model, scored, labels, far) }),
    };
    io.out(flags.json ? JSON.stringify(report) : asText(report));
  });
}
