// Which nodes of this installation are running, which speaker models they have during a node-by-node upgrade, and which issuer
// their tokens name: each node records this in the shared database.
import { NodeRegistry } from '../nodes/registry.js';
import { nodeNotes } from '../storage/nodes.js';
import { issuerOf } from './addresses.js';
import type { Core } from './part.js';
import { programVersion } from './version.js';
import type { Storage } from '../storage/open-storage.js';

/**
 * How often a node says that it is there, and with which model. One that died is believed to need its prints for a minute more, and is
 * known to be gone for longer than anything is remembered of its calls.
 */
const beats = { beatMs: 5000, lostMs: 60_000, forgetMs: 15 * 60_000 };
/** Nobody waits for an answer of a node that has said nothing for so long. */
const SILENT_MS = 15_000;

export interface NodesInUse {
  nodeId: string;
  /** Those of other nodes that are not this one's, as of the last beat or as of now. */
  others(asOf: 'beat' | 'now'): Promise<string[]>;
  /** Nodes of 0.2.0 are there now, beside this one. */
  hasOlder(): Promise<boolean>;
  /** It has said nothing for a while. False of one that never said anything, as those of earlier versions. */
  isDown(nodeId: string): Promise<boolean>;
  /** Another node that is there, and can serve, has a clock that goes with the database's. */
  isTimeKeptByAnother(): boolean;
  leave(): Promise<void>;
}

/** Nodes say which model they have; where nobody else can be there, nothing is said. */
export function joinNodesInUse(
  core: Pick<Core, 'config' | 'log' | 'ids' | 'clockWatch' | 'isReady'>,
  { database }: Storage,
  revision: string,
): NodesInUse {
  const { config, ids, log, clockWatch } = core;
  const nodeId = ids.uuid();
  if (database.dialect === 'sqlite')
    return {
      nodeId,
      others: async () => [],
      hasOlder: async () => false,
      isDown: async () => false,
      isTimeKeptByAnother: () => false,
      leave: async () => {},
    };
  const elapsedMs = () => performance.now();
  const registry = new NodeRegistry(
    {
      notes: nodeNotes(database),
      log,
      elapsedMs,
      // One that can serve nobody must not keep another from serving, whatever the time there.
      keepsTime: () => clockWatch?.keepsTime() && core.isReady?.(),
    },
    { nodeId, speaks: revision, issuer: issuerOf(config), version: programVersion() },
    beats,
  );
  const joined = registry.start();
  return {
    nodeId,
    others: async (asOf) => {
      await joined;
      if (asOf === 'now') await registry.look();
      return registry.otherModels();
    },
    hasOlder: async () => {
      await joined;
      await registry.look();
      return registry.hasOlder();
    },
    isDown: async (other) => {
      await joined;
      await registry.look();
      return (registry.silentMs(other) ?? 0) >= SILENT_MS;
    },
    isTimeKeptByAnother: () => registry.isTimeKeptByAnother(SILENT_MS),
    leave: () => joined.then(() => registry.stop()),
  };
}
