// @module-tag slow
// The README's first call, line by line as a reader would paste it, on ports of its own: from an empty folder to a caller
// enrolled and verified, by both examples.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { freePort } from '../support/free-port.js';

const ROOT = dirname(dirname(import.meta.dirname));

it('runs as written', { timeout: 240_000 }, async () => {
  const section =
    readFileSync(join(ROOT, 'README.md'), 'utf8')
      .split(/^## /m)
      .find((part) => part.startsWith('A first call')) ?? '';
  const blocks = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  // grpcurl is not everywhere; reflection has tests of its own.
  const lines = blocks.filter((block) => !block.includes('grpcurl')).join('');
  const [http, grpc] = [await freePort(), await freePort()];
  const script = lines.replaceAll('8090', String(http)).replaceAll('8091', String(grpc));
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: ROOT,
    env: { ...process.env, VOXGATE_ENGINE_WORKERS: '1' },
  });
  const answer = stdout.split('\n').find((line) => line.startsWith('{')) ?? '{}';
  expect(JSON.parse(answer.slice(0, answer.lastIndexOf('}') + 1))).toMatchObject({
    status: { statusCode: 'OK' },
    details: [{ scopeId: 'demo' }],
  });
  const byShell = ['TRAIN_NOT_POSSIBLE', 'TRAIN_NOT_POSSIBLE', 'TRAIN_POSSIBLE'].map(
    (word) => `ENROLL_STATUS_${word}\n`,
  );
  expect(stdout).toContain(
    `${byShell.join('')}TRAIN_REASON_TRAIN_OK\nDECISION_AUTHENTIC\nDECISION_AUTHENTIC\n`,
  );
  expect(stdout).toMatch(/Verification\n.*AUTHENTIC/);
});
