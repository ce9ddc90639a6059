// Runs a tool inside the test and tells what it printed.
import { toolsProgram } from '../../tools/program.js';
import { loadConfig } from '../../src/config.js';

export async function runTools(
  args: readonly string[],
  home: string,
): Promise<{ out: string; err: string; code: number }> {
  const result = { out: '', err: '', code: 0 };
  const program = toolsProgram({
    out: (text) => void (result.out += `${text}\n`),
    err: (text) => void (result.err += `${text}\n`),
    exit: (code) => void (result.code = code),
    loadConfig: (flags) => loadConfig({ env: {}, file: flags.config, flags: { home } }),
  });
  await program.parseAsync(['node', 'tools', ...args]);
  return result;
}
