// What the operations of this domain are given, and how they change state: the model by administrators, with an audit
// record in the same transaction; the states of agents by operators.
import { auditedBy, SYSTEM_CHAIN, type Named, auditDetail } from '../audit/model.js';
import {
  holdsAnywhere,
  holdsIn,
  isAdministrator,
  requireAdministrator,
  seesEverything,
} from '../auth/permissions.js';
import { AppError, notFound } from '../errors.js';
import type { Call, Clock } from '../platform.js';
import type { Site } from './model.js';
import type { EngagementStore, EngagementTransaction } from './ports.js';
import { say } from '../words/server/say.js';
import type { AuditAct } from '../words/audit/english.js';

export interface EngagementDeps {
  store: EngagementStore;
  clock: Clock;
  tenantExists(tenantId: string): Promise<boolean>;
}

interface Change {
  tx: EngagementTransaction;
  audit<D extends Named<D>>(operation: AuditAct, detail: D): Promise<void>;
}

/** Who may report what agents are doing: operators, and administrators. */
const STATE_PERMISSION = 'agents.state';

export function requireOperator(call: Pick<Call, 'caller'>): void {
  if (!isAdministrator(call) && !holdsAnywhere(call, STATE_PERMISSION))
    throw new AppError('PERMISSION_DENIED', say('OPERATOR_NEEDED'));
}

/** Whether the caller has to do with this site: operators of another tenant do not even learn that it is there. */
export function isConcernedWith(call: Call, { tenantId }: Site): boolean {
  if (seesEverything(call)) return true;
  return tenantId === undefined || holdsIn(call, STATE_PERMISSION, tenantId);
}

/** Those who may look at the model: whoever may set states, and auditors. */
export function requireObserver(call: Pick<Call, 'caller'>): void {
  if (!seesEverything(call)) requireOperator(call);
}

export function change<T>(
  deps: EngagementDeps,
  call: Call,
  work: (change: Change) => Promise<T>,
): Promise<T> {
  requireAdministrator(call);
  return changeModel(deps, call, work);
}

function changeModel<T>(deps: EngagementDeps, call: Call, work: (change: Change) => Promise<T>): Promise<T> {
  return deps.store.transaction((tx) =>
    work({
      tx,
      audit: (operation, detail) =>
        tx.audit.append({
          chain: SYSTEM_CHAIN,
          recordType: 'WEB_APP_EVENT',
          operation,
          ...auditedBy(call),
          detail: auditDetail(detail),
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
  requireAdministrator(call);
  return changeModel(deps, call, withSite(siteId, work));
}

/** A change of what an agent is doing. */
export function changeAgentState<T>(
  deps: EngagementDeps,
  call: Call,
  siteId: string,
  work: (change: Change) => Promise<T>,
): Promise<T> {
  requireOperator(call);
  return changeModel(
    deps,
    call,
    withSite(siteId, work, (site) => isConcernedWith(call, site)),
  );
}

function withSite<T>(
  siteId: string,
  work: (change: Change) => Promise<T>,
  mayChange: (site: Site) => boolean = () => true,
): (change: Change) => Promise<T> {
  return async (unit) => {
    const site = await unit.tx.lockSite(siteId);
    if (!site || !mayChange(site)) throw notFound('site', 'site_id');
    return work(unit);
  };
}

/** Reads below a site say so when there is no such site, instead of answering an empty list. */
export async function readSite<T>(
  deps: EngagementDeps,
  call: Call,
  siteId: string,
  work: () => Promise<T>,
): Promise<T> {
  requireObserver(call);
  const site = await deps.store.read.site(siteId);
  if (!site || !isConcernedWith(call, site)) throw notFound('site', 'site_id');
  return work();
}
