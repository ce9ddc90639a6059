// Every authentication leaves an event, successful or not: who, from where, how, and if it failed, why. A flood of strangers
// must not push the events of known clients out of the log, so events of unauthenticated callers are limited; beyond the limit
// they are counted, and the log says how many there were.
import type { AuthenticationKind } from './auth-counters.js';
import type { AuthDeps } from './deps.js';
import type { AuthEvent } from './ports.js';

const kinds: Readonly<Partial<Record<AuthEvent['type'], AuthenticationKind>>> = {
  'token.issued': 'token',
  'token.refused': 'token',
  'sign-in.succeeded': 'sign-in',
  'sign-in.failed': 'sign-in',
  'bearer.refused': 'bearer',
};

export function recordEvent(deps: AuthDeps, event: AuthEvent): void {
  const kind = kinds[event.type];
  if (kind) deps.counters.count(kind, event.error === undefined ? 'ok' : (event.reason ?? event.error));
  const atMs = deps.clock.now();
  const suppressed = deps.counters.takeSuppressed(atMs);
  if (suppressed > 0) {
    const none = { appId: undefined, clientId: undefined, scope: undefined };
    deps.events.record({ type: 'authentications.suppressed', ...none, count: suppressed }, atMs);
  }
  const { appId, userId, isClaimed = false } = event;
  const proven = event.error === undefined || (appId !== undefined && !isClaimed) || userId !== undefined;
  if (proven || deps.counters.admit(appId)) deps.events.record(event, atMs);
}
