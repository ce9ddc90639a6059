// What a command may touch besides its arguments: two text streams, the exit code, the configuration.
// Commands get it as an argument, so that tests can run them in-process.
import { CommanderError, Option, type Command } from 'commander';
import { VoxgateError } from '../client/index.js';
import { isBusy } from '../errors.js';
import { ConfigError, loadConfig, type Config } from '../config.js';

export interface CommonFlags {
  home?: string;
  database?: string;
  config?: string;
  json?: boolean;
}

export interface CliIo {
  out(text: string): void;
  err(text: string): void;
  /** Sets the exit code of the process; does not end it. */
  exit(code: number): void;
  /** Of the process if absent. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Common flags plus settings given by flags of the command itself, by dotted name. */
  loadConfig(flags: CommonFlags, settings?: Readonly<Record<string, string | undefined>>): Config;
}

/** The flags that every command understands. */
export function commonFlags(command: Command): Command {
  return command
    .option('--home <dir>', 'directory for all data (default: ./var)')
    .option('--database <url>', 'postgres:// URL (default: SQLite file in the home directory)')
    .option(
      '--config <file>',
      'configuration file (default: config.json in the home directory, if there is one)',
    )
    .option('--json', 'print the result as one JSON object');
}

/** What a flag was called before: it still works for a release, unlisted. */
export const earlierName = (flags: string): Option => new Option(flags).hideHelp();

/** The tenant that a command is about. `--scope` is what the flag was called before; it still works, unlisted. */
export function tenantFlag(command: Command, description: string, { required = false } = {}): Command {
  const tenant = new Option('--tenant <gk_scope_id>', description).makeOptionMandatory(required);
  const earlier = earlierName('--scope <gk_scope_id>');
  return command
    .addOption(tenant)
    .addOption(earlier.argParser((value) => void command.setOptionValueWithSource('tenant', value, 'cli')));
}

export function processIo(): CliIo {
  // A reader that has gone away must not end a server that goes on without it.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  return {
    out: (text) => void process.stdout.write(`${text}\n`),
    err: (text) => void process.stderr.write(`${text}\n`),
    exit: (code) => {
      process.exitCode = code;
    },
    loadConfig: (flags, settings = {}) =>
      loadConfig({ file: flags.config, flags: { ...settings, home: flags.home, database: flags.database } }),
  };
}

/** One JSON object for programs, or lines for people. */
export function print(io: CliIo, flags: { json?: boolean }, value: object, lines: readonly string[]): void {
  io.out(flags.json ? JSON.stringify(value) : lines.join('\n'));
}

/** Runs a program to its end; a mistake on the command line has already been explained and only sets the exit code. */
export async function runProgram(program: Command, io: CliIo, argv: readonly string[]): Promise<void> {
  try {
    await program.parseAsync(isMistyped(program, argv.slice(2)) ? argv.filter(isNoHelp) : argv);
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    io.exit(thrown.exitCode);
  }
}

const isNoHelp = (word: string): boolean => word !== '--help' && word !== '-h';

/** Whoever asks for the help of a command that there is not is told so, and what is near, instead of the help of all. */
function isMistyped(command: Command, [word, ...rest]: readonly string[]): boolean {
  if (command.commands.length === 0 || word === undefined || word.startsWith('-') || word === 'help')
    return false;
  const next = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
  return !next || isMistyped(next, rest);
}

/** Runs the body of a command: expected failures become one line and exit code 1, not a stack. */
export async function runCommand(
  io: CliIo,
  flags: { json?: boolean },
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    const message = explained(thrown);
    if (flags.json)
      io.out(
        JSON.stringify({
          error: message,
          ...(thrown instanceof ConfigError ? { faults: thrown.faults } : {}),
          ...(thrown instanceof VoxgateError ? factsOf(thrown) : {}),
        }),
      );
    else io.err(`voxgate: ${message}`);
    io.exit(1);
  }
}

/** What a server refused, for programs. */
function factsOf({ code, reason, fields, requestId }: VoxgateError): object {
  return { code, reason, fields, request_id: requestId };
}

const hints: Readonly<Record<string, string>> = {
  OFFLINE: 'is it running, and is --server its address?',
  UNAUTHENTICATED: 'check the client ID and its secret',
};

/** Callers are not told why database or disk fail them, nor where these are; whoever runs the program needs to know. */
function explained(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  if (thrown instanceof VoxgateError) {
    const { code, reason, requestId } = thrown;
    const hint = hints[code] ?? (code === 'INTERNAL_ERROR' && requestId ? `request ${requestId}` : undefined);
    return `${thrown.message} (${reason ?? code})${hint === undefined ? '' : `: ${hint}`}`;
  }
  return isBusy(thrown) && thrown.cause instanceof Error
    ? `${thrown.message}: ${thrown.cause.message}`
    : thrown.message;
}
