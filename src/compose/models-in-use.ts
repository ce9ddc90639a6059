// Which speaker models the nodes of this installation have, for as long as an upgrade goes from node to node: each notes its own in
// the database that they share.
import { NodeRegistry } from '../nodes/registry.js';
import { nodeNotes } from '../storage/nodes.js';
import type { Core } from './part.js';
import type { Storage } from './storage.js';

/** How often a node says which model it has. One that died is believed to be there for some of these. */
const BEAT_MS = 15_000;
const beats = { beatMs: BEAT_MS, lostMs: 4 * BEAT_MS, forgetMs: 40 * BEAT_MS };

export interface ModelsInUse {
  /** Those of other nodes that are not this one's, as of the last beat or as of now. */
  others(asOf: 'beat' | 'now'): Promise<string[]>;
  leave(): Promise<void>;
}

/** Nodes say which model they have; where nobody else can be there, nothing is said. */
export function joinModelsInUse(
  { ids, log }: Pick<Core, 'log' | 'ids'>,
  { database }: Storage,
  revision: string,
): ModelsInUse {
  if (database.dialect === 'sqlite') return { others: async () => [], leave: async () => {} };
  const elapsedMs = () => performance.now();
  const registry = new NodeRegistry(
    { notes: nodeNotes(database, 'speaker-model'), log, elapsedMs },
    { nodeId: ids.uuid(), address: '', speaks: revision },
    beats,
  );
  const joined = registry.start();
  return {
    others: async (asOf) => {
      await joined;
      if (asOf === 'now') await registry.look();
      return registry.otherSpeech();
    },
    leave: () => joined.then(() => registry.stop()),
  };
}
