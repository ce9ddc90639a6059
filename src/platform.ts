// The impure things that the domains need, passed in as arguments so that tests can hold them still:
// the clock, identifiers, randomness, the log, and who is calling.
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
  /** Tenant scopes (gk_scope_id) the caller may touch; 'all' only for administrators. */
  tenants: readonly string[] | 'all';
}

/** Whether the caller may act in a tenant at all. */
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
  deadline?: number;
  log: Log;
}

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
