// The impure things that the domains need, passed in as arguments so that tests can control them: the clock, identifiers,
// randomness, the log, who is calling; and the turn of the event loop.
import { randomBytes, randomUUID } from 'node:crypto';

export interface Clock {
  /** Milliseconds since 1970, as Date.now(). */
  now(): number;
}

export interface Ids {
  uuid(): string;
  /** Random bytes as base64url: no colon, no padding, safe in a URL and in HTTP Basic. */
  token(bytes: number): string;
}

/** The subset of pino that the domains use; fields first, message last. Never log secrets or voice data. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  child(fields: object): Log;
}

/** Who is calling, as plain data: the domains never see a token. */
export interface Caller {
  /** Token subject: a client ID or a user ID. */
  subject: string;
  issuer: string;
  clientId: string;
  /** Application the client belongs to; absent for tooling users. */
  appId?: string;
  userId?: string;
  /** Granted OAuth scopes. */
  scopes: readonly string[];
  /**
   * Tenants (gk_scope_id) in which the caller may do what they are about to do. The transport narrows this to the
   * operation (see `rights`); 'all' only for administrators, and for auditors in operations that read.
   */
  tenants: readonly string[] | 'all';
  /** People who are no administrators: what each tenant's role allows. Absent: everything, in all of `tenants`. */
  rights?: TenantRights;
  /** Tenants that the caller may reach, but not for this operation. */
  deniedTenants?: readonly string[];
  /** An auditor of the installation: sees what an administrator sees and changes nothing. */
  readOnly?: boolean;
  /** The sign-in of the user that the token came from, where it came from one. */
  signIn?: string;
  /** Who owns the client that acts for the user, where that is somebody else; their rights bound the caller's. */
  clientOwnerId?: string;
}

/** Permissions by tenant, and those that hold in every tenant. */
export interface TenantRights {
  everywhere: ReadonlySet<string>;
  byTenant: ReadonlyMap<string, ReadonlySet<string>>;
}

export function isAdministrator({ tenants, readOnly }: Caller): boolean {
  return tenants === 'all' && readOnly !== true;
}

/** The caller as seen by an operation that requires one of these permissions. */
export function narrowedTo(caller: Caller, anyOf: readonly string[]): Caller {
  const { rights } = caller;
  if (!rights) return caller;
  const allows = (held: ReadonlySet<string>): boolean => anyOf.some((permission) => held.has(permission));
  if (allows(rights.everywhere)) return { ...caller, tenants: 'all' };
  const reachable = [...rights.byTenant];
  return {
    ...caller,
    tenants: reachable.filter(([, held]) => allows(held)).map(([tenantId]) => tenantId),
    deniedTenants: reachable.filter(([, held]) => !allows(held)).map(([tenantId]) => tenantId),
  };
}

/** Whether the caller may act in a tenant. */
export function mayReach({ tenants }: Caller, tenantId: string): boolean {
  return tenants === 'all' || tenants.includes(tenantId);
}

/** What every operation is told about the call it serves. */
export interface Call {
  requestId: string;
  caller: Caller;
  /** Aborted when the caller goes away or the deadline passes. */
  signal: AbortSignal;
  /** Milliseconds since 1970. */
  deadlineAtMs?: number;
  /** Nobody waits for this call: calls that somebody waits for go first. */
  isBackground?: boolean;
  log: Log;
}

export const DAY_MS = 24 * 3600_000;

export const systemClock: Clock = { now: () => Date.now() };

export const systemIds: Ids = {
  uuid: () => randomUUID(),
  token: (bytes) => randomBytes(bytes).toString('base64url'),
};

export const silentLog: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => silentLog,
};

/** Long work on the main thread is done in pieces of a few milliseconds; other waiting work is served in between. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
