// Every script that a person may start tells what it does when asked, and what it does not know is named in one line. Neither does anything.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const run = (script: string, ...args: string[]) =>
  spawnSync(process.execPath, [join(ROOT, script), ...args], { cwd: ROOT, encoding: 'utf8' });

const own = [
  'scripts/bench.mjs',
  'scripts/build.mjs',
  'scripts/generate.mjs',
  'scripts/make-fixtures.mjs',
  'scripts/newcomer.mjs',
  'scripts/screenshots.mjs',
  'scripts/release/release.mjs',
  'packages/client/build.mjs',
];
/** Their options are those of the server and of the test runner. */
const handingOn = ['scripts/start.mjs', 'scripts/test.mjs'];

describe('a script', () => {
  it.each([...own, ...handingOn])('%s --help tells how it is used', (script) => {
    const { status, stdout, stderr } = run(script, '--help');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^usage: (npm|node) /);
  });

  it.each(own)('%s names an option that there is not', (script) => {
    const { status, stdout, stderr } = run(script, '--no-such-option');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^[^\n]*--no-such-option[^\n]*--help[^\n]*\n$/);
  });
});
