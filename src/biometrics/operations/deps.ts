// What the biometric operations use: the store, the voice engine, the bytes of media and the prints in memory.
import type { Galleries } from '../galleries/galleries.js';
import type { EngineDeps } from '../ports/deps.js';

export interface OperationDeps extends EngineDeps {
  galleries: Pick<Galleries, 'view'>;
  /**
   * Speaker models of other nodes that differ from this one's: there are some during a node-by-node upgrade.
   */
  modelsElsewhere(asOf: 'beat' | 'now'): Promise<readonly string[]>;
}
