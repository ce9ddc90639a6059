// Webhooks that the server switches off by itself: the tenant's trail says so, and their place stays for when they are on again.
import { systemActor, auditDetail } from '../../audit/model.js';
import type { Clock } from '../../platform.js';
import type { Webhook } from './model.js';
import type { WebhookStore } from './ports.js';

export async function switchOff(
  { store, clock }: { store: WebhookStore; clock: Clock },
  { gkScopeId, webhookId, url }: Webhook,
  reason: string,
): Promise<void> {
  await store.transaction(async (tx) => {
    const webhook = await tx.find(gkScopeId, webhookId);
    // Its owner may have given it another address meanwhile.
    if (!webhook?.isEnabled || webhook.url !== url) return;
    await tx.update({ ...webhook, isEnabled: false, disabledReason: reason, modifiedAtMs: clock.now() });
    await tx.audit.append({
      chain: gkScopeId,
      recordType: 'WEB_APP_EVENT',
      operation: 'DisableWebhook',
      actor: systemActor,
      context: { gkScopeId },
      subjectIds: [webhookId],
      detail: auditDetail({ reason }),
    });
  });
}
