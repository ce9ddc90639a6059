// The only way to change the state of this domain: a transaction that also writes the audit record and the change row that
// other nodes read, and that takes effect on this node as soon as it has committed.
import { auditDetail, type Named } from '../audit/model.js';
import type { Call } from '../platform.js';
import type { AuthDeps } from './deps.js';
import type { Change, ChangeKind } from './model.js';
import type { AuthAuditEntry, AuthTransaction } from './ports.js';
import { nextChange } from './node-state/change-feed.js';
import type { ChangeEffect } from './node-state/change-feed.js';
import type { AuditAct } from '../words/audit/english.js';

export interface UnitOfWork {
  tx: AuthTransaction;
  nowMs: number;
  /** A unique text. */
  newMark(): string;
  audit<D extends Named<D>>(
    action: AuditAct,
    target: AuthAuditEntry['target'],
    detail?: D,
    tenants?: readonly string[],
  ): Promise<void>;
  announce(kind: ChangeKind, key: string, effect: ChangeEffect): Promise<void>;
}

export async function commit<T>(
  deps: AuthDeps,
  call: Pick<Call, 'caller' | 'requestId'>,
  work: (unit: UnitOfWork) => Promise<T>,
): Promise<T> {
  return deps.store.transaction(async (tx) => {
    const announced: Change[] = [];
    const nowMs = deps.clock.now();
    const { subject, clientId, userId } = call.caller;
    const result = await work({
      tx,
      nowMs,
      newMark: () => deps.ids.uuid(),
      audit: (action, target, detail, tenants = []) =>
        tx.audit.append({
          action,
          target,
          ...(detail && { detail: auditDetail(detail) }),
          tenants,
          actor: { subject, clientId, userId },
          requestId: call.requestId,
          atMs: nowMs,
        }),
      async announce(kind, key, effect) {
        const { accessTokenSeconds, engagementTokenSeconds, refreshTokenSeconds } = deps.settings;
        // A voided authorization must stay known for as long as one of its refresh tokens could turn up.
        const lifeSeconds =
          kind === 'grant' ? refreshTokenSeconds : Math.max(accessTokenSeconds, engagementTokenSeconds);
        const change = nextChange(await tx.changes.get(kind, key), {
          kind,
          key,
          effect,
          nowMs,
          version: deps.ids.uuid(),
          tokenLifeMs: lifeSeconds * 1000,
        });
        await tx.changes.put(change);
        announced.push(change);
      },
    });
    tx.afterCommit(() => deps.changes.apply(announced));
    return result;
  });
}
