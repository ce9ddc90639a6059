// npm test: installs, builds, type-checks, lints and runs every test. Arguments go to the test runner,
// for example `npm test -- test/auth`.
import { join } from 'node:path';
import { build, install, root, run, say } from './setup.mjs';

const bin = (name) => join(root, 'node_modules', name);
const step = (title, args) => {
  say(`\n== ${title}`);
  run(process.execPath, args);
};

install();
await build();
step('types', [bin('typescript/bin/tsc'), '--noEmit', '-p', 'tsconfig.check.json']);
step('types of the console', [bin('typescript/bin/tsc'), '--noEmit', '-p', 'src/console/tsconfig.json']);
step('lint', [bin('eslint/bin/eslint.js'), '.']);
step('format', [bin('prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', '.']);
step('tests', [bin('vitest/vitest.mjs'), 'run', ...process.argv.slice(2)]);
