// `voxgate model calibrate`: thresholds for a house's own callers, as a document for the TuningManager.
import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { CalibrationContent } from '../../biometrics/calibration/active.js';
import {
  requireSpeakers,
  setOwnThresholds,
  type OwnThresholds,
} from '../../voice/calibration/own-thresholds.js';
import { percent } from '../../voice/evaluation/percent.js';
import { systemClock } from '../../platform.js';
import { allPairs, findRecordings, readTrials } from '../recordings/corpus.js';
import { engineFlags, withEngine, type EngineFlags } from '../recordings/engine.js';
import { runCommand, type CliIo } from '../io.js';
import { measureRecordings, scorePairs } from '../recordings/scored-corpus.js';

interface CalibrateFlags extends EngineFlags {
  corpus: string;
  trials?: string;
  out?: string;
}

interface CalibrationOrigin extends Pick<OwnThresholds, 'speakers' | 'trials' | 'checkedOn'> {
  madeAt: string;
  /** What each rate came to on speakers who did not set its threshold. */
  checked: { target: number; far: number; miss: number; falseAccepts: number }[];
}

/** The rates that shipped models state, and the service's default between them. */
const rates = [0.01, 0.005, 0.001, 0.0001];
/** A rate is shown by at least so many false accepts; below that chance decides. */
const TELLING_ACCEPTS = 10;

async function calibrate(io: CliIo, flags: CalibrateFlags): Promise<void> {
  const recordings = findRecordings(flags.corpus);
  requireSpeakers(new Set(recordings.map(({ speaker }) => speaker)).size);
  const pairs = flags.trials ? readTrials(flags.trials, recordings).pairs : allPairs(recordings);
  await withEngine(io, flags, async (engine, workers) => {
    const { voices, unusable } = await measureRecordings(
      io,
      engine,
      workers,
      recordings.map(({ file }) => file),
    );
    const own = await setOwnThresholds(
      scorePairs(engine.model, pairs, voices),
      rates,
      engine.model.cohort?.strangerSpread,
    );
    const document = documentOf(engine.model.revision, own);
    if (flags.out) writeFileSync(flags.out, `${JSON.stringify(document, null, 2)}\n`);
    if (flags.json)
      io.out(
        JSON.stringify({
          model: engine.model.revision,
          speakers: own.speakers,
          recordings: { used: voices.size, unusable },
          trials: own.trials,
          checked_on: own.checkedOn,
          thresholds: own.thresholds.map(({ far, llr, checked }) => ({
            far_target: far,
            llr,
            shipped_llr: engine.model.thresholds.find((shipped) => shipped.far === far)?.llr ?? null,
            far: checked.far,
            frr: checked.miss,
            false_accepts: checked.falseAccepts,
          })),
          document: flags.out ?? null,
        }),
      );
    else io.out(asText(engine.model.revision, own, flags.out));
  });
}

/** With what they are for and rest on: a file outlives the report. */
function documentOf(model: string, own: OwnThresholds): CalibrationContent & CalibrationOrigin {
  return {
    model,
    madeAt: new Date(systemClock.now()).toISOString(),
    speakers: own.speakers,
    trials: own.trials,
    checkedOn: own.checkedOn,
    checked: own.thresholds.map(({ far, checked }) => ({ target: far, ...checked })),
    thresholds: own.thresholds.map(({ far, llr }) => ({ far, llr: Number(llr.toFixed(4)) })),
  };
}

function asText(model: string, own: OwnThresholds, out: string | undefined): string {
  return [
    `model     ${model}`,
    `speakers  ${own.speakers}; ${own.trials.target} target and ${own.trials.impostor} impostor trials`,
    ...own.thresholds.map(({ far, llr, checked }) => {
      const few = checked.falseAccepts < TELLING_ACCEPTS ? ', too few trials to tell' : '';
      return `FAR       ${percent(far).padStart(6)}: LLR ${llr.toFixed(2)}; on speakers who did not set it ${percent(checked.far)} (${checked.falseAccepts} of ${own.checkedOn.impostor}${few}), misses ${percent(checked.miss)}`;
    }),
    out
      ? `wrote ${out}: voxgate model thresholds --tenant ID --use ${out} puts them to use (docs/guides/voice-engine.md)`
      : 'nothing written: --out FILE writes the document that `model thresholds --use` and CreateCalibrationModel take',
  ].join('\n');
}

export function registerModelCalibrate(model: Command, io: CliIo): void {
  engineFlags(model.command('calibrate'))
    .description('compute thresholds from your own recordings, cross-validated by speaker')
    .requiredOption('--corpus <dir>', 'folder with one subfolder per speaker, at least 10 of them')
    .option('--trials <file>', 'lines "utt1 utt2 target|nontarget" or "1|0 utt1 utt2" (default: all pairs)')
    .option('--out <file>', 'where to write the calibration document')
    .action((flags: CalibrateFlags) => runCommand(io, flags, () => calibrate(io, flags)));
}
