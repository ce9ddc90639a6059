// Everything an operation may use, built once in the composition root.
import type { Clock, Ids } from '../platform.js';
import type { ConfigsetCache } from './configsets/cache.js';
import type { BiometricsStore, Tenants } from './ports.js';

export interface BiometricsDeps {
  clock: Clock;
  ids: Ids;
  store: BiometricsStore;
  tenants: Tenants;
  configsetCache: ConfigsetCache;
  /** Tells the job runner that there is work; it would find it by itself a little later. */
  jobs: { wake(): void };
}
