// The program from outside: a process that serves, answers, and ends orderly when told to.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildProgram } from '../../src/cli/index.js';
import type { CliIo } from '../../src/cli/io.js';
import { loadConfig } from '../../src/config.js';
import { builtProgram } from '../support/built-program.js';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const VOXGATE = fileURLToPath(new URL('../../bin/voxgate', import.meta.url));
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'voxgate-cli-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Runs a command in this process. */
async function run(...args: string[]): Promise<{ out: string; err: string; code: number }> {
  let out = '';
  let err = '';
  let code = 0;
  const io: CliIo = {
    out: (text) => (out += `${text}\n`),
    err: (text) => (err += `${text}\n`),
    exit: (value) => (code = value),
    loadConfig: (flags, settings = {}) =>
      loadConfig({
        env: {},
        file: flags.config,
        flags: { ...settings, home: flags.home, database: flags.database },
      }),
  };
  await (await buildProgram(io, args[0])).parseAsync(['node', 'voxgate', ...args]);
  return { out, err, code };
}

describe('command line', () => {
  it('prints its version, for people and for programs', async () => {
    expect((await run('version')).out).toMatch(/^voxgate \d+\.\d+\.\d+\n$/);
    expect(JSON.parse((await run('version', '--json')).out)).toMatchObject({ name: 'voxgate' });
  });

  it('reports every configuration fault and exits with 1', async () => {
    const { err, code } = await run('serve', '--home', home, '--http', 'nowhere', '--log-level', 'loud');
    expect(code).toBe(1);
    expect(err).toMatch(/http\.address \(flag\).*\n.*log\.level \(flag\)/);
    const json = await run('serve', '--home', home, '--http', 'nowhere', '--json');
    expect(JSON.parse(json.out).faults).toEqual(['http.address (flag): must be HOST:PORT']);
  });

  it('has help and --json on every command', async () => {
    const program = await buildProgram({
      out: () => {},
      err: () => {},
      exit: () => {},
      loadConfig: () => loadConfig({ env: {} }),
    });
    expect(program.commands.map((command) => command.name())).toEqual(
      expect.arrayContaining(['serve', 'version']),
    );
    const leaves = program.commands.flatMap((command) =>
      command.commands.length > 0 ? [...command.commands] : [command],
    );
    const without = leaves
      .filter((command) => !command.helpInformation().includes('--json'))
      .map((command) => command.name());
    expect(without).toEqual([]);
    expect(leaves.filter((command) => command.description() === '').map((command) => command.name())).toEqual(
      [],
    );
  });

  it('serves until SIGTERM and then ends with 0', { timeout: 120_000 }, async () => {
    await builtProgram();
    const child = spawn(
      process.execPath,
      [MAIN, 'serve', '--home', home, '--http', '127.0.0.1:0', '--grpc', '127.0.0.1:0', '--json'],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    let log = '';
    child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const addresses = JSON.parse(line.toString()) as { http: string; grpc: string };
    expect((await fetch(`${addresses.http}/healthz`)).status).toBe(200);
    expect((await fetch(`${addresses.http}/readyz`)).status).toBe(200);
    expect((await fetch(`${addresses.http}/v1/scopes`)).status).toBe(401);
    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number | null];
    expect(code).toBe(0);
    const lines = log
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as Record<string, unknown>);
    expect(lines.at(-1)).toMatchObject({ level: 'info', msg: 'stopped' });
    expect(
      lines.some((entry) => entry['code'] === 'REFUSED_401' && typeof entry['requestId'] === 'string'),
    ).toBe(true);
  });

  // Whoever signs in under another address is refused by the console.
  it('prints the address that tokens name, also where that is a name', { timeout: 120_000 }, async () => {
    await builtProgram();
    const child = spawn(
      process.execPath,
      [MAIN, 'serve', '--home', home, '--http', 'localhost:0', '--grpc', 'localhost:0'],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    );
    const [printed] = (await once(child.stdout, 'data')) as [Buffer];
    const [, url] = /^Console {2}(http:\/\/localhost:\d+)$/m.exec(printed.toString()) ?? [];
    const metadata = await fetch(`${url}/.well-known/openid-configuration`);
    expect(await metadata.json()).toMatchObject({ issuer: url });
    child.kill('SIGTERM');
    await once(child, 'exit');
  });

  it('prints no link to a password where nobody signs in with one', { timeout: 120_000 }, async () => {
    await builtProgram();
    const printedWith = async (env: Record<string, string>): Promise<string> => {
      const child = spawn(
        process.execPath,
        [MAIN, 'serve', '--home', home, '--http', '127.0.0.1:0', '--grpc', '127.0.0.1:0'],
        { stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, ...env } },
      );
      const [printed] = (await once(child.stdout, 'data')) as [Buffer];
      child.kill('SIGTERM');
      await once(child, 'exit');
      return printed.toString();
    };
    const company = {
      VOXGATE_SIGN_IN_LOCAL_ACCOUNTS: 'false',
      VOXGATE_SIGN_IN_PROVIDER_ISSUER: 'http://127.0.0.1:9',
      VOXGATE_SIGN_IN_PROVIDER_CLIENT_ID: 'voxgate',
    };
    expect(await printedWith(company)).not.toContain('/setup');
    expect(await printedWith({})).toContain('/setup?token=');
  });

  it.runIf(existsSync('/proc/self/limits'))('says it when too few files may be open', async () => {
    await builtProgram();
    const command = `ulimit -n 64; exec ${process.execPath} ${VOXGATE} version`;
    const { status, stderr } = spawnSync('bash', ['-c', command], { encoding: 'utf8' });
    // Newer versions of Node make do with so few.
    if (status === 0) expect(stderr).toBe('');
    else
      expect([status, stderr]).toEqual([
        1,
        expect.stringMatching(/^voxgate: only 64 files may be open.*\n$/),
      ]);
  });
});
