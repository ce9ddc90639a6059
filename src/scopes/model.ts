// A scope is a tenant's partition: everything else in the voiceprint service belongs to exactly one.

export type ScopeState =
  'CREATED' | 'INITIALIZED' | 'INITIALIZATION_FAILURE' | 'READY' | 'ACTIVE' | 'PENDING_DELETION' | 'DELETED';

export const scopeTypes = ['UNSPECIFIED', 'PRODUCTION', 'INTERNAL', 'DEMO', 'SMDC'] as const;
export type ScopeType = (typeof scopeTypes)[number];

/** Size class by yearly transactions. */
export const scopeProfiles = [
  'SMALL',
  'MEDIUM',
  'LARGE',
  'DEFAULT',
  '0',
  '100K',
  '5M',
  '10M',
  '50M',
  '100M',
  '200M',
] as const;
export type ScopeProfile = (typeof scopeProfiles)[number];

export interface ScopeDetails {
  customerName: string;
  description: string;
  isBillable: boolean;
  type: ScopeType;
  /** Milliseconds since 1970. */
  goLiveAtMs?: number;
}

export interface Scope extends ScopeDetails {
  gkScopeId: string;
  /** The tenant's own name, unique in the installation. */
  scopeId: string;
  state: ScopeState;
  profile: ScopeProfile;
  expectedPersonsNumber: number;
  /** Set the first time it is ACTIVE; from then on deletion waits. */
  activatedAtMs?: number;
  /** When a scope that is PENDING_DELETION goes for good. */
  deleteAfterMs?: number;
  createdAtMs: number;
  modifiedAtMs: number;
}

/** Whether operations may still work in the scope; one past its time is gone even before it is swept. */
export function isUsable(scope: Scope, now: number): boolean {
  if (scope.state === 'DELETED' || scope.state === 'INITIALIZATION_FAILURE') return false;
  return scope.deleteAfterMs === undefined || scope.deleteAfterMs > now;
}
