// What the biometric operations use: the store, the voice engine, the bytes of media and the prints in memory.
import type { GallerySource } from '../galleries/gallery-view.js';
import type { EngineDeps } from '../ports/deps.js';

export interface OperationDeps extends EngineDeps {
  galleries: GallerySource;
  /** Speaker models of other nodes that are not this one's: there are some while an upgrade goes from node to node. */
  modelsElsewhere(asOf: 'beat' | 'now'): Promise<readonly string[]>;
}
