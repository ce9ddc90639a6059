// The rules of test/tidy.test.ts that read code, on code that breaks each of them: a rule that finds nothing is no rule.
import { describe, expect, it } from 'vitest';
import { longFunctions } from './function-length.js';
import { readsBeforeGate, ungated } from './gates.js';
import { misspelled, privateNames } from './plain-names.js';
import { sourceFile } from './source-files.js';
import { unusedExports } from './unused-exports.js';
import { leftOut, stepsBack } from './walk.js';

const lines = (count: number): string => 'use();\n'.repeat(count);

describe('the rules of the house find', () => {
  it.each([
    ['a function of 71 lines', 'src/a.ts', `function long() {\n${lines(69)}}`, ['src/a.ts:1 long 71']],
    ['none of 70', 'src/a.ts', `function fits() {\n${lines(68)}}`, []],
    [
      'one that hides its lines in functions inside it',
      'src/a.ts',
      `function hides() {\n${`const f = () => {\n${lines(50)}};\n`.repeat(3)}}`,
      ['src/a.ts:1 hides 158'],
    ],
    ['a component of 151 lines', 'src/a.tsx', `function Page() {\n${lines(149)}}`, ['src/a.tsx:1 Page 151']],
    ['no table of short handlers', 'src/a.ts', `const t = {\n${`f() {\n${lines(60)}},\n`.repeat(3)}};`, []],
  ])('%s', (_what, file, code, found) => {
    expect(longFunctions(sourceFile(file, code))).toEqual(found);
  });

  it('exports that nobody imports, and those that only a test does', () => {
    const shared = 'export const used = 1; export const forTest = 2; export const forNobody = 3;';
    const inside = 'export const rule = 1; export interface Shape { a: typeof rule } export type Lonely = 1;';
    const own =
      'export const answer = (shape: Shape): number => rule + shape.a + kept; export const kept = 1;';
    const product = [
      sourceFile('src/a.ts', shared),
      sourceFile('src/b.ts', `${inside} ${own}`),
      sourceFile('bench/c.ts', "import { used } from '../src/a.js'; import { answer } from '../src/b.js';"),
    ];
    const tests = [
      sourceFile(
        'test/a.test.ts',
        "import { forTest } from '../src/a.js'; import { rule } from '../src/b.js';",
      ),
    ];
    expect(unusedExports(product, tests)).toEqual([
      'src/a.ts forTest',
      'src/a.ts forNobody',
      'src/b.ts Shape',
      'src/b.ts Lonely',
      'src/b.ts kept',
    ]);
  });

  it('steps of a walk that lead back up, and files that it leaves out', () => {
    const top = sourceFile(
      'src/biometrics/call/top.ts',
      "import { below } from './below.js';\nfunction own() {}\nbelow(own); below(own()); below(() => 1);",
    );
    const below = sourceFile(
      'src/biometrics/call/below.ts',
      "import { top } from './top.js';\nimport { unnamed } from './unnamed.js';\nimport { rule } from '../rules/rule.js';",
    );
    expect(stepsBack([top, below])).toEqual([
      'src/biometrics/call/top.ts: hands a function of its own to below',
      'src/biometrics/call/top.ts: hands a function of its own to below',
      'src/biometrics/call/below.ts: imports src/biometrics/call/top.ts, which is above',
    ]);
    expect(leftOut([top, below])).toEqual([
      'src/biometrics/call/below.ts: calls src/biometrics/call/unnamed.ts, which is not named',
    ]);
  });

  it('handlers that answer whoever asks, and operations that look before they ask', () => {
    const contract = sourceFile(
      'src/gen/a_pb.ts',
      'export const A: GenService<{ getOpen: {}, getAsked: {} }> = service();',
    );
    const service = sourceFile(
      'src/transport/services/a.ts',
      "import { asks, answers } from '../../tenants/a.js';\nconst handlers = { getOpen: (m, call) => answers(call), getAsked: (m, call) => asks(call) };",
    );
    const operations = sourceFile(
      'src/tenants/a.ts',
      "import { requireTenant } from '../errors.js';\nexport function asks(call) { requireTenant(call); }\nexport function answers(call) { return 1; }",
    );
    expect(ungated([service, operations], [contract])).toEqual(['src/transport/services/a.ts getOpen']);
    const looks = 'function looks(deps, call) { deps.store.find(); openTenant(deps, call); }';
    const waits = 'function waits(deps, call) { openTenant(deps, call); deps.store.find(); }';
    expect(readsBeforeGate([sourceFile('src/tenants/b.ts', `${looks}\n${waits}`)])).toEqual([
      'src/tenants/b.ts looks',
    ]);
  });

  it('names that only their author understands', () => {
    const code =
      'class A { #atDesk = letGoLater(); desktop = 1; }\nconst text = "desk"; const HELD_CALLS = 1;';
    expect(privateNames(sourceFile('src/or-forget.ts', code))).toEqual([
      'src/or-forget.ts or-forget',
      'src/or-forget.ts #atDesk',
      'src/or-forget.ts letGoLater',
      'src/or-forget.ts HELD_CALLS',
    ]);
  });

  it('words that are spelled otherwise, in names as well, but nothing that the wire calls so', () => {
    const text =
      'const isCancelled = CANCELLED_CLIENT; // Cancelling it is a cancellation that was canceled.';
    expect(misspelled('src/a.ts', text)).toEqual(['src/a.ts Cancelled', 'src/a.ts Cancelling']);
  });
});
