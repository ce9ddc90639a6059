// What a release brings is installed as on a machine that has Node and npm and nothing else: no registry, no repository, no compiler.
import { execFile, spawn, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { arch, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
// @ts-expect-error -- a script of the repository, without types
import { gzip, tar } from '../../scripts/release/archive.mjs';
// @ts-expect-error -- a script of the repository, without types
import { packPython } from '../../scripts/release/python.mjs';
// @ts-expect-error -- a script of the repository, without types
import { packServer, stageServer } from '../../scripts/release/server.mjs';
import { builtProgram } from '../support/built-program.js';
import { Client, type Served } from '../support/served-program.js';

const ROOT = join(import.meta.dirname, '..', '..');
const TIMEOUT_MS = 600_000;
const INSTALLED_BYTES_MAX = 300e6;
const SECONDS = 1_700_000_000;
const run = promisify(execFile);
const HAS_PYTHON = spawnSync('python3', ['-m', 'pip', '--version']).status === 0;
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };

const FOLDER = mkdtempSync(join(tmpdir(), 'voxgate-release-'));
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

describe.runIf(process.platform === 'linux')(
  'the server of a release',
  { tags: 'slow', timeout: TIMEOUT_MS },
  () => {
    const tarball = join(FOLDER, 'voxgate.tgz');
    const home = join(FOLDER, 'home');
    // Nothing of this checkout reaches npm or the program, and nothing is fetched.
    const env = { PATH: process.env['PATH'], HOME: home, npm_config_offline: 'true' };
    const npm = (...args: string[]) =>
      run('npm', [...args, '--global', '--prefix', home], { env, cwd: home });
    const voxgate = join(home, 'bin', 'voxgate');

    beforeAll(async () => {
      await builtProgram();
      mkdirSync(home);
      const stage = join(FOLDER, 'stage');
      expect(stageServer(stage, arch())).toBeLessThan(INSTALLED_BYTES_MAX);
      packServer(stage, arch(), tarball, SECONDS);
      await npm('install', tarball);
    }, TIMEOUT_MS);

    it('is started, answers a first call, is installed again over its data and removed', async () => {
      expect((await run(voxgate, ['version'], { env })).stdout).toBe(`voxgate ${version}\n`);
      const first = await started();
      const secret = first.bootstrap.application.client_secret ?? '';
      expect(await (await fetch(`${first.http}/healthz`)).json()).toEqual({ status: 'ok', version });
      expect((await Client.of(first, secret)).context.gkScopeId.value).toBe(
        first.bootstrap.scope.gk_scope_id,
      );
      expect(await first.stopped()).toBe(0);
      await npm('install', tarball);
      const second = await started();
      expect((await Client.of(second, secret)).context.gkScopeId.value).toBe(
        first.bootstrap.scope.gk_scope_id,
      );
      expect(await second.stopped()).toBe(0);
      await npm('uninstall', 'voxgate');
      expect(readdirSync(join(home, 'lib', 'node_modules'))).not.toContain('voxgate');
      expect(readdirSync(join(home, 'var'))).toContain('voxgate.db');
    });

    /** As `npm start` does, in a folder of its own. */
    async function started(): Promise<Served & { stopped(): Promise<number | null> }> {
      const flags = ['--json', '--http', '127.0.0.1:0', '--grpc', '127.0.0.1:0'];
      const child = spawn(voxgate, ['start', ...flags], {
        env,
        cwd: home,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let log = '';
      child.stderr.on('data', (piece: Buffer) => (log += piece.toString()));
      const line = await new Promise<string>((resolve, reject) => {
        child.stdout.once('data', (piece: Buffer) => resolve(piece.toString()));
        child.once('exit', (code) => reject(new Error(`it ended with ${code}: ${log}`)));
      });
      const { http, bootstrap } = JSON.parse(line) as Pick<Served, 'http' | 'bootstrap'>;
      const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
      const stopped = () => (child.kill('SIGTERM'), exit);
      return { program: 'dist', process: child, http, bootstrap, stopped };
    }
  },
);

it.runIf(process.platform === 'linux')(
  'an archive of the same files is the same bytes, whoever makes it when',
  () => {
    const made = [0o022, 0o077].map((umask, at) => {
      const folder = join(FOLDER, `tree-${at}`);
      const before = process.umask(umask);
      mkdirSync(join(folder, 'lib'), { recursive: true });
      for (const name of at === 0 ? ['a', 'b'] : ['b', 'a']) writeFileSync(join(folder, 'lib', name), name);
      process.umask(before);
      utimesSync(join(folder, 'lib', 'a'), at, at);
      tar(`${folder}.tar`, folder, ['lib'], { seconds: SECONDS });
      gzip(`${folder}.tar`, `${folder}.tgz`);
      return readFileSync(`${folder}.tgz`).toString('base64');
    });
    expect(made[0]).toBe(made[1]);
  },
);

describe('the Python client of a release', { tags: 'slow' }, () => {
  it.runIf(HAS_PYTHON)('is the same every time, and is taken by pip', { timeout: TIMEOUT_MS }, async () => {
    const made = await Promise.all(
      ['a', 'b'].map(async (name) => {
        const out = join(FOLDER, name);
        mkdirSync(out);
        await packPython(join(FOLDER, `python-${name}`), out, SECONDS);
        return readdirSync(out).map((file) => [file, readFileSync(join(out, file)).toString('base64')]);
      }),
    );
    expect(made[0]).toEqual(made[1]);
    const names = [`voxgate-${version}-py3-none-any.whl`, `voxgate-${version}.tar.gz`];
    expect(made[0]?.map(([file]) => file)).toEqual(names);
    const target = join(FOLDER, 'site');
    const pip = ['-m', 'pip', 'install', '--quiet', '--no-index', '--target', target];
    await run('python3', [...pip, join(FOLDER, 'a', names[0] ?? '')]);
    const told = await run('python3', ['-c', 'import voxgate; print(voxgate.__file__)'], {
      env: { PYTHONPATH: target },
    });
    expect(told.stdout.trim()).toBe(join(target, 'voxgate', '__init__.py'));
  });
});
