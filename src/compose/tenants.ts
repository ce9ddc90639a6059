// Tenant administration: the service, and the timer that deletes tenants whose waiting time is over.
import type { Actors } from '../audit/ports.js';
import { deleteDueTenants } from '../tenants/delete-tenant.js';
import type { TenantsDeps } from '../tenants/deps.js';
import { deleteWebhooks } from '../storage/events/webhook-store.js';
import { tenantsStore, type TenantsStoreDeps } from '../storage/tenants/tenants-store.js';
import { tenantsManagerService } from '../transport/services/management/tenants.js';
import { tenantsService } from '../transport/services/tenants.js';
import { onOneNode } from './on-one-node.js';
import type { Core, Part } from './part.js';
import type { Storage } from '../storage/open-storage.js';
import { DAY_MS } from '../platform.js';
import { isTimeProven } from './time-proof.js';

const SWEEP_EVERY_MS = 10 * 60_000;

/** What lies in a tenant is known only to the domains: each brings its way to delete it. */
export type TenantContent = Pick<TenantsStoreDeps, 'contentDeleters' | 'onContentDeleted'>;

export function composeTenants(
  core: Core,
  storage: Storage,
  { actors, ...content }: TenantContent & { actors: Actors },
): Part {
  const { database, keyring, audit } = storage;
  const deps: TenantsDeps = {
    store: tenantsStore({
      database,
      keyring,
      audit,
      ...content,
      contentDeleters: [...content.contentDeleters, deleteWebhooks],
    }),
    clock: core.clock,
    ids: core.ids,
    deletionDelayMs: core.config.retention.tenantDeletionDays * DAY_MS,
  };
  const inTurn = onOneNode(storage, 'tenants');
  const sweep = (): void => {
    inTurn(SWEEP_EVERY_MS, () => deleteWhenProven(core, deps)).catch((cause: unknown) =>
      core.log.warn({ err: cause }, 'deleting due tenants failed'),
    );
  };
  const timer = setInterval(sweep, SWEEP_EVERY_MS).unref();
  return {
    bindings: [tenantsService(deps), tenantsManagerService({ ...deps, audit, actors })],
    stop: async () => clearInterval(timer),
  };
}

async function deleteWhenProven(core: Core, deps: TenantsDeps): Promise<void> {
  if (await isTimeProven(core)) await deleteDueTenants(deps, core.log);
}
