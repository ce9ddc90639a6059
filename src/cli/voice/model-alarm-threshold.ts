// `voxgate model alarm-threshold`: at which risk a house's own callers would be taken for synthetic speech as rarely as it wants.
import type { Command } from 'commander';
import { defaultParameters } from '../../biometrics/model/parameters.js';
import {
  alarmsAt,
  LINE_LEVEL,
  linesByBand,
  recordingsFor,
  type AlarmThreshold,
  type BandLine,
  type HeardCaller,
} from '../../voice/calibration/alarm-threshold.js';
import type { VoiceEngine } from '../../voice/engine.js';
import { shareWithInterval } from '../../voice/evaluation/binomial.js';
import type { Interval } from '../../voice/evaluation/metrics.js';
import { percent } from '../../voice/evaluation/percent.js';
import type { Bandwidth } from '../../voice/scoring/speaker-model.js';
import { ALARM_RISK, type SpoofScore } from '../../voice/spoof/detector.js';
import { print, runCommand, type CliIo } from '../io.js';
import { progressBar } from '../progress.js';
import { findRecordings } from '../recordings/corpus.js';
import { engineFlags, processFiles, withEngine, type EngineFlags } from '../recordings/engine.js';

interface AlarmThresholdFlags extends EngineFlags {
  people: string;
  rate: string;
}

const [LEAST_PERCENT, MOST_PERCENT] = [0.1, 10];

export function registerModelAlarmThreshold(model: Command, io: CliIo): void {
  engineFlags(model.command('alarm-threshold'))
    .description(
      'the risk at which your own callers raise so few alarms for synthetic speech, on telephones (attackChecks.syntheticRiskHighNarrow) and in wider bands (…Wide)',
    )
    .requiredOption('--people <dir>', 'recordings of callers: one subfolder per person, or one file of each')
    .option('--rate <percent>', 'share of honest recordings that may raise an alarm', '1')
    .action((flags: AlarmThresholdFlags) => runCommand(io, flags, () => alarmThreshold(io, flags)));
}

async function alarmThreshold(io: CliIo, flags: AlarmThresholdFlags): Promise<void> {
  const rate = Number(flags.rate);
  if (!(rate >= LEAST_PERCENT && rate <= MOST_PERCENT))
    throw new Error(`--rate must be a number from ${LEAST_PERCENT} to ${MOST_PERCENT}`);
  const recordings = findRecordings(flags.people);
  const least = recordingsFor(rate / 100);
  // Before an hour is spent on hearing them.
  if (recordings.length < least)
    throw new Error(
      `at least ${least} recordings are needed for ${rate} %, ${recordings.length} are in ${flags.people}`,
    );
  await withEngine(io, flags, async (engine, workers) => {
    const revision = engine.detectors.synthetic?.revision;
    if (!revision) throw new Error('no detector of synthetic speech among the models');
    const heard = await hear(io, engine, workers, recordings);
    const bands = linesByBand(heard.callers, rate / 100);
    if (!bands.some(({ line }) => line)) throw new Error(refusalOf(bands));
    const report = { detector: revision, rate: rate / 100, heard, bands };
    print(io, flags, asJson(report), asText(report));
  });
}

interface Heard {
  callers: (HeardCaller & { bandwidth: Bandwidth })[];
  /** Too short, too noisy or unlike what the detector knows: no line makes an alarm of them. */
  unjudged: number;
  unusable: { file: string; reason: string }[];
}

async function hear(
  io: CliIo,
  engine: VoiceEngine,
  workers: number,
  recordings: ReturnType<typeof findRecordings>,
): Promise<Heard> {
  const heard: Heard = { callers: [], unjudged: 0, unusable: [] };
  const persons = new Map(recordings.map(({ file, speaker, name }) => [file, speaker || name]));
  const progress = progressBar(io, 'callers', recordings.length);
  let done = 0;
  await processFiles(engine, workers, [...persons.keys()], { spoof: { synthetic: true } }, (file, result) => {
    progress(++done);
    if (result instanceof Error) heard.unusable.push({ file, reason: result.message });
    else if (result.verdict.validity !== 'AUDIO_OK' || !result.spoof.synthetic)
      heard.unusable.push({ file, reason: result.verdict.explanation });
    else if (isJudged(result.spoof.synthetic))
      heard.callers.push({ person: persons.get(file) ?? file, ...result.spoof.synthetic });
    else heard.unjudged++;
  });
  return heard;
}

const isJudged = ({ doubts, alarmReliability }: SpoofScore): boolean =>
  doubts.every(({ measure }) => measure === 'score') &&
  alarmReliability >= defaultParameters.attackChecks.reliabilityMin;

const bandNames = { narrow: 'telephone', wide: 'wide band' } as const;
/** The members of `attackChecks` that take a line. */
const bandParameters = { narrow: 'syntheticRiskHighNarrow', wide: 'syntheticRiskHighWide' } as const;

const refusalOf = (bands: readonly BandLine[]): string =>
  bands.map(({ bandwidth, refusal }) => `${bandNames[bandwidth]}: ${refusal}`).join('; ') ||
  'the check can judge none of the recordings';

interface Report {
  detector: string;
  rate: number;
  heard: Heard;
  bands: readonly BandLine[];
}

const shareOf = (alarms: number, { value, low, high }: Interval) => ({
  alarms,
  share: value,
  share_interval: [low, high] as const,
});

function lineJson({ callers }: BandLine, line: AlarmThreshold) {
  const counted = (alarms: number) => shareOf(alarms, shareWithInterval(alarms, callers.length, LINE_LEVEL));
  return {
    shipped: { risk_high: ALARM_RISK, ...counted(alarmsAt(callers, ALARM_RISK)) },
    own: {
      risk_high: line.riskHigh,
      without_one: line.withoutOne,
      ...counted(line.alarms),
      checked: shareOf(line.checkedAlarms, line.checked),
    },
  };
}

function asJson({ detector, rate, heard: { callers, unjudged, unusable }, bands }: Report) {
  return {
    detector,
    rate,
    people: new Set(callers.map(({ person }) => person)).size,
    recordings: { used: callers.length, unjudged, unusable },
    lines: bands.map((band) => ({
      bandwidth: band.bandwidth,
      people: band.people,
      recordings: band.callers.length,
      ...(band.line ? lineJson(band, band.line) : { missing: band.refusal }),
    })),
    parameters: { attackChecks: parametersOf(bands) },
  };
}

const parametersOf = (bands: readonly BandLine[]): Record<string, number> =>
  Object.fromEntries(
    bands.flatMap(({ bandwidth, line }) => (line ? [[bandParameters[bandwidth], line.riskHigh]] : [])),
  );

function asText(report: Report): string[] {
  const { detector, people, recordings, parameters } = asJson(report);
  return [
    `detector   ${detector}`,
    `people     ${people}; ${recordings.used} recordings, ${recordings.unjudged} more that it cannot judge, ${recordings.unusable.length} unusable`,
    ...report.bands.flatMap(bandText),
    `config set: ${JSON.stringify(parameters)}`,
  ];
}

function bandText(band: BandLine): string[] {
  const head = `${bandNames[band.bandwidth].padEnd(10)} ${band.callers.length} recordings of ${band.people} people`;
  if (!band.line) return [`${head}: no line, ${band.refusal}`];
  const { shipped, own } = lineJson(band, band.line);
  const alarmsOf = ({ alarms, share, share_interval: [low, high] }: ReturnType<typeof shareOf>) =>
    `${alarms} of ${band.callers.length} recordings (${percent(share)}, 95%: ${percent(low)} to ${percent(high)})`;
  return [
    head,
    `  shipped    risk ${shipped.risk_high}: alarms for ${alarmsOf(shipped)}`,
    `  your line  risk ${own.risk_high}: alarms for ${alarmsOf(own)}; where people judge who did not set it, ${alarmsOf(own.checked)}`,
    ...(own.without_one < own.risk_high
      ? [`  without the one person who raises it most: ${own.without_one}`]
      : []),
    own.risk_high < shipped.risk_high
      ? '  More attacks are caught at your line than at the shipped one; the card of the model says how many. Make sure that no attack is among these recordings.'
      : '  Your callers sound more like attacks than most people: at your line fewer attacks are caught. Listen to the recordings with the highest risk first.',
  ];
}
