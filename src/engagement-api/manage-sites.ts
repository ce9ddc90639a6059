// Sites and their business units, set by administrators.
import { changedNames, mergedChange } from '../audit/merge-change.js';
import { requireAdministrator } from '../auth/permissions.js';
import { AppError, invalidFields, notFound, refuseFaults } from '../errors.js';
import type { Call } from '../platform.js';
import {
  change,
  changeSite,
  isConcernedWith,
  readSite,
  requireObserver,
  type EngagementDeps,
} from './deps.js';
import { digitsFault, placeIdFault, nameFault, noSuch, timeZoneFault } from './fields.js';
import type { BusinessUnit, Site } from './model.js';
import { say } from '../words/server/say.js';

/** Whether there is such a site, for those who name one. */
export const siteExistsIn =
  ({ store }: Pick<EngagementDeps, 'store'>) =>
  async (siteId: string): Promise<boolean> =>
    (await store.read.site(siteId)) !== undefined;

/** `read`: as the caller had read it; absent: everything is replaced. */
export async function upsertSite(deps: EngagementDeps, call: Call, wanted: Site, read?: Site): Promise<Site> {
  refuseFaults([
    placeIdFault('site.site_id', wanted.siteId),
    nameFault('site.name', wanted.name),
    timeZoneFault('site.time_zone', wanted.timeZone),
  ]);
  requireAdministrator(call);
  // Tenants belong to another store, which cannot be asked from within a transaction of this one.
  if (wanted.tenantId !== undefined && !(await deps.tenantExists(wanted.tenantId)))
    throw invalidFields([noSuch('site.gk_scope_id', 'tenant')]);
  return change(deps, call, async ({ tx, audit }) => {
    const stored = await tx.lockSite(wanted.siteId);
    const site = mergedChange('site', { wanted, read, stored });
    const { siteId, timeZone, tenantId } = site;
    await tx.putSite(site);
    const changed = changedNames(stored, site);
    const ofTenant = tenantId === undefined ? {} : { tenantId };
    await audit('engagement.site.put', { siteId, timeZone, changed, ...ofTenant });
    return site;
  });
}

export async function listSites(deps: EngagementDeps, call: Call): Promise<Site[]> {
  requireObserver(call);
  return (await deps.store.read.sites()).filter((site) => isConcernedWith(call, site));
}

export async function deleteSite(deps: EngagementDeps, call: Call, input: { siteId: string }): Promise<void> {
  await change(deps, call, async ({ tx, audit }) => {
    if (!(await tx.deleteSite(input.siteId))) throw notFound('site', 'site_id');
    await audit('engagement.site.delete', { siteId: input.siteId });
  });
}

export async function upsertBusinessUnit(
  deps: EngagementDeps,
  call: Call,
  wanted: BusinessUnit,
  read?: BusinessUnit,
): Promise<BusinessUnit> {
  const { siteId, businessUnitId } = wanted;
  refuseFaults([
    placeIdFault('business_unit.site_id', siteId),
    digitsFault('business_unit.business_unit_id', businessUnitId),
    nameFault('business_unit.name', wanted.name),
  ]);
  return changeSite(deps, call, siteId, async ({ tx, audit }) => {
    const stored = await tx.businessUnit(siteId, businessUnitId);
    const unit = mergedChange('business_unit', { wanted, read, stored });
    await tx.putBusinessUnit(unit);
    await audit('engagement.business-unit.put', {
      siteId,
      businessUnitId,
      changed: changedNames(stored, unit),
    });
    return unit;
  });
}

export function listBusinessUnits(
  deps: EngagementDeps,
  call: Call,
  input: { siteId: string },
): Promise<BusinessUnit[]> {
  return readSite(deps, call, input.siteId, () => deps.store.read.businessUnits(input.siteId));
}

export async function deleteBusinessUnit(
  deps: EngagementDeps,
  call: Call,
  input: { siteId: string; businessUnitId: string },
): Promise<void> {
  const { siteId, businessUnitId } = input;
  await changeSite(deps, call, siteId, async ({ tx, audit }) => {
    const groups = (await tx.agentGroups(siteId)).filter((group) => group.businessUnitId === businessUnitId);
    if (groups.length > 0) {
      throw new AppError('PERMISSION_DENIED', 'agent groups still belong to this business unit', {
        fields: [
          {
            field: 'business_unit_id',
            violation: 'FIELD_CONFLICT',
            ...say('HAS_AGENT_GROUPS'),
          },
        ],
      });
    }
    if (!(await tx.deleteBusinessUnit(siteId, businessUnitId)))
      throw notFound('business unit', 'business_unit_id');
    await audit('engagement.business-unit.delete', { siteId, businessUnitId });
  });
}
