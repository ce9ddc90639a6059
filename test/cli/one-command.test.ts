// Who asks for one command gets it as it is among all of them, and nothing else is loaded.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { buildProgram } from '../../src/cli/index.js';
import type { CliIo } from '../../src/cli/io.js';
import { loadConfig } from '../../src/config.js';
import { builtProgram } from '../support/built-program.js';

const io: CliIo = {
  out: () => {},
  err: () => {},
  exit: () => {},
  loadConfig: () => loadConfig({ env: {} }),
};
const whole = await buildProgram(io);
const namesOf = (command: Command): string[] => command.commands.map((each) => each.name());

/** The help of a command and of all below it. */
const helpOf = (command: Command): string[] => [
  command.helpInformation(),
  ...command.commands.flatMap(helpOf),
];

// It completes the words of all the others.
it.each(namesOf(whole).filter((name) => name !== 'completion'))('%s alone is the same', async (name) => {
  const alone = await buildProgram(io, name);
  const named = (program: Command) => program.commands.filter((each) => each.name() === name).flatMap(helpOf);
  expect(named(alone)).toEqual(named(whole));
  expect(namesOf(alone).length).toBeLessThan(10);
});

it.each(['completion', 'help', '--help', 'srve', undefined])('%s has all of them', async (wanted) => {
  expect(namesOf(await buildProgram(io, wanted))).toEqual(namesOf(whole));
});

/** What Node reads before the first line of it runs; packages are not looked into. */
function filesReadFor(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, named = ''] of readFileSync(file, 'utf8').matchAll(
    /(?:from|import) ["'](\.[^"']+\.js)["'];$/gm,
  ))
    filesReadFor(join(dirname(file), named), seen);
  return seen;
}

it.each(['main.js', 'inference/pool/engine-worker.js'])('%s is started from few files', async (entry) => {
  await builtProgram();
  const files = filesReadFor(join(import.meta.dirname, '..', '..', 'dist', entry));
  expect(files.size).toBeGreaterThan(1);
  expect(files.size).toBeLessThan(25);
});
