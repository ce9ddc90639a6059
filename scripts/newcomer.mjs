// Follows the README word by word, as somebody does who has just heard of Voxgate: clone, npm start, open the printed
// link, choose a password, try your voice. A microphone into which a made voice speaks stands for the newcomer's. Prints how long each step
// took, and fails when it takes longer than three minutes from `npm start` on. Usage: node scripts/newcomer.mjs [--keep]
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments } from './arguments.mjs';
import { root, say } from './setup.mjs';

const { values } = readArguments(
  `
usage: node scripts/newcomer.mjs [--keep]

Follows the README word by word in a fresh clone and prints how long each step took. --keep leaves the clone there.`,
  { keep: { type: 'boolean', default: false } },
);

const { chromium } = await import('playwright-core');
const { register } = await import('tsx/esm/api');
register();
const { freePort } = await import('../test/auth/support.ts');
const { CHROMIUM_PATH } = await import('../test/console/support.ts');
const { aliveForChecks, speakInto } = await import('../test/console/voices.ts');

const LIMIT_SECONDS = 180;
const PATIENCE_MS = 600_000;
const PASSWORD = 'a sentence that is long enough';

const folder = mkdtempSync(join(tmpdir(), 'voxgate-newcomer-'));
const clone = join(folder, 'voxgate');
const http = `127.0.0.1:${await freePort()}`;
const grpc = `127.0.0.1:${await freePort()}`;

let since = performance.now();
const times = [];
const step = (name) => {
  const seconds = (performance.now() - since) / 1000;
  since = performance.now();
  times.push([name, seconds]);
  say(`${seconds.toFixed(1).padStart(6)} s  ${name}`);
};

const cloned = spawnSync('git', ['clone', '--quiet', '--depth', '1', `file://${root}`, clone], {
  stdio: 'inherit',
});
if (cloned.status !== 0) process.exit(1);
step('git clone');

// Other ports than the README's, so that a server that runs already is not in the way.
const server = spawn('npm', ['start', '--', '--http', http, '--grpc', grpc, '--log-level', 'error'], {
  cwd: clone,
  stdio: ['ignore', 'pipe', 'inherit'],
  detached: true,
});
let browser;
let failed = true;
try {
  const link = await new Promise((resolve, reject) => {
    let text = '';
    server.stdout.on('data', (chunk) => {
      text += chunk;
      const found = /http:\/\/\S+\/setup\?token=\S+/.exec(text);
      if (found) resolve(found[0]);
    });
    server.on('exit', () => reject(new Error(`npm start ended:\n${text}`)));
  });
  step('npm start: install, build, serve, print the link');

  browser = await chromium.launch({
    ...(CHROMIUM_PATH === undefined ? {} : { executablePath: CHROMIUM_PATH }),
    args: ['--no-sandbox', '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
  });
  const context = await browser.newContext({ permissions: ['microphone'] });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  await aliveForChecks(page);
  await speakInto(page, 'anna');
  await page.goto(link);
  await page.getByLabel('New password', { exact: true }).pressSequentially(PASSWORD, { delay: 60 });
  await page.getByLabel('New password again').pressSequentially(PASSWORD, { delay: 60 });
  await page.getByRole('button', { name: 'Set the password and begin' }).click();
  await page.getByRole('heading', { name: 'Hello, Administrator' }).waitFor();
  step('open the link, choose a password, see the first page');

  await page.getByRole('link', { name: 'Try your voice' }).click();
  /** Speaks until the recording ends by itself. */
  const record = async (button) => {
    await page.getByRole('button', { name: button }).click();
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
  };
  for (const take of [1, 2, 3]) {
    await record(`Record sample ${take}`);
    step(`speak sample ${take}`);
    await page
      .getByRole('button', { name: take < 3 ? `Record sample ${take + 1}` : 'Record and verify' })
      .waitFor();
    step(take < 3 ? 'it is found good' : 'it is found good, and the voiceprint is trained');
  }
  await record('Record and verify');
  step('speak once more');
  await page.locator('.outcome').getByText('Verified', { exact: true }).waitFor();
  step('Verified');
  const total = times.slice(1).reduce((sum, [, seconds]) => sum + seconds, 0);
  say(`${total.toFixed(1).padStart(6)} s  from npm start to "Verified"`);
  failed = total > LIMIT_SECONDS;
  if (failed) say(`That is more than ${LIMIT_SECONDS} s.`);
} finally {
  await browser?.close();
  // npm and its child are a group of their own.
  if (server.pid !== undefined && server.exitCode === null) process.kill(-server.pid, 'SIGTERM');
  if (values.keep) say(`kept ${folder}`);
  else rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 500 });
}
process.exit(failed ? 1 : 0);
