// The Python client against the same server, with whatever Python 3 this machine has.
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { callSamples, linear16 } from '../../live/support.js';
import { files, type Kit } from '../kit.js';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const PACKAGE = join(ROOT, 'packages', 'python');
const run = promisify(execFile);
const HAS_PYTHON = spawnSync('python3', ['--version']).status === 0;
const WHERE = HAS_PYTHON ? '' : ' (skipped: there is no python3)';

export function pythonSuite(kit: () => Kit): void {
  const python = async (...args: string[]): Promise<string[]> => {
    const env = { ...process.env, ...kit().environment, PYTHONPATH: PACKAGE, PYTHONDONTWRITEBYTECODE: '1' };
    return (await run('python3', args, { env })).stdout.trim().split('\n');
  };

  it('has every operation of the OpenAPI document', async () => {
    const answer = await fetch(`${kit().credentials.server}/openapi.json`);
    const { paths } = (await answer.json()) as {
      paths: Record<string, Record<string, { deprecated?: boolean; summary: string }>>;
    };
    const inDocument = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([verb, { summary }]) => `${summary} ${verb.toUpperCase()} ${camelCase(path)}`,
      ),
    );
    const known = new Set(inDocument);
    const source = readFileSync(join(PACKAGE, 'voxgate', 'operations.py'), 'utf8');
    const methods = [...source.matchAll(/def (\w+)\(self, request[^]*?_call\("(\w+)", "([^"]+)"/g)].map(
      ([, name = '', verb = '', path = '']) => `${pascalCase(name)} ${verb} ${path}`,
    );
    expect(methods.filter((method) => !known.has(method))).toEqual([]);
    const operations = new Set(inDocument.map((line) => line.split(' ')[0]));
    expect(new Set(methods.map((line) => line.split(' ')[0]))).toEqual(operations);
  });

  it.skipIf(!HAS_PYTHON)(`has an example that enrolls and verifies${WHERE}`, async () => {
    const [verification = '', ...enrollment] = files('dora', 4, 1, 2, 3);
    const lines = await python(
      join(PACKAGE, 'examples/enroll_and_verify.py'),
      'dora-python',
      verification,
      ...enrollment,
    );
    expect(lines.at(-1)).toMatch(/^AUTHENTIC VOICEPRINT_MATCH risk \d+$/);
  });

  it.skipIf(!HAS_PYTHON)(`does what the library does${WHERE}`, async () => {
    const [own = '', other = ''] = [...files('dora', 5), ...files('bruno', 5)];
    const raw = join(kit().installation.folder, 'call.raw');
    writeFileSync(raw, linear16(await callSamples('dora', [4, 5], 8000)));
    const lines = await python(join(import.meta.dirname, '..', 'python_checks.py'), own, other, raw);
    const told = Object.fromEntries(lines.map((line) => JSON.parse(line) as [string, unknown]));
    expect(told).toMatchObject({
      impostor: 'NO_MATCH',
      identified: ['AUTHENTIC', true],
      'all compared': null,
      'one left out': { count: 1, members: 2 },
      assessment: [true, true, false],
      session: 'AUTHENTIC',
      persons: expect.arrayContaining(['dora-python', 'twice']) as string[],
      events: ['voxgate.v1.CreateGroup'],
      'no more events': [],
      live: ['AUTHENTIC', true, 0],
      'live without a target': ['INVALID_REQUEST', null, expect.anything()],
      'live in no format': ['INVALID_REQUEST', null, []],
      'done once': true,
      'no such person': ['NOT_FOUND', null, []],
      'missing field': ['INVALID_REQUEST', null, ['context.gkScopeId']],
      'wrong secret': ['UNAUTHENTICATED', 'invalid_client', []],
      'refused token': ['UNAUTHENTICATED', null, []],
      'asked for tokens': [null, 'not a token'],
      offline: ['OFFLINE', null, []],
      pauses: 4,
      busy: ['BUSY', 7],
    });
  });
}

const camelCase = (path: string): string =>
  path.replace(/_([a-z])(?=[^{}]*\})/g, (_all, letter: string) => letter.toUpperCase());

const pascalCase = (name: string): string =>
  `_${name}`.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
