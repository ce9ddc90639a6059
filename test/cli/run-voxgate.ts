// Runs a command of the program inside the test, with its own home, and tells what it printed.
import { buildProgram } from '../../src/cli/index.js';
import { loadConfig } from '../../src/config.js';

export interface Outcome {
  code: number;
  out: string;
  err: string;
}

export async function voxgate(home: string, ...args: string[]): Promise<Outcome> {
  const outcome: Outcome = { code: 0, out: '', err: '' };
  const program = buildProgram({
    out: (text) => void (outcome.out += `${text}\n`),
    err: (text) => void (outcome.err += `${text}\n`),
    exit: (code) => void (outcome.code = code),
    loadConfig: (flags, settings = {}) =>
      loadConfig({ env: {}, flags: { ...settings, home: flags.home, database: flags.database } }),
  });
  await program.parseAsync(['node', 'voxgate', ...args, '--home', home]);
  return outcome;
}
