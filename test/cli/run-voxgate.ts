// Runs a command of the program inside the test, with its own home, and tells what it printed.
import { buildProgram } from '../../src/cli/index.js';
import { runProgram, type CliIo } from '../../src/cli/io.js';
import { loadConfig } from '../../src/config.js';

export interface Outcome {
  code: number;
  out: string;
  err: string;
}

export function voxgate(home: string, ...args: string[]): Promise<Outcome> {
  return runVoxgate([...args, '--home', home]);
}

/** Of a command that has no home: a client of a running server. */
export async function runVoxgate(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const outcome: Outcome = { code: 0, out: '', err: '' };
  const io = {
    env,
    out: (text: string) => void (outcome.out += `${text}\n`),
    err: (text: string) => void (outcome.err += `${text}\n`),
    exit: (code: number) => void (outcome.code = code),
    loadConfig: ((flags, settings = {}) =>
      loadConfig({
        env: {},
        flags: { ...settings, home: flags.home, database: flags.database },
      })) satisfies CliIo['loadConfig'],
  };
  await runProgram(await buildProgram(io, args[0]), io, ['node', 'voxgate', ...args]);
  return outcome;
}
