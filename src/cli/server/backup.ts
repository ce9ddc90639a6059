// `voxgate backup` and `voxgate restore`: everything that keeps state in one sealed file, and back into an empty place.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { backup, inspectBackup, restore } from '../../compose/backup.js';
import { systemClock } from '../../platform.js';
import { commonFlags, runCommand, print, type CliIo, type CommonFlags } from '../io.js';

interface BackupFlags extends CommonFlags {
  out: string;
}

interface RestoreFlags extends CommonFlags {
  keyFile?: string;
  check?: boolean;
}

/** As `voxgate doctor` ends when it found something that needs a look. */
const EXIT_WARNING = 2;
const NAMED_MAX = 5;

export function registerBackup(program: Command, io: CliIo): void {
  commonFlags(
    program
      .command('backup')
      .description(
        'back up database and recordings into one sealed file, even while the server is running; the master key is not included; exit code 2: some recordings could not be read',
      ),
  )
    .requiredOption('--out <file>', 'file to write; it must not exist yet')
    .action((flags: BackupFlags) => runCommand(io, flags, () => makeBackup(io, flags)));
  commonFlags(
    program
      .command('restore')
      .argument('<file>', 'file written by `voxgate backup`')
      .description('restore a backup into an empty home directory and database, and check what was restored'),
  )
    .option('--key-file <file>', 'file (mode 0600) with the master key that the backup was made under')
    .option('--check', 'only read the whole backup and verify its seal')
    .action((file: string, flags: RestoreFlags) => runCommand(io, flags, () => restoreFrom(io, file, flags)));
}

async function makeBackup(io: CliIo, flags: BackupFlags): Promise<void> {
  const path = resolve(flags.out);
  const report = await backup(io.loadConfig(flags), systemClock, path);
  print(io, flags, { file: path, ...report }, [
    `${path}: ${report.rows} rows of ${report.tables} tables, ${report.recordings} recordings`,
    `Keep master key ${report.masterKeyId} apart from it: without that key nothing in it can be read.`,
    ...troubleOf(report),
  ]);
  if (troubleOf(report).length > 0) io.exit(EXIT_WARNING);
}

async function restoreFrom(io: CliIo, file: string, flags: RestoreFlags): Promise<void> {
  const path = resolve(file);
  const config = io.loadConfig(flags);
  if (flags.check) {
    const found = await inspectBackup(config, path, flags.keyFile);
    print(io, flags, { file: path, ...found }, [
      `${path}: whole, made ${found.createdAt}; ${found.rows} rows of ${found.tables} tables, ${found.recordings} recordings`,
    ]);
    return;
  }
  const report = await restore(config, systemClock, { path, keyFile: flags.keyFile });
  print(io, flags, { file: path, ...report }, [
    `restored the state of ${report.createdAt}: ${report.rows} rows, ${report.recordings} recordings; ${report.auditRecords} audit records, unbroken`,
    'What was erased, deleted, blocked or revoked after that time is there again: do it again.',
    ...troubleOf(report),
  ]);
  if (troubleOf(report).length > 0) io.exit(EXIT_WARNING);
}

function troubleOf({ missing, damaged }: { missing: string[]; damaged: string[] }): string[] {
  const say = (ids: string[], what: string): string[] =>
    ids.length === 0
      ? []
      : [
          `WARNING: ${ids.length} recordings ${what}: media segments ${ids.slice(0, NAMED_MAX).join(', ')}${ids.length > NAMED_MAX ? ', ...' : ''}`,
        ];
  return [...say(missing, 'are missing'), ...say(damaged, 'are damaged')];
}
