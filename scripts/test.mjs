// npm test: installs, builds, then runs the quick lane of the tests and, beside it, type-checks, lints and checks the format.
// npm run test:slow: the other lane, which has the tests with the tag 'slow' (vitest.config.ts), without these checks.
// Arguments go to the test runner, for example `npm test -- test/auth`.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { helpIfAsked } from './arguments.mjs';
import { build, install, root, say } from './setup.mjs';

const bin = (name) => join(root, 'node_modules', name);

/** Runs a step; its output is shown as it comes, or, of a check beside the tests, in one piece when it is over. */
function step(title, args, { live = false, env = {} } = {}) {
  const startedMs = Date.now();
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
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

/** What the compiler takes by itself. */
const CHECKERS_MAX = 4;

/**
 * One after another: together they would only take the cores from each other. They have their share of the cores from the beginning,
 * the longest first: whatever is left of them when the tests are over has one core, while the other one idles.
 */
async function checks() {
  const tsc = bin('typescript-native/bin/tsc');
  // Each checker works out for itself the types that the files have in common: where the tests leave no core free, one is enough.
  const checkers = String(Math.min(CHECKERS_MAX, Math.max(1, Math.floor(availableParallelism() / 2))));
  const types = (project) => [tsc, '--noEmit', '--checkers', checkers, '-p', project];
  return [
    ...(await step('lint', [bin('oxlint/bin/oxlint'), '--type-aware'], { env: { GOMAXPROCS: checkers } })),
    ...(await step('format', [bin('oxfmt/bin/oxfmt'), '--check'])),
    ...(await step('types', types('tsconfig.check.json'))),
    ...(await step('types of the console', types('src/console/tsconfig.json'))),
  ];
}

/** More files than this, and it is no accident of the moment. */
const SECOND_TRY_FILES = 3;

/**
 * Real processes, browsers and databases on a busy machine now and then meet in an order that nobody thought of. A few
 * files that fail are run once more, by themselves, which tells the kind of fault: what passes only then is named as unsteady, and is to
 * be mended. It fails the quick lane all the same; the slow one, with its kills, nodes and browsers, would hold up other mends by it.
 */
async function tests(args) {
  const folder = mkdtempSync(join(tmpdir(), 'voxgate-tests-'));
  const report = join(folder, 'report.json');
  const run = (title, more) =>
    step(
      title,
      [bin('vitest/vitest.mjs'), 'run', `--tags-filter=${lane.filter}`, '--reporter=default', ...more],
      {
        live: true,
      },
    );
  try {
    const failed = await run('tests', [...args, '--reporter=json', `--outputFile.json=${report}`]);
    const { counts, files } = readReport(report);
    if (files.length === 0 || files.length > SECOND_TRY_FILES) return { failed, counts, unsteady: [] };
    const again = await run('tests that failed, once more', files);
    if (again.length > 0) return { failed, counts, unsteady: [] };
    return { failed: lane.isSlow ? [] : failed, counts, unsteady: files };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** How the tests of this lane ended, and the files that failed; nothing where the runner itself broke down. */
function readReport(report) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  try {
    const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
    for (const { status, assertionResults } of testResults) {
      const ends = assertionResults.filter(({ tags }) => tags.includes(SLOW) === lane.isSlow);
      for (const end of ends) counts[end.status in counts ? end.status : 'skipped']++;
      // A file or a set-up that breaks takes no test with it that could be counted.
      if (status === 'failed' && !ends.some((end) => end.status === 'failed')) counts.failed++;
    }
    const files = testResults
      .filter(({ status }) => status === 'failed')
      .map(({ name }) => relative(root, name));
    return { counts, files };
  } catch {
    return { counts, files: [] };
  }
}

const help = `
usage: npm test [-- PATH ...] [OPTIONS]
       npm run test:slow [-- PATH ...] [OPTIONS]

Installs, builds, and runs one of the two lanes of the tests. npm test runs the quick one and, beside it, lints, checks the format and
type-checks; npm run test:slow runs the rest of the tests. CI runs both.
PATH names the tests to run (test/auth, test/docs.test.ts), all of the lane without it.

OPTIONS are those of the test runner; npx vitest run --help lists them.`;
if (helpIfAsked(help)) process.exit(0);
const given = process.argv.slice(2);
const SLOW = 'slow';
const isSlow = given[0] === '--slow';
const lane = { isSlow, filter: isSlow ? SLOW : `!${SLOW}` };
install();
// Only the installation talks to anybody outside. What is started from here on, several hundred programs, would each read all these
// certificates at its start, which takes more processor time than everything else that Node does until then.
delete process.env.NODE_EXTRA_CA_CERTS;
await build();
const [failedChecks, { failed: failedTests, counts, unsteady }] = await Promise.all([
  isSlow ? [] : checks(),
  tests(isSlow ? given.slice(1) : given),
]);
for (const file of unsteady) say(`UNSTEADY: ${file} failed first and passed by itself. Fix it.`);
const failed = [...failedChecks, ...failedTests];
if (failed.length > 0) say(`failed: ${failed.join(', ')}`);
const { passed, failed: broken, skipped } = counts;
say(
  `${isSlow ? 'slow' : 'quick'} lane: ${passed} passed, ${broken} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
);
process.exitCode = failed.length > 0 ? 1 : 0;
