// `voxgate bench`: measurements that a user can repeat on recordings of their own.
import type { Command } from 'commander';
import { benchAccuracy } from './accuracy.js';
import type { AccuracyFlags } from './accuracy.js';
import { benchSpoof } from './spoof.js';
import type { SpoofFlags } from './spoof.js';
import { engineFlags } from '../recordings/engine.js';
import { runCommand } from '../io.js';
import type { CliIo } from '../io.js';

export function registerBench(program: Command, io: CliIo): void {
  const bench = program
    .command('bench')
    .description('measure accuracy and resistance to attacks on your own recordings');
  engineFlags(bench.command('accuracy'))
    .description('speaker verification errors on a folder of speaker/utterance.{wav,flac,opus,ogg,mp3,webm}')
    .requiredOption('--corpus <dir>', 'folder with one subfolder per speaker')
    .option('--trials <file>', 'lines "utt1 utt2 target|nontarget" or "1|0 utt1 utt2" (default: all pairs)')
    .option(
      '--groups <file>',
      'table (CSV, TSV) of labels: speaker or recording, then one column for each grouping; reports errors by group',
    )
    .option('--group-by <columns>', 'columns of that table, separated by commas (default: all)')
    .option(
      '--far <rate>',
      'false-accept rate of the calls (default: as in config sets, 0.005) and of the report by group (0.01)',
    )
    .option('--out <dir>', 'where to write the DET and score plots (default: accuracy-report)')
    .action((flags: AccuracyFlags) => runCommand(io, flags, () => benchAccuracy(io, flags)));
  engineFlags(bench.command('spoof'))
    .description('errors of the synthetic-speech and playback detectors')
    .requiredOption('--bonafide <dir>', 'recordings of people')
    .requiredOption('--spoof <dir>', 'recordings of attacks')
    .option('--scores <file>', 'where to write the scores and answers for every recording, as CSV')
    .action((flags: SpoofFlags) => runCommand(io, flags, () => benchSpoof(io, flags)));
}
