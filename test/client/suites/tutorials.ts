// The tutorials of the API page, step by step as a reader would paste them, in a folder with the recordings that they speak of.
import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tutorials } from '../../../src/transport/openapi/tutorials.js';
import { builtProgram } from '../../support/built-program.js';
import { files, type Kit } from '../kit.js';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const BUILD_MS_MAX = 240_000;

/** What the last lines say. */
const expected: Readonly<Record<string, RegExp>> = {
  'tutorial-developer':
    /true ENROLL_OK ENROLL_OK ENROLL_OK\nAUTHENTIC VOICEPRINT_MATCH \d+\nPerson +tutorial-anna/,
  'tutorial-integrator': /Verified .*\(stopped\)/,
  'tutorial-analyst': /Fraud risk[^]*a known fraudster[^]*exit code 2\n[^]*DetectKnownFraudsters/,
};

/** Nobody but the reader is asked for anything. */
const npmAlone = { npm_config_offline: 'true', npm_config_update_notifier: 'false' };

export function tutorialsSuite(kit: () => Kit, clientPackage: () => string): void {
  // Beside the repository: nothing is found there that a reader has not installed.
  const folder = mkdtempSync(join(tmpdir(), 'voxgate-tutorials-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  beforeAll(async () => {
    await builtProgram();
    const names = ['1.wav', '2.wav', '3.wav', '4.wav'];
    files('anna', 1, 2, 3, 4).forEach((file, index) => copyFileSync(file, join(folder, names[index] ?? '')));
  }, BUILD_MS_MAX);

  it.each(tutorials)('$title', async ({ id, steps }) => {
    const script = steps.map(({ code }) => code).join('\n');
    const path = `${join(ROOT, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`;
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: folder,
      env: {
        ...process.env,
        ...npmAlone,
        // They make a client of their own.
        VOXGATE_SERVER: kit().credentials.server,
        VOXGATE_HOME: kit().installation.folder,
        PATH: path,
        VOXGATE_CLIENT_PACKAGE: clientPackage(),
        VOICES: '.',
      },
    });
    expect(stdout).toMatch(expected[id] ?? /^$/);
  });
}
