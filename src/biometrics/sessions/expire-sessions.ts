// Sessions and engagements are not kept forever, since they contain callers' numbers. Those that ended longer ago than the
// retention period are deleted with their factors; the audit trail keeps the decisions. An engagement is kept for as long as
// it has audio, because its verdict decides what may be erased.
import { systemActor, auditDetail } from '../../audit/model.js';
import type { Clock } from '../../platform.js';
import type { BiometricsStore } from '../ports/store.js';

const BATCH = 500;

export async function expireSessions(
  { store, clock }: { store: BiometricsStore; clock: Clock },
  retentionMs: number,
): Promise<{ sessions: number; engagements: number }> {
  const beforeMs = clock.now() - retentionMs;
  const total = { sessions: 0, engagements: 0 };
  for (const gkScopeId of await store.read.sessions.tenantsWithOlder(beforeMs)) {
    for (;;) {
      const expired = await store.transaction(async (tx) => {
        const sessions = await tx.sessions.deleteOlder(gkScopeId, beforeMs, BATCH);
        const engagements = await tx.engagements.deleteOlder(gkScopeId, beforeMs, BATCH);
        if (sessions + engagements > 0)
          await tx.audit.append({
            chain: gkScopeId,
            recordType: 'SESSION_EVENT',
            operation: 'ExpireSessions',
            actor: systemActor,
            context: { gkScopeId },
            detail: auditDetail({ sessions, engagements, before: new Date(beforeMs).toISOString() }),
          });
        return { sessions, engagements };
      });
      total.sessions += expired.sessions;
      total.engagements += expired.engagements;
      if (expired.sessions < BATCH && expired.engagements < BATCH) break;
    }
  }
  return total;
}
