// Events for others: the feed of every tenant.
import { tenantsOf } from '../storage/tenants/tenants-store.js';
import { eventsService } from '../transport/services/events.js';
import type { Core, Part } from './part.js';
import type { Storage } from '../storage/open-storage.js';

export function composeFeed({ clock }: Core, { audit, database }: Storage): Part {
  const tenants = tenantsOf(database, clock);
  return { bindings: [eventsService({ audit, tenantExists: (gkScopeId) => tenants.exists(gkScopeId) })] };
}
