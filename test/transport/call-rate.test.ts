// Calls per second over several nodes: what they grant together is what one of them would.
import { expect, it } from 'vitest';
import { CallRate, type ShareCalls } from '../../src/transport/limits/call-rate.js';
import { testClock } from '../support/storage.js';

const PER_SECOND = 10;

/** Nodes that hear from each other once a second, as they do over a database. */
function nodesOf(count: number) {
  const clock = testClock();
  const drains: ((owner: string, taken: number) => void)[] = [];
  const granted = Array.from({ length: count }, () => 0);
  const share =
    (node: number): ShareCalls =>
    (drain) => {
      drains[node] = drain;
      return () => (granted[node] = (granted[node] ?? 0) + 1);
    };
  const nodes = granted.map(
    (_, node) => new CallRate(PER_SECOND, clock, count > 1 ? share(node) : undefined),
  );
  const tell = (): void => {
    const all = granted.reduce((sum, each) => sum + each, 0);
    drains.forEach((drain, node) => drain('caller', all - (granted[node] ?? 0)));
    granted.fill(0);
  };
  return { nodes, clock, tell };
}

it.each([1, 3])('a flood over %i nodes gets what one grants', (count) => {
  const { nodes, clock, tell } = nodesOf(count);
  const slicesPerSecond = 20;
  let granted = 0;
  for (let slice = 0; slice < 60 * slicesPerSecond; slice++) {
    for (const node of nodes) for (let call = 0; call < 5; call++) if (node.take('caller') === 0) granted++;
    clock.advance(1000 / slicesPerSecond);
    if (slice % slicesPerSecond === slicesPerSecond - 1) tell();
  }
  expect(granted).toBeGreaterThan(50 * PER_SECOND);
  expect(granted).toBeLessThan(75 * PER_SECOND);
});

it('is in debt for seconds, not for minutes', () => {
  const clock = testClock();
  let drain: (owner: string, taken: number) => void = () => {};
  const rate = new CallRate(PER_SECOND, clock, (given) => {
    drain = given;
    return () => {};
  });
  drain('caller', 1_000_000);
  const waitMs = rate.take('caller');
  expect(waitMs).toBeGreaterThan(0);
  clock.advance(waitMs);
  expect(rate.take('caller')).toBe(0);
  expect(waitMs).toBeLessThan(6000);
  expect(rate.take('somebody else')).toBe(0);
});
