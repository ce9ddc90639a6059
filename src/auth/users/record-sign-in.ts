// What a sign-in leaves behind, successful or not: an event and, if it failed, an audit record, because an
// auditor has to see who was tried, from where and how. The trail is kept for years and strangers must not
// fill it: each person has a budget, and failures beyond it are counted in the next record.
import type { Caller } from '../../platform.js';
import { commit } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import { recordEvent } from '../record-event.js';
import { closeSetup } from './setup-closed.js';

interface SignInAttempt {
  /** What was presented: `password`, `totp`, `recovery-code`, `passkey`, `provider`. */
  method: string;
  /** Absent if the caller was already admitted by a token. */
  address?: string | undefined;
  clientId?: string | undefined;
  userId: string | undefined;
  /** Absent if it succeeded. */
  reason: string | undefined;
  /** Its purpose, if it was not a sign-in. */
  purpose?: 'change-factors';
}

/** Nothing was compared: these only say that somebody is fast or the server busy, and events report them. */
const uncompared: ReadonlySet<string> = new Set(['rate_limited', 'busy']);
const FACTORS_PATH = '/v1/management/me/factors';
/** Used for a name that does not exist; what was typed is never kept, since it might be a password. */
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
  if (reason === undefined) {
    const rights = userId === undefined ? undefined : await deps.directory.userRights(userId);
    if (rights?.role === 'administrator') await closeSetup(deps.store.direct);
    return;
  }
  if (uncompared.has(reason)) return;
  if (userId !== undefined || reason === 'unknown_user') await auditFailure(deps, attempt, reason);
}

async function auditFailure(deps: AuthDeps, attempt: SignInAttempt, reason: string): Promise<void> {
  const { method, address, userId, purpose } = attempt;
  const id = userId ?? NOBODY;
  if (deps.limits.auditedFailures.take(id) > 0) {
    deps.counters.suppress(id, deps.clock.now());
    // Written nevertheless: the time of an answer must not reveal whose budget is used up, a person's or that
    // of all strangers.
    await deps.store.direct.rates.add(new Map([['failed-sign-ins left-out', 1]]), deps.clock.now());
    return;
  }
  const user = userId === undefined ? undefined : await deps.directory.userRights(userId);
  const suppressed = deps.counters.takeSuppressedOf(id, deps.clock.now());
  // Nobody knows who tried: the person is only whom it was about.
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
        ...(suppressed === 0 ? {} : { leftOut: suppressed }),
      },
    ),
  );
}
