// @module-tag slow
// A worker that is ended inside the ONNX runtime takes the whole process with it; so none is.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { childProgram } from '../support/child-program.js';
import { speechWav } from './speech-file.js';

it('closes with work under way, answers every caller, and the process lives', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'voxgate-shutdown-'));
  const file = join(folder, 'speech.wav');
  writeFileSync(file, await speechWav('bruno', [1, 2, 3]));
  const child = await childProgram(join(import.meta.dirname, 'shutdown-child.ts'));
  const { stdout } = await promisify(execFile)(process.execPath, [child, file]);
  rmSync(folder, { recursive: true });
  const canceled = Array.from({ length: 3 }, () => 'CANCELLED_CLIENT');
  const closed = Array.from({ length: 3 }, () => 'CANCELLED_SERVER');
  expect(JSON.parse(stdout)).toEqual([...canceled, ...closed]);
}, 120_000);
