// What a sign-in leaves behind, right or wrong: an event, and for one that failed a record in the audit trail, because an
// auditor has to see who was tried, from where and how. The trail is kept for years and strangers must not fill it: each person
// has a budget, and what goes beyond it is told in numbers with the next record.
import type { Caller } from '../../platform.js';
import { commit } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import { recordEvent } from '../record-event.js';

interface SignInAttempt {
  /** What was shown: `password`, `totp`, `recovery-code`, `passkey`, `provider`. */
  method: string;
  /** Absent where the caller was let in before, by a token. */
  address?: string | undefined;
  clientId?: string | undefined;
  userId: string | undefined;
  /** Absent where it succeeded. */
  reason: string | undefined;
  /** What it was shown for, where that was not a sign-in. */
  purpose?: 'change-factors';
}

/** Nothing was compared: these say that somebody is fast or the server busy, and the events tell of them. */
const uncompared: ReadonlySet<string> = new Set(['rate_limited', 'busy']);
const FACTORS_PATH = '/v1/management/me/factors';
/** In place of a name that nobody has; what was typed is never kept, it might be a password. */
const NOBODY = 'unknown';

export async function recordSignIn(deps: AuthDeps, attempt: SignInAttempt): Promise<void> {
  const { method, address, clientId, userId, reason, purpose } = attempt;
  recordEvent(deps, {
    type: reason === undefined ? 'sign-in.succeeded' : 'sign-in.failed',
    appId: undefined,
    clientId,
    scope: undefined,
    userId,
    method,
    ...(address === undefined ? {} : { address }),
    ...(purpose === undefined ? {} : { endpoint: FACTORS_PATH }),
    ...(reason === undefined ? {} : { error: 'access_denied', reason }),
  });
  if (reason === undefined || uncompared.has(reason)) return;
  if (userId !== undefined || reason === 'unknown_user') await auditFailure(deps, attempt, reason);
}

async function auditFailure(deps: AuthDeps, attempt: SignInAttempt, reason: string): Promise<void> {
  const { method, address, userId, purpose } = attempt;
  const id = userId ?? NOBODY;
  if (deps.limits.auditedFailures.take(id) > 0) {
    deps.counters.leaveOut(id, deps.clock.now());
    // Written all the same: the time of an answer must not tell whose budget is used up, that of a person or that of all strangers.
    await deps.store.direct.rates.add(new Map([['failed-sign-ins left-out', 1]]), deps.clock.now());
    return;
  }
  const user = userId === undefined ? undefined : await deps.directory.userRights(userId);
  const leftOut = deps.counters.takeLeftOut(id, deps.clock.now());
  // Who tried is what nobody knows: the person is whom it was about.
  const caller: Caller = {
    subject: NOBODY,
    issuer: deps.settings.issuer,
    clientId: 'login',
    scopes: [],
    tenants: [],
  };
  await commit(deps, { caller, requestId: deps.ids.uuid() }, ({ audit }) =>
    audit(
      'user.sign-in-failed',
      { type: 'user', id },
      {
        method,
        reason,
        ...(address === undefined ? {} : { address }),
        ...(purpose === undefined ? {} : { purpose }),
        ...(user ? { userName: user.userName } : {}),
        ...(leftOut === 0 ? {} : { leftOut }),
      },
    ),
  );
}
