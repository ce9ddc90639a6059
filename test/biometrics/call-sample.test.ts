// The lines of the API page that come before requests about a call, and the samples of three operations, pasted one after the other.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CALL_SAMPLE } from '../../src/transport/openapi/sample.js';
import { TEST_TOKEN } from '../support/server.js';
import { Platform, utterance } from './support.js';

let platform: Platform;
const FOLDER = mkdtempSync(join(tmpdir(), 'voxgate-sample-'));
beforeAll(async () => {
  platform = await Platform.start();
  // Somebody else's print, which must not be touched.
  await platform.printOf('bruno', 'fraudster');
});
afterAll(async () => {
  await platform?.stop();
  rmSync(FOLDER, { recursive: true, force: true });
});

it('the samples of Verify, Enroll and Train work as they are pasted', async () => {
  for (const index of [1, 2, 3, 4]) writeFileSync(join(FOLDER, `${index}.wav`), utterance('anna', index));
  const { body } = await platform.server.rest('GET', '/openapi.json');
  const sampleOf = (operation: string): string =>
    body.paths[`/v1/voiceprints/{gk_voiceprint_profile_id.value}/${operation}`].post['x-codeSamples'][0]
      .source;
  const pasted = [CALL_SAMPLE, ...['verification', 'enrollment', 'training'].map(sampleOf)].join('\n');
  const { stdout } = await promisify(execFile)('bash', ['-c', pasted], {
    cwd: FOLDER,
    env: {
      ...process.env,
      VOXGATE: platform.server.httpUrl,
      TOKEN: TEST_TOKEN,
      VOICES: '.',
      GK_SCOPE_ID: platform.gkScopeId,
    },
  });
  expect(stdout).toContain('"DECISION_AUTHENTIC"');
  expect(stdout).toContain('"ENROLL_REASON_ENROLL_OK"');
  expect(stdout.match(/"TRAIN_STATUS_TRAINED"/g)).toHaveLength(2);
}, 60_000);
