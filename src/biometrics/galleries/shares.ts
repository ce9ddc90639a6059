// How a large group or watchlist is divided, and which node has which share: rendezvous hashing. Every node reaches the same
// result by itself; a node that joins or leaves moves only its own shares.

/** The maximum number of nodes that can share a list; enough to be spread evenly over a few. */
export const SHARES = 64;

export const allShares: readonly number[] = Array.from({ length: SHARES }, (_, share) => share);

/**
 * By owner: all prints of a person are in one share. Nodes that ask each other must agree on it, see
 * `shareFormatOf`.
 */
export function shareOf(gkOwnerId: string): number {
  return hash(gkOwnerId) % SHARES;
}

/** The node that has the share first; then the one that has it without that node, and so on. */
export function nodesInOrder(nodes: readonly string[], collectionGkId: string, share: number): string[] {
  return nodes
    .map((node) => ({ node, weight: hash(`${node} ${collectionGkId} ${share}`) }))
    .sort((a, b) => b.weight - a.weight || (a.node < b.node ? -1 : 1))
    .map(({ node }) => node);
}

/** FNV-1a with the final mix of MurmurHash3, so that every bit affects every other. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
