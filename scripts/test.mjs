// npm test: installs, builds, then type-checks, lints and checks the format beside the tests, which leave a core free while
// they wait for browsers, processes and databases. Arguments go to the test runner, for example `npm test -- test/auth`.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { build, install, root, say } from './setup.mjs';

const bin = (name) => join(root, 'node_modules', name);

/** Runs a step; its output is shown as it comes, or, of a check beside the tests, in one piece when it is over. */
function step(title, args, { live = false } = {}) {
  const startedMs = Date.now();
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: live ? ['inherit', 2, 2] : ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => (output += piece));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      const seconds = ((Date.now() - startedMs) / 1000).toFixed(0);
      say(`== ${title}: ${code === 0 ? 'ok' : 'FAILED'} (${seconds} s)${output === '' ? '' : `\n${output}`}`);
      resolve(code === 0 ? [] : [title]);
    });
  });
}

/** One after another: together they would only take the cores from each other. */
async function checks() {
  const tsc = bin('typescript-native/bin/tsc');
  return [
    ...(await step('format', [bin('prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', '.'])),
    ...(await step('types', [tsc, '--noEmit', '-p', 'tsconfig.check.json'])),
    ...(await step('types of the console', [tsc, '--noEmit', '-p', 'src/console/tsconfig.json'])),
    ...(await step('lint', [bin('eslint/bin/eslint.js'), '.'])),
  ];
}

install();
await build();
const tests = step('tests', [bin('vitest/vitest.mjs'), 'run', ...process.argv.slice(2)], { live: true });
const failed = (await Promise.all([checks(), tests])).flat();
if (failed.length > 0) {
  say(`failed: ${failed.join(', ')}`);
  process.exit(1);
}
