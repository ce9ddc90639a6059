// Which share an owner belongs to and which node has it: spread evenly, the same everywhere, and moved as little as possible.
import { describe, expect, it } from 'vitest';
import { allShares, nodesInOrder, shareOf, SHARES } from '../../../src/biometrics/galleries/shares.js';

const nodes = ['0b6f3a52-one', '77c1d9e0-two', 'f2a8c440-three', '19d5b7e6-four'];
const ownerOf = (index: number) => `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;

describe('shares', () => {
  it('are those that nodes of all versions agree on', () => {
    // Another number for any of them needs another version in `shareFormatOf`.
    expect(['', 'owner', ownerOf(1), ownerOf(2)].map(shareOf)).toEqual([11, 29, 54, 26]);
  });

  it('hold about equally many owners, however much alike their identifiers are', () => {
    const counts = allShares.map(() => 0);
    for (let index = 0; index < 640 * SHARES; index++) {
      const share = shareOf(ownerOf(index));
      counts[share] = (counts[share] ?? 0) + 1;
    }
    expect(Math.min(...counts)).toBeGreaterThan(500);
    expect(Math.max(...counts)).toBeLessThan(780);
  });

  it('go to every node about equally, over many lists', () => {
    const counts = new Map<string, number>();
    for (let list = 0; list < 100; list++)
      for (const share of allShares) {
        const [node = ''] = nodesInOrder(nodes, `list-${list}`, share);
        counts.set(node, (counts.get(node) ?? 0) + 1);
      }
    for (const node of nodes) {
      expect(counts.get(node)).toBeGreaterThan((0.9 * 100 * SHARES) / nodes.length);
      expect(counts.get(node)).toBeLessThan((1.1 * 100 * SHARES) / nodes.length);
    }
  });

  it('stay where they are when another node goes: only its own move, each to whoever is next', () => {
    const [gone, ...rest] = nodes;
    for (const share of allShares) {
      const before = nodesInOrder(nodes, 'list', share);
      const after = nodesInOrder(rest, 'list', share);
      expect(after).toEqual(before.filter((node) => node !== gone));
    }
  });

  it('have the same order of nodes, in whatever order these are named', () => {
    for (const share of allShares)
      expect(nodesInOrder(nodes.toReversed(), 'list', share)).toEqual(nodesInOrder(nodes, 'list', share));
  });
});
