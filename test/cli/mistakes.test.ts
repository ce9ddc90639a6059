// What the program says to somebody who mistyped a flag, a command or a value.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { voxgate } from './run-voxgate.js';

const HOME = mkdtempSync(join(tmpdir(), 'voxgate-mistakes-'));
afterAll(() => rmSync(HOME, { recursive: true, force: true }));

it.each([
  [['user', 'list', '--jsn'], "unknown option '--jsn'", 'Did you mean --json?'],
  [
    ['client', 'create', 'app', 'name', '--scope', 'tts'],
    "unknown option '--scope'",
    'Did you mean --scopes?',
  ],
  [['app', 'creat', 'Bank'], "unknown command 'creat'", 'Did you mean create?'],
  [['app', 'creat', '--help'], "unknown command 'creat'", 'Did you mean create?'],
  [['verfy', '--help'], "unknown command 'verfy'", 'Did you mean verify?'],
])('names the mistake and the nearest match: %j', async (args, mistake, nearest) => {
  const { code, err, out } = await voxgate(HOME, ...args);
  expect(code).toBe(1);
  expect(err).toContain(mistake);
  expect(err).toContain(nearest);
  // One line for each, not the help of the whole command.
  expect(err.trim().split('\n').length).toBeLessThan(5);
  expect(out).toBe('');
});
