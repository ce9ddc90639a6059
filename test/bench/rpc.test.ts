// @module-tag slow
import { expect, it } from 'vitest';
import { printReport } from '../../bench/harness.js';
import { run } from '../../bench/rpc.js';

it('bench rpc measures all four servers and prints its figures', async () => {
  const report = await run({ seconds: 1, tiny: true });
  expect(report.lines.map((line) => line.subject)).toEqual(['our gRPC', 'our REST']);
  for (const line of report.lines) {
    expect(line.value, line.subject).toBeGreaterThan(0);
    expect(line.peerValue, line.peer).toBeGreaterThan(0);
  }
  const printed: string[] = [];
  printReport(report, false, (text) => printed.push(text));
  expect(JSON.parse(printed.at(-1) as string)).toMatchObject({ name: 'rpc' });
  expect(printed.slice(0, -1).join('\n')).toContain('ratio');
});
