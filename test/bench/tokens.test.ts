// @module-tag slow
// The token bench on its smallest input, so that it keeps running.
import { expect, it } from 'vitest';
import { run } from '../../bench/tokens.js';

it('measures grants, latency and memory of both servers', async () => {
  const report = await run({ seconds: 1, tiny: true });
  expect(report.lines.map((line) => line.unit)).toEqual([
    'grants/s of one core',
    'grants/s of one core',
    'grants/s',
    'ms',
    'MiB resident',
    'MiB resident',
  ]);
  for (const line of report.lines) {
    expect(line.value, line.subject).toBeGreaterThan(0);
    expect(line.peerValue, line.subject).toBeGreaterThan(0);
  }
});
