// Sites and their business units, set by administrators.
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

export async function upsertSite(deps: EngagementDeps, call: Call, site: Site): Promise<Site> {
  refuseFaults([
    placeIdFault('site.site_id', site.siteId),
    nameFault('site.name', site.name),
    timeZoneFault('site.time_zone', site.timeZone),
  ]);
  requireAdministrator(call);
  const { siteId, timeZone, tenantId } = site;
  // Tenants belong to another store, which cannot be asked from within a transaction of this one.
  if (tenantId !== undefined && !(await deps.tenantExists(tenantId)))
    throw invalidFields([noSuch('site.gk_scope_id', 'tenant')]);
  return change(deps, call, async ({ tx, audit }) => {
    await tx.putSite(site);
    await audit('engagement.site.put', { siteId, timeZone, ...(tenantId === undefined ? {} : { tenantId }) });
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
  unit: BusinessUnit,
): Promise<BusinessUnit> {
  const { siteId, businessUnitId } = unit;
  refuseFaults([
    placeIdFault('business_unit.site_id', siteId),
    digitsFault('business_unit.business_unit_id', businessUnitId),
    nameFault('business_unit.name', unit.name),
  ]);
  return changeSite(deps, call, siteId, async ({ tx, audit }) => {
    await tx.putBusinessUnit(unit);
    await audit('engagement.business-unit.put', { siteId, businessUnitId });
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
            message: 'has agent groups: delete them or move them first',
          },
        ],
      });
    }
    if (!(await tx.deleteBusinessUnit(siteId, businessUnitId)))
      throw notFound('business unit', 'business_unit_id');
    await audit('engagement.business-unit.delete', { siteId, businessUnitId });
  });
}
