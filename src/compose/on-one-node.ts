// Work that any node can do and one of them does: sweeps of what is too old or left over.
import { oncePer } from '../storage/leases.js';
import type { Storage } from '../storage/open-storage.js';

/** Does the work unless another node has done it within this period, or is at it; then the answer is undefined. */
export type OnOneNode = <T>(periodMs: number, work: () => Promise<T>) => Promise<T | undefined>;

/** A node must not find its own last turn still standing when its timer is a little early. */
const PART_OF_PERIOD = 0.9;

export function onOneNode({ database }: Pick<Storage, 'database'>, name: string): OnOneNode {
  return (periodMs, work) => oncePer(database, `sweep.${name}`, periodMs * PART_OF_PERIOD, work);
}
