// What is published: small, complete, with types that a stranger's compiler takes, and with examples that run.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, readFileSync, statSync, symlinkSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
// @ts-expect-error -- a script of the repository, without types
import { packClient } from '../../../scripts/release/client.mjs';
import { callSamples, linear16 } from '../../live/support.js';
import { files, type Kit } from '../kit.js';
import { tutorialsSuite } from './tutorials.js';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const TARBALL_BYTES_MAX = 70_000;
const BUILD_MS_MAX = 240_000;
const TSC = join(ROOT, 'node_modules/typescript-native/bin/tsc');
const run = promisify(execFile);

/** Of a program that is strict with itself, and with the declarations of what it uses. */
const compilerSettings = {
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
  },
  files: ['program.mts'],
};

/** A program of somebody who has installed the package. */
const PROGRAM = `
import { Voxgate, VoxgateError, type CheckResult } from '@voxgate/client';
import { Microphone } from '@voxgate/client/microphone';
const voxgate = new Voxgate({ server: '', tenant: '', token: async () => 'x' });
const result: CheckResult = await voxgate.verify('anna', new Uint8Array(1));
const isFraud: boolean = result.decision === 'FRAUD';
for await (const { details } of voxgate.each('ListPersons', { context: voxgate.context, pageSize: 5 }))
  console.log(details?.personId?.toUpperCase(), isFraud);
for await (const { data } of voxgate.events()) console.log(data?.gkSessionId);
const microphone = await Microphone.open();
for await (const { state } of voxgate.live(microphone, { format: microphone.format, groupId: 'g' })) console.log(state);
// @ts-expect-error no such operation
await voxgate.call('ListPeople', {});
// @ts-expect-error no such decision
console.log(result.decision === 'MAYBE', new VoxgateError('x', { code: 'BUSY' }).fields);
`;

export function packageSuite(kit: () => Kit): void {
  const folder = mkdtempSync(join(tmpdir(), 'voxgate-package-'));
  const modules = join(folder, 'node_modules');
  const installed = join(modules, '@voxgate', 'client');
  const tarball = join(folder, 'client.tgz');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  beforeAll(() => {
    // As in a checkout of somebody who keeps their files to themselves.
    const before = process.umask(0o077);
    packClient(join(folder, 'pack'), tarball, 1_700_000_000);
    process.umask(before);
    mkdirSync(installed, { recursive: true });
    execFileSync('tar', ['xzf', tarball, '-C', installed, '--strip-components=1']);
    // What a user on Node 20 installs beside it.
    symlinkSync(join(ROOT, 'node_modules/ws'), join(modules, 'ws'));
  }, BUILD_MS_MAX);

  const example = (name: string, ...args: string[]) =>
    spawn(process.execPath, [join(installed, 'examples', name), ...args], {
      env: { ...process.env, ...kit().environment },
      stdio: ['pipe', 'pipe', 'inherit'],
    });

  it('may be read by everybody, whatever the rights of the checkout', async () => {
    const { stdout } = await run('tar', ['-tvzf', tarball]);
    const entries = stdout.split('\n').filter((line) => line.startsWith('-'));
    expect(entries.length).toBeGreaterThan(20);
    expect(entries.filter((line) => !line.startsWith('-rw-r--r--'))).toEqual([]);
  });

  it('is small', () => {
    expect(statSync(tarball).size).toBeLessThan(TARBALL_BYTES_MAX);
  });

  it('is what Node, bundlers and compilers expect', async () => {
    const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(version).toBe(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version);
    const { messages } = await publint({ pkgDir: installed, strict: true });
    expect(messages).toEqual([]);
    // Neither packages for CommonJS nor compilers without `exports` are served; a worklet has no types.
    const attw = join(ROOT, 'node_modules/@arethetypeswrong/cli/dist/index.js');
    const settings = [
      '--profile',
      'esm-only',
      '--exclude-entrypoints',
      'recorder-worklet.js',
      'package.json',
    ];
    await run(process.execPath, [attw, tarball, ...settings]);
  });

  it('has types that a program can be checked with', async () => {
    writeFileSync(join(folder, 'program.mts'), PROGRAM);
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(compilerSettings));
    const told = await run(process.execPath, [TSC, '--project', folder, '--listFiles'])
      .catch((fault: { stdout: string }) => fault)
      .then(({ stdout }) => stdout.trim().split('\n'));
    const read = told.filter((line) => line.startsWith(`${installed}/`));
    expect(read.length).toBeGreaterThan(5);
    // Nothing is told but which files were read.
    expect(told.filter((line) => !line.startsWith('/') || line.includes(': error '))).toEqual([]);
  });

  it('has an example that enrolls and verifies', async () => {
    const [verification = '', ...enrollment] = files('dora', 4, 1, 2, 3);
    const child = example('enroll-and-verify.mjs', 'dora', verification, ...enrollment);
    const lines = (await text(child.stdout)).trim().split('\n');
    expect(lines.map((line) => line.replace(/[\d.]+$/, 'N'))).toEqual([
      'ENROLL_OK N',
      'ENROLL_OK N',
      'ENROLL_OK N',
      'AUTHENTIC VOICEPRINT_MATCH risk N',
    ]);
  });

  it('has an example of a live call', async () => {
    const child = example('live-call.mjs', 'dora');
    child.stdin.end(linear16(await callSamples('dora', [4, 5], 8000)));
    const lines = (await text(child.stdout)).trim().split('\n');
    expect(lines.at(-1)).toMatch(/^AUTHENTIC .* final$/);
  });

  it('has an example that reads events', async () => {
    const lines = (await text(example('events.mjs').stdout)).trim().split('\n');
    expect(lines.filter((line) => line.includes(' voxgate.v1.Verify ')).length).toBeGreaterThan(0);
    expect(lines.at(-1)).toMatch(/^cursor f/);
  });

  describe('the tutorials of the API page', () => tutorialsSuite(kit, () => tarball));
}
