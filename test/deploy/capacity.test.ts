// The calculator of the capacity guide: more of everything costs more, and the guide's table is what it says.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');

interface Capacity {
  busyCores: number;
  nodes: number;
  memoryGigabytesPerNode: number;
  recordingsGigabytes: number;
  databaseGigabytes: number;
  costPerMonth: number;
}

const { capacity } = (await import(join(ROOT, 'deploy', 'capacity.mjs'))) as {
  capacity(given?: Record<string, number>): Capacity;
};

const gigabytes = (value: number): string =>
  value >= 1000 ? `${(value / 1000).toFixed(1)} TB` : `${value.toFixed(0)} GB`;

it('says what the guide says', () => {
  const guide = readFileSync(join(ROOT, 'docs', 'guides', 'capacity.md'), 'utf8');
  const rows = [...guide.matchAll(/^\| ([\d,]+) \| ([\d,]+) \| (live|recorded) \| (.+) \|$/gm)];
  expect(rows.length).toBeGreaterThan(3);
  for (const [, calls = '', prints = '', how, said] of rows) {
    const asked = { calls: Number(calls.replaceAll(',', '')), prints: Number(prints.replaceAll(',', '')) };
    const got = capacity({ ...asked, live: how === 'live' ? 1 : 0 });
    const figures = [
      got.busyCores.toFixed(1),
      String(got.nodes),
      `${got.memoryGigabytesPerNode.toFixed(1)} GB`,
      gigabytes(got.recordingsGigabytes),
      gigabytes(got.databaseGigabytes),
    ];
    expect(figures.join(' | ')).toBe(said);
  }
});

it.each<[string, Record<string, number>, keyof Capacity]>([
  ['calls', { calls: 2000 }, 'busyCores'],
  ['listening', { live: 1 }, 'nodes'],
  ['prints', { prints: 5_000_000 }, 'databaseGigabytes'],
  ['searched prints', { printsSearched: 1_000_000 }, 'memoryGigabytesPerNode'],
  ['days', { keptDays: 365 }, 'recordingsGigabytes'],
  ['a dearer core', { priceCoreMonth: 50 }, 'costPerMonth'],
])('more %s need more', (_what, given, figure) => {
  expect(capacity(given)[figure]).toBeGreaterThan(capacity()[figure]);
});

it('never counts on one node alone', () => {
  expect(capacity({ calls: 1, prints: 1 }).nodes).toBe(2);
});

it.each([
  [['--calls', 'many'], '--calls: must be a number from 0 to'],
  [['--calls', ''], '--calls: must be a number from 0 to'],
  [['--prints', 'Infinity'], '--prints: must be a number from 0 to'],
  [['--live', '2'], '--live: must be a share from 0 to 1'],
  [['--call-seconds', '0'], '--call-seconds: must be more than 0'],
  [['--calls', '-5'], '--calls'],
  [['--nonsense', '1'], "'--nonsense'"],
  [['100'], "'100'"],
])('refuses %j in one sentence', (args, said) => {
  const { status, stdout, stderr } = run(...args);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toContain(said);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
});

it('says what it can be asked', () => {
  const { status, stdout } = run('--help');
  expect(status).toBe(0);
  expect(stdout).toContain('--calls <number>  (default: 1000)');
});

function run(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [join(ROOT, 'deploy', 'capacity.mjs'), ...args], { encoding: 'utf8' });
}
