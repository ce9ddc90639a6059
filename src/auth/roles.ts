// Roles and what they allow. People have a role in the installation (administrator, auditor, member), and one per
// application or tenant; programs have scopes. Both come down to permissions, and every operation asks for one of
// them (src/transport/access.ts). docs/guides/running-it-for-a-company.md shows the same as a table.
import type { TenantRights } from '../platform.js';

export const permissions = [
  /** Names and details of tenants. */
  'tenants.read',
  /** Persons, voiceprints, sessions and their decisions, config sets: everything but the recordings themselves. */
  'voice.read',
  /** Listening to recordings. */
  'voice.listen',
  /** Persons and voiceprints: creating, enrolling, training. */
  'voice.enroll',
  /** Verification, identification and attack checks on a call. */
  'voice.verify',
  /** Starting, updating and stopping sessions and engagements. */
  'voice.sessions',
  /** Fraudsters, watchlists, verdicts. */
  'voice.fraud',
  /** Changing and deleting persons, groups, voiceprints and recordings. */
  'voice.manage',
  /** Config sets, calibration models, accuracy. */
  'voice.configure',
  /** Data protection: exporting what is held about a person, evidence holds, certificates of erasure. */
  'voice.privacy',
  /** The audit trail of a tenant. */
  'voice.audit',
  /** What the agents of a contact center are doing. */
  'agents.state',
] as const;

export type Permission = (typeof permissions)[number];

/** A role in an application, and so in the tenants of its environments; or in one tenant. */
export const tenantRoles = [
  'owner',
  'developer',
  'operator',
  'fraud-analyst',
  'auditor',
  'data-protection',
] as const;
export type TenantRole = (typeof tenantRoles)[number];

const everything = new Set(permissions);

export const rolePermissions: Readonly<Record<TenantRole, ReadonlySet<Permission>>> = {
  owner: everything,
  developer: new Set([
    'tenants.read',
    'voice.read',
    'voice.enroll',
    'voice.verify',
    'voice.sessions',
    'voice.configure',
  ]),
  operator: new Set(['tenants.read', 'voice.read', 'voice.sessions', 'agents.state']),
  'fraud-analyst': new Set([
    'tenants.read',
    'voice.read',
    'voice.listen',
    'voice.verify',
    'voice.sessions',
    'voice.fraud',
  ]),
  auditor: new Set(['tenants.read', 'voice.read', 'voice.audit']),
  'data-protection': new Set([
    'tenants.read',
    'voice.read',
    'voice.sessions',
    'voice.privacy',
    'voice.audit',
  ]),
};

/** The scopes of programs that use the voiceprint service; `biosec` is the sum of the others. */
export const scopePermissions: Readonly<Record<string, ReadonlySet<Permission>>> = {
  biosec: new Set(permissions.filter((permission) => permission !== 'agents.state')),
  'biosec.enroll': new Set(['tenants.read', 'voice.read', 'voice.enroll', 'voice.sessions']),
  'biosec.verify': new Set(['tenants.read', 'voice.read', 'voice.verify', 'voice.sessions']),
  'biosec.manage': new Set([
    'tenants.read',
    'voice.read',
    'voice.listen',
    'voice.sessions',
    'voice.fraud',
    'voice.manage',
    'voice.privacy',
    'voice.configure',
  ]),
  'biosec.audit': new Set(['tenants.read', 'voice.audit']),
};

export function isTenantRole(text: string): text is TenantRole {
  return (tenantRoles as readonly string[]).includes(text);
}

/** What somebody may do where, from the roles they have in tenants; several roles in one tenant add up. */
export function tenantRights(grants: Iterable<{ tenantId: string; role: TenantRole }>): TenantRights {
  const byTenant = new Map<string, Set<string>>();
  for (const { tenantId, role } of grants) {
    const known = byTenant.get(tenantId) ?? new Set<string>();
    byTenant.set(tenantId, known);
    for (const permission of rolePermissions[role]) known.add(permission);
  }
  return { everywhere: new Set(), byTenant };
}

/** An auditor of the installation reads everywhere and changes nothing. */
export const auditorRights: TenantRights = { everywhere: rolePermissions.auditor, byTenant: new Map() };

/** The smaller of two: a client acting for a person is also limited by its owner's rights. */
export function smallerRights(
  a: TenantRights | undefined,
  b: TenantRights | undefined,
): TenantRights | undefined {
  if (!a || !b) return a ?? b;
  const byTenant = new Map<string, ReadonlySet<string>>();
  for (const tenantId of new Set([...a.byTenant.keys(), ...b.byTenant.keys()])) {
    const both = intersection(rightsIn(a, tenantId), rightsIn(b, tenantId));
    if (both.size > 0) byTenant.set(tenantId, both);
  }
  return { everywhere: intersection(a.everywhere, b.everywhere), byTenant };
}

/** What may be done in a tenant. */
export function rightsIn(rights: TenantRights, tenantId: string): ReadonlySet<string> {
  return new Set([...rights.everywhere, ...(rights.byTenant.get(tenantId) ?? [])]);
}

function intersection(a: ReadonlySet<string>, b: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...a].filter((each) => b.has(each)));
}
