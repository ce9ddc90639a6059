// Events for others: the feed of every tenant.
import { tenantsOf } from '../storage/tenants/tenants-store.js';
import { eventsService, type AssessedSessions } from '../transport/services/events.js';
import type { Core, Part } from './part.js';
import type { Storage } from '../storage/open-storage.js';

export function composeFeed({ clock }: Core, { audit, database }: Storage, assessed: AssessedSessions): Part {
  const tenants = tenantsOf(database, clock);
  const tenantExists = (gkScopeId: string): Promise<boolean> => tenants.exists(gkScopeId);
  return { bindings: [eventsService({ audit, tenantExists, assessed })] };
}
