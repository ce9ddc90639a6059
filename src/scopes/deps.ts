// Everything that an operation on scopes may use.
import type { Clock, Ids } from '../platform.js';
import type { ScopesStore } from './ports.js';

export interface ScopesDeps {
  store: ScopesStore;
  clock: Clock;
  ids: Ids;
  /** How long a scope that was ever ACTIVE waits before it is deleted. */
  deletionDelayMs: number;
}
