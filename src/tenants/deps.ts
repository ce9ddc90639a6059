// Everything that an operation on tenants may use.
import type { Clock, Ids } from '../platform.js';
import type { TenantsStore } from './ports.js';

export interface TenantsDeps {
  store: TenantsStore;
  clock: Clock;
  ids: Ids;
  /** How long a tenant that was ever ACTIVE waits before it is deleted. */
  deletionDelayMs: number;
}
