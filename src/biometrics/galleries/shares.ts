// How a large group or watchlist is divided, and which node has which share: rendezvous hashing. Every node reaches the same
// result by itself; a node that joins or leaves moves only its own shares.

/** As many as nodes may have one list among them, at most; enough of them to be spread evenly over a few. */
export const SHARES = 64;

export const allShares: readonly number[] = Array.from({ length: SHARES }, (_, share) => share);

/** By the owner: all prints of a person are in one share. Nodes that ask each other must agree on it, see `shareFormatOf`. */
export function shareOf(gkOwnerId: string): number {
  return hash(gkOwnerId) % SHARES;
}

/** Of these nodes, the one that has the share first; who has it without that one next, and so on. */
export function nodesInOrder(nodes: readonly string[], collectionGkId: string, share: number): string[] {
  return nodes
    .map((node) => ({ node, weight: hash(`${node} ${collectionGkId} ${share}`) }))
    .sort((a, b) => b.weight - a.weight || (a.node < b.node ? -1 : 1))
    .map(({ node }) => node);
}

/** FNV-1a with the last step of MurmurHash3, so that every bit counts for every other. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
