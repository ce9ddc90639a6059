// The lines of the API page that come before requests about a call, and the sample of Verify, pasted one after the other.
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
  await platform.printOf('anna');
});
afterAll(async () => {
  await platform?.stop();
  rmSync(FOLDER, { recursive: true, force: true });
});

it('the sample of Verify works as it is pasted', async () => {
  const recording = join(FOLDER, 'call.wav');
  writeFileSync(recording, utterance('anna', 4));
  const { body } = await platform.server.rest('GET', '/openapi.json');
  const verify = body.paths['/v1/voiceprints/{gk_voiceprint_profile_id.value}/verification'].post;
  const script = `${CALL_SAMPLE}\n${verify['x-codeSamples'][0].source}`;
  const { stdout } = await promisify(execFile)('bash', ['-c', script], {
    env: {
      ...process.env,
      RECORDING: recording,
      VOXGATE: platform.server.httpUrl,
      TOKEN: TEST_TOKEN,
      GK_SCOPE_ID: platform.gkScopeId,
    },
  });
  expect(stdout).toContain('"DECISION_AUTHENTIC"');
}, 60_000);
