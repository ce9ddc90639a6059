// @module-tag slow
// The program as it is run, where something that it needs is wrong: it refuses to start in one line that names what, and
// serves with all its data once that is mended.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/platform.js';
import { openStorage } from '../../src/storage/open-storage.js';
import { newMasterKey } from '../../src/storage/sealing/master-key.js';
import { readSetting, writeSetting } from '../../src/storage/settings.js';
import { writeTinyModels } from '../inference/tiny-models.js';
import { builtProgram } from '../support/built-program.js';

const VOXGATE = fileURLToPath(new URL('../../bin/voxgate', import.meta.url));
const NOTE = 'what was acknowledged';

const FOLDER = mkdtempSync(join(tmpdir(), 'voxgate-refused-'));
const HOME = join(FOLDER, 'home');
const KEY_FILE = join(HOME, 'master.key');
const { modelsDir } = writeTinyModels();
const MODEL = join(modelsDir, 'speaker-tiny-1', 'model.onnx');

beforeAll(async () => {
  await builtProgram();
  const storage = await openStorage({ home: HOME, databaseUrl: '', masterKey: '', clock: systemClock });
  await writeSetting(storage.database, NOTE, 'is there');
  await storage.close();
}, 120_000);
afterAll(() => {
  for (const each of [FOLDER, modelsDir]) rmSync(each, { recursive: true, force: true });
});

const command = (filesMax: number): string[] => [
  '-c',
  `ulimit -n ${filesMax}; exec "${process.execPath}" "${VOXGATE}" serve --home "${HOME}" --http 127.0.0.1:0 --grpc 127.0.0.1:0 --json`,
];
const env = {
  ...process.env,
  VOXGATE_ENGINE_MODELS_DIR: modelsDir,
  VOXGATE_ENGINE_WORKERS: '1',
  VOXGATE_LOG_LEVEL: 'silent',
};

/** What it says, and that it says it in one line and ends with 1. */
function refusal(filesMax = 2048): string {
  const { status, stdout, stderr } = spawnSync('bash', command(filesMax), { encoding: 'utf8', env });
  const said = `${stdout}${stderr}`.trim();
  expect([said, said.split('\n').length, status]).toEqual([said, 1, 1]);
  return said;
}

const otherKey = (): string => Buffer.from(newMasterKey().bytes).toString('base64');

/** Spoils something, and answers how to mend it. */
type Spoil = () => () => void;

const spoilFile =
  (path: string, spoil: (path: string) => void): Spoil =>
  () => {
    const aside = `${path}.aside`;
    writeFileSync(aside, readFileSync(path), { mode: 0o600 });
    spoil(path);
    return () => renameSync(aside, path);
  };

describe('a server does not start', () => {
  it.each<[string, Spoil, RegExp]>([
    [
      'with the master key of another installation',
      spoilFile(KEY_FILE, (path) => writeFileSync(path, otherKey())),
      /sealed with master key \w+; .*master\.key holds key/,
    ],
    [
      'with a master key that is too short',
      spoilFile(KEY_FILE, (path) => writeFileSync(path, 'short')),
      /master\.key.*32 bytes/,
    ],
    [
      'without its master key',
      spoilFile(KEY_FILE, (path) => rmSync(path)),
      /sealed with master key \w+; .*master\.key holds none/,
    ],
    [
      'with a damaged model',
      spoilFile(MODEL, (path) => appendFileSync(path, 'x')),
      /speaker-tiny-1.*model\.onnx: its SHA-256 is not/,
    ],
    [
      'without a model',
      spoilFile(MODEL, (path) => rmSync(path)),
      /speaker-tiny-1.*model\.onnx: cannot be read/,
    ],
  ])('%s', (_what, spoil, said) => {
    const mend = spoil();
    try {
      expect(refusal()).toMatch(said);
      // No new key is made in the place of one that is gone.
      if (said.source.includes('none')) expect(existsSync(KEY_FILE)).toBe(false);
    } finally {
      mend();
    }
  });

  it.runIf(existsSync('/proc/self/limits')).each([64, 512])('where only %i files may be open', (filesMax) => {
    expect(refusal(filesMax)).toContain(`only ${filesMax} files may be open`);
  });

  it('and is whole when that is mended', { timeout: 120_000 }, async () => {
    const child = spawn('bash', command(2048), { env, stdio: ['ignore', 'pipe', 'ignore'] });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { http } = JSON.parse(line.toString()) as { http: string };
    expect((await fetch(`${http}/readyz`)).status).toBe(200);
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
    const storage = await openStorage({ home: HOME, databaseUrl: '', masterKey: '', clock: systemClock });
    expect(await readSetting(storage.database, NOTE)).toBe('is there');
    await storage.close();
  });
});
