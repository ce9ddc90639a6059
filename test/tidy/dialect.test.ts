// The rules of lint that are our own, on code that breaks each of them. What needs types is not asked here.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const ROOT = dirname(dirname(import.meta.dirname));
const FOLDER = mkdtempSync(join(tmpdir(), 'voxgate-lint-'));
afterAll(() => rmSync(FOLDER, { recursive: true }));

/** `line rule` of what is found. */
function lint(code: string, rules: Record<string, unknown>): string[] {
  const [config, file] = [join(FOLDER, 'rules.json'), join(FOLDER, 'code.ts')];
  const jsPlugins = [join(ROOT, 'scripts', 'lint-rules.mjs')];
  writeFileSync(config, JSON.stringify({ jsPlugins, categories: { correctness: 'off' }, rules }));
  writeFileSync(file, code);
  const oxlint = join(ROOT, 'node_modules', 'oxlint', 'bin', 'oxlint');
  const run = spawnSync(process.execPath, [oxlint, '-c', config, '--format', 'unix', file], {
    cwd: FOLDER,
    encoding: 'utf8',
  });
  const found = [...run.stdout.matchAll(/code\.ts:(\d+):\d+: .*\[Error\/voxgate\(([a-z-]+)\)\]/g)];
  return found.map(([, line, rule]) => `${line} ${rule}`).sort();
}

describe('lint', () => {
  it('asks for names in the case of what they name', () => {
    const code = [
      'export function Bad_name(Param: number, { fine_one, other: Bad_two }: Record<string, number>): number {',
      '  let Local = 1;',
      '  return Local + Param + (fine_one ?? 0) + (Bad_two ?? 0);',
      '}',
      'class bad_class { Bad_method(): void {} }',
      'interface bad_interface { wire_name: number }',
      'type Fine<T> = T;',
      'enum Colors { red, Blue }',
      'export const good = (_unused: number): number => 1;',
      'export { bad_class, Colors }; export type { bad_interface, Fine };',
    ].join('\n');
    expect(lint(code, { 'voxgate/names': 'error' })).toEqual([
      '1 names',
      '1 names',
      '1 names',
      '2 names',
      '5 names',
      '5 names',
      '6 names',
      '8 names',
    ]);
  });

  it('lets components of the console begin with a capital', () => {
    const code =
      'export function Page({ Row }: { Row: () => null }) {\n  const Inner = Row;\n  return Inner();\n}\n';
    expect(lint(code, { 'voxgate/names': ['error', 'components'] })).toEqual([]);
    expect(lint(code, { 'voxgate/names': 'error' })).toEqual(['1 names', '2 names']);
  });

  it('tells constants that are text, numbers or booleans from others', () => {
    const code = [
      'export const lower = 1;',
      'export const UPPER = 1;',
      'export const LIST = [1];',
      'export const list = [1] as const;',
      'const text = `a${UPPER}`;',
      'export const isSet: boolean = text !== "";',
      'export const run = () => text;',
    ].join('\n');
    expect(lint(code, { 'voxgate/constant-names': 'error' })).toEqual([
      '1 constant-names',
      '3 constant-names',
      '5 constant-names',
      '6 constant-names',
    ]);
  });

  it('asks for the unit of times that may be absent, of durations and of what a clock said', () => {
    const code = [
      'export interface Row { endedAt: number | undefined; startTime: bigint; timeout: number; idleTimeoutMs: number; kind: number | null }',
      'export const age = (): number => { const before = Date.now() - 5; const beforeMs = Date.now(); return beforeMs - before; };',
      'export const passed = (started: Date): number => { const now = Date.now(); return now - started.getTime(); };',
      'export const isOver = (endMs: number, now: number, nowMs: number): boolean => endMs < now + nowMs;',
      'export const isLate = (now = 0, nowMs = 0, timeout = -1n, { expiresAt = 5, name = 1 } = {}): boolean => now < nowMs;',
    ].join('\n');
    expect(lint(code, { 'voxgate/times-with-unit': 'error' })).toEqual([
      ...['1 times-with-unit', '1 times-with-unit', '1 times-with-unit'],
      '2 times-with-unit',
      '4 times-with-unit',
      ...['5 times-with-unit', '5 times-with-unit', '5 times-with-unit'],
    ]);
  });

  it('asks for #private members and for the unit of a time', () => {
    const code = [
      'export class Clock { private hidden = 1; #own = 2; private constructor() {} told = () => this.#own + this.hidden; }',
      'export interface Row { createdAt: number; createdAtMs: number; from: number; started: string }',
      'export function until(deadline: number, expiresAt: number, to: number): number { return deadline + expiresAt + to; }',
    ].join('\n');
    expect(lint(code, { 'voxgate/private-members': 'error' })).toEqual(['1 private-members']);
    const inherited =
      'export class A { protected b = 1; }\nexport class C extends A { protected override b = 2; }';
    expect(lint(inherited, { 'voxgate/private-members': 'error' })).toEqual(['1 private-members']);
    expect(lint(code, { 'voxgate/times-with-unit': 'error' })).toEqual([
      '2 times-with-unit',
      '3 times-with-unit',
    ]);
    expect(lint(code, { 'voxgate/times-with-unit': ['error', 'bounds'] })).toEqual([
      ...['2 times-with-unit', '2 times-with-unit'],
      ...['3 times-with-unit', '3 times-with-unit'],
    ]);
  });
});
