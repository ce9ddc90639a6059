// A tenant (a scope in the contract) is a partition: everything else in the voiceprint service belongs to exactly one.

export type TenantState =
  | 'CREATED'
  | 'INITIALIZED'
  // Part of the contract; no tenant reaches this state here.
  | 'INITIALIZATION_FAILURE'
  | 'READY'
  | 'ACTIVE'
  | 'PENDING_DELETION'
  | 'DELETED';

export type TenantType = 'UNSPECIFIED' | 'PRODUCTION' | 'INTERNAL' | 'DEMO' | 'SMDC';

/** Size class by yearly transactions. */
export type TenantProfile =
  | 'SMALL'
  | 'MEDIUM'
  | 'LARGE'
  | 'DEFAULT'
  // Up to so many in a year.
  | '0'
  | '100K'
  | '5M'
  | '10M'
  | '50M'
  | '100M'
  | '200M';

export interface TenantDetails {
  customerName: string;
  description: string;
  isBillable: boolean;
  type: TenantType;
  /** Milliseconds since 1970. */
  goLiveAtMs?: number;
}

export interface Tenant extends TenantDetails {
  gkScopeId: string;
  /** The tenant's own name, unique in the installation. */
  scopeId: string;
  state: TenantState;
  profile: TenantProfile;
  expectedPersonsNumber: number;
  /** Set the first time it is ACTIVE; from then on deletion waits. */
  activatedAtMs?: number;
  /** When a tenant that is PENDING_DELETION is deleted for good. */
  deleteAfterMs?: number;
  createdAtMs: number;
  modifiedAtMs: number;
}

/** Whether operations may still work in the tenant; once its time is over, it is out of reach even before it is swept. */
export function isUsable(tenant: Tenant, nowMs: number): boolean {
  if (tenant.state === 'DELETED' || tenant.state === 'INITIALIZATION_FAILURE') return false;
  return tenant.deleteAfterMs === undefined || tenant.deleteAfterMs > nowMs;
}
