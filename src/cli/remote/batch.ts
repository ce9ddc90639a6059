// `voxgate batch`: many recordings by one manifest.
import { Option, type Command } from 'commander';
import { Voxgate } from '../../client/index.js';
import type { BatchJson, LineOutcomeJson } from '../../gen/voxgate/batch/v1/batch_pb.js';
import { table, text } from '../flags.js';
import { print, runCommand, type CliIo } from '../io.js';
import { endedOf, formats, resultsOf, stateWord, summary, written, type Format } from './batch-results.js';
import { followBatch, runBatch } from './batch-run.js';
import { profileFlags, readProfile } from './profile.js';
import { addRemoteCommand, type RemoteFlags } from './remote-command.js';

const outcomes = ['done', 'skipped', 'refused', 'failed', 'would_be_done'];

export function registerBatch(program: Command, io: CliIo): void {
  const batch = program
    .command('batch')
    .description('enroll, register or check many recordings from one manifest, on a running server');
  registerRun(batch, io);
  registerReading(batch, io);
  registerResults(batch, io);
  addRemoteCommand(
    batch,
    io,
    'cancel <batch>',
    'cancel a batch; lines already processed are not undone',
    async (voxgate, [gkJobId = '']) => {
      const { context } = voxgate;
      const { batch: canceled = {} } = await voxgate.call('CancelBatch', { context, gkJobId });
      return { ...summary(canceled), code: 0 };
    },
  );
}

function registerRun(batch: Command, io: CliIo): void {
  const choice = (flags: string, about: string, choices: string[]): Option =>
    new Option(flags, about).choices(choices);
  profileFlags(
    batch
      .command('run <manifest>')
      .description(
        'start a batch and follow it; exits with 0 if all went well, 2 if lines were refused or failed, 3 if it was canceled. Run again, it goes on where it was cut off',
      ),
  )
    .addOption(
      choice('--operation <name>', 'what to do with each line', [
        'enroll',
        'register',
        'check',
      ]).makeOptionMandatory(),
    )
    .option('--folder <dir>', 'local folder with the recordings, which are uploaded first')
    .option(
      '--s3 <prefix>',
      'place of the recordings in S3, such as s3://calls/2026, which the server must be allowed to read',
    )
    .option('--tag <tag>', 'which voiceprint of each person (default: main)')
    .addOption(
      choice('--existing <action>', 'what to do with trained voiceprints (default: skip)', [
        'skip',
        'replace',
      ]),
    )
    .option('--watchlist <watchlist>', 'watchlist to compare with, or to put fraudsters on')
    .addOption(
      choice(
        '--fraud-check <action>',
        'whether to look for fraudsters before people are enrolled (default: none)',
        ['none', 'ignore', 'refuse'],
      ),
    )
    .option('--no-attack-checks', 'of a check: do not look for synthetic speech and played recordings')
    .option('--all-have-consented', 'everybody in the manifest has agreed to a voiceprint')
    .option('--dry-run', 'only show what would happen; nothing is uploaded')
    .option('--description <text>', 'what the batch is for')
    .option(
      '--results <file>',
      'write the result of each line: as CSV if its name ends with .csv, else as JSON lines',
    )
    .option('--no-wait', 'do not wait for it to finish')
    .option('--again', 'upload and start everything again, even what was done in the last 24 hours')
    .action((manifest: string, flags: RemoteFlags) =>
      runCommand(io, flags, async () => {
        const { value, lines, code } = await runBatch(io, manifest, flags);
        print(io, flags, value, lines);
        if (code !== undefined) io.exit(code);
      }),
    );
}

function registerReading(batch: Command, io: CliIo): void {
  addRemoteCommand(batch, io, 'list', 'list batches, newest first', async (voxgate) => {
    const { context } = voxgate;
    const { batches = [] } = await voxgate.call('ListBatches', { context });
    return { value: { batches }, lines: table(batches.map(rowOf), 'no batches') };
  });
  addRemoteCommand(
    batch,
    io,
    'status <batch>',
    'show the progress of a batch and how its lines ended; once it is over, exits as `batch run` does',
    async (voxgate, [gkJobId = ''], flags) => {
      const { context } = voxgate;
      const follow = flags['follow'] === true;
      const { batch: found = {} } = follow
        ? { batch: await followBatch(voxgate, gkJobId, flags.json ? undefined : io) }
        : await voxgate.call('GetBatch', { context, gkJobId });
      return summary(found);
    },
  ).option('-f, --follow', 'wait for it to finish');
}

function rowOf(batch: BatchJson): string[] {
  const { gkJobId = '', operation = '', lines = 0, dryRun, creationTimestamp = '', description = '' } = batch;
  return [
    gkJobId,
    creationTimestamp,
    `${operation.toLowerCase()}${dryRun ? ' (dry run)' : ''}`,
    stateWord(batch),
    `${endedOf(batch)} of ${lines}`,
    description,
  ];
}

function registerResults(batch: Command, io: CliIo): void {
  const results = profileFlags(
    batch
      .command('results <batch>')
      .description('print what became of each line; with --json, one object per line, as with --format json'),
  )
    .addOption(new Option('--format <name>', 'how to print them').choices(formats).default('text'))
    .addOption(new Option('--outcome <name>', 'only lines with this outcome').choices(outcomes))
    .option('--reason <reason>', 'only lines with this reason, such as NO_CONSENT');
  results.action((gkJobId: string, flags: RemoteFlags) =>
    runCommand(io, flags, async () => {
      const voxgate = new Voxgate(readProfile(io, flags));
      const outcome = text(flags, 'outcome');
      const sought = {
        reason: text(flags, 'reason'),
        ...(outcome !== undefined && {
          outcome: `LINE_OUTCOME_${outcome.toUpperCase()}` as LineOutcomeJson,
        }),
      };
      const format = flags.json ? 'json' : (text(flags, 'format') as Format);
      for await (const page of written(resultsOf(voxgate, gkJobId, sought), format))
        io.out(page.replace(/\r?\n$/, ''));
    }),
  );
}
