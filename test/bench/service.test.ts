// @module-tag slow
// The benches of the served program on their smallest input: keeps them running, and shows that mixed calls at once lose
// nothing.
import { expect, it } from 'vitest';
import { run as benchLists } from '../../bench/lists.js';
import { run } from '../../bench/service.js';

it('serves mixed calls at once without errors or lost segments', { timeout: 180_000 }, async () => {
  const { lines, details } = await run({ seconds: 2, tiny: true });
  expect(details).toMatchObject({ errors: {}, lostSegments: 0, mixedVersions: 0 });
  const operations = details?.['operations'] as Record<string, { calls: number; p95Ms: number }>;
  expect(operations['Upload']?.calls).toBeGreaterThan(0);
  for (const [name, figures] of Object.entries(operations)) expect(figures.p95Ms, name).toBeGreaterThan(0);
  expect(details?.['identifyInGroups']).toMatchObject([{ members: 50, found: true }]);
  for (const line of lines) expect(line.value, line.subject).toBeGreaterThan(0);
});

it('shows the lists of a tenant', { timeout: 180_000 }, async () => {
  const { lines, details } = await benchLists({ seconds: 1, tiny: true });
  expect(details).toMatchObject({ persons: 300, sessions: 300 });
  expect(lines.map(({ subject }) => subject)).toContain('persons, first page');
  for (const line of lines) expect(line.value, line.subject).toBeGreaterThan(0);
});
