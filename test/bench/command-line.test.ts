// How `npm run bench` is asked: every bench is listed, and a mistake is named in one line.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readCommandLine } from '../../bench/command-line.js';

const folder = new URL('../../bench/', import.meta.url);
const benches = readdirSync(folder)
  .filter((file) => /^[a-z]+\.ts$/.test(file) && file !== 'run.ts' && file !== 'harness.ts')
  .filter((file) => /^export (async function|const) run\b/m.test(readFileSync(new URL(file, folder), 'utf8')))
  .map((file) => file.slice(0, -'.ts'.length));

describe('npm run bench', () => {
  it.each([['--help'], ['-h'], ['rpc', '--help'], ['--no-such', '--help']])(
    'lists every bench for %s %s',
    (...args) => {
      const asked = readCommandLine(args);
      const text = 'help' in asked ? asked.help : '';
      const listed = [...text.matchAll(/^ {2}([a-z]+) {2,}\S/gm)].map(([, name]) => name);
      expect(listed).toEqual(benches);
    },
  );

  it.each([
    [[], 'usage: npm run bench -- NAME'],
    [['nope'], 'there is no bench nope'],
    [['constructor'], 'there is no bench constructor'],
    [['rpc', '--repeats', '3'], 'there is no option --repeats'],
    [['rpc', '-x'], 'there is no option -x'],
    [['rpc', 'tokens'], 'one bench at a time'],
    [['rpc', '--seconds'], '--seconds needs a value: N'],
    [['rpc', '--seconds='], '--seconds needs a value: N'],
    [['rpc', '--seconds', 'long'], '--seconds must be a number above 0, not long'],
    [['rpc', '--minutes', '0'], '--minutes must be a number above 0, not 0'],
    [['chaos', '--seed', '1.5'], '--seed must be a whole number, not 1.5'],
    [['rpc', '--json=yes'], '--json takes no value'],
    [['live', '--calls', '-1'], '--calls must be a whole number, not -1'],
  ])('%j: %s', (args, words) => {
    const asked = readCommandLine(args);
    const fault = 'fault' in asked ? asked.fault : '';
    expect(fault).toContain(words);
    expect(fault).not.toContain('\n');
  });

  it('takes what it is given', () => {
    expect(readCommandLine(['rpc'])).toEqual({
      name: 'rpc',
      json: false,
      options: { seconds: 12, seed: 1, postgres: false, tiny: false },
    });
    expect(
      readCommandLine([
        ...['live', '--json', '--minutes', '2', '--seed=7', '--postgres', '--tiny'],
        ...['--calls', '40', '--talking', '0.4', '--earlier', '../before'],
      ]),
    ).toEqual({
      name: 'live',
      json: true,
      options: {
        seconds: 120,
        seed: 7,
        postgres: true,
        tiny: true,
        calls: 40,
        talking: 0.4,
        earlier: '../before',
      },
    });
  });
});
