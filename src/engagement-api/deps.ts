// What the operations of this domain are given, and the one way they change state: administrators only, with an
// audit record in the same transaction.
import { auditedBy, SYSTEM_CHAIN, type JsonObject } from '../audit/model.js';
import { requireAdministrator } from '../auth/permissions.js';
import { notFound } from '../errors.js';
import type { Call, Clock } from '../platform.js';
import type { EngagementStore, EngagementTransaction } from './ports.js';

export interface EngagementDeps {
  store: EngagementStore;
  clock: Clock;
}

export interface Change {
  tx: EngagementTransaction;
  audit(operation: string, detail: JsonObject): Promise<void>;
}

export function change<T>(
  deps: EngagementDeps,
  call: Call,
  work: (change: Change) => Promise<T>,
): Promise<T> {
  requireAdministrator(call);
  return deps.store.transaction((tx) =>
    work({
      tx,
      audit: (operation, detail) =>
        tx.audit.append({
          chain: SYSTEM_CHAIN,
          recordType: 'WEB_APP_EVENT',
          operation,
          ...auditedBy(call),
          detail,
        }),
    }),
  );
}

/** Changes below a site wait for each other, and need the site. */
export function changeSite<T>(
  deps: EngagementDeps,
  call: Call,
  siteId: string,
  work: (change: Change) => Promise<T>,
): Promise<T> {
  return change(deps, call, async (unit) => {
    if (!(await unit.tx.lockSite(siteId))) throw notFound('site', 'site_id');
    return work(unit);
  });
}

/** Reads below a site say so when there is no such site, instead of answering an empty list. */
export async function readSite<T>(
  deps: EngagementDeps,
  call: Call,
  siteId: string,
  work: () => Promise<T>,
): Promise<T> {
  requireAdministrator(call);
  if (!(await deps.store.read.site(siteId))) throw notFound('site', 'site_id');
  return work();
}
