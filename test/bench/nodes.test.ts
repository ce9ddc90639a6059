// @module-tag slow
// A short run of the nodes bench: three nodes with 256 MB of heap, each killed once under load, lose nothing that they
// acknowledged, and end by nothing but the kills.
import { beforeAll, expect, it } from 'vitest';
import { run } from '../../bench/nodes.js';
import { builtProgram } from '../support/built-program.js';

beforeAll(builtProgram, 120_000);

it('loses nothing acknowledged while nodes die', { timeout: 900_000 }, async () => {
  const { compared, details } = await run({ seconds: 10, tiny: true, seed: 3 });
  expect(compared).toContain('256 MB of heap');
  expect(details).toMatchObject({ wrong: [], lost: 0, unexpected: {}, failedTwice: {}, unexpectedEnds: 0 });
  expect(details?.['kills']).toBeGreaterThanOrEqual(3);
  expect(details?.['operations']).toBeGreaterThan(20);
});
