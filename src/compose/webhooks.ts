// Webhooks: the service, and the sender that runs on every node.
import { listed } from '../config/read-text.js';
import { Addresses } from '../events/webhooks/addresses.js';
import { httpDeliver } from '../events/webhooks/deliver.js';
import { WebhookSender } from '../events/webhooks/sender.js';
import { webhookStore } from '../storage/events/webhook-store.js';
import { underLease } from '../storage/leases.js';
import { tenantsOf } from '../storage/tenants/tenants-store.js';
import { bodiesWith, type AssessedSessions } from '../transport/services/events.js';
import { webhooksService, type WebhooksServiceDeps } from '../transport/services/webhooks.js';
import type { Core, Part } from './part.js';
import type { Storage } from '../storage/open-storage.js';
import { isTimeProven } from './time-proof.js';

/** Longer than a turn of the sender; as long as a node that died keeps others from serving. */
const LEASE_MS = 60_000;

/** Commands send only pings, which are about no session. */
const noneAssessed: AssessedSessions = async () => new Map();

/** What the operations on webhooks need; commands have no more. */
export function webhooksFor(
  { config, clock, ids }: Omit<Core, 'log'>,
  storage: Storage,
  assessed = noneAssessed,
): WebhooksServiceDeps {
  const { database, audit } = storage;
  const tenants = tenantsOf(database, clock);
  const { privateNetworks, plainHttp } = config.webhooks;
  const addresses = new Addresses({ privateNetworks: listed(privateNetworks), plainHttp });
  return {
    store: webhookStore(storage),
    audit,
    clock,
    ids,
    addresses,
    deliver: httpDeliver(addresses),
    bodyOf: bodiesWith(assessed),
    tenantExists: (gkScopeId) => tenants.exists(gkScopeId),
  };
}

export function composeWebhooks(core: Core, storage: Storage, assessed: AssessedSessions): Part {
  const deps = webhooksFor(core, storage, assessed);
  const { database } = storage;
  const sender = new WebhookSender({
    ...deps,
    log: core.log,
    isTimeProven: () => isTimeProven(core),
    withLease: async (webhookId, work) => {
      // SQLite belongs to one process, which serves no webhook twice at the same time.
      if (database.dialect === 'sqlite') return work();
      await underLease(database, `webhook.${webhookId}`, LEASE_MS, work);
    },
  });
  sender.start();
  return {
    bindings: [webhooksService(deps)],
    metrics: [
      {
        name: 'voxgate_webhook_deliveries_total',
        type: 'counter',
        help: 'Events that webhook receivers have accepted',
        value: () => sender.delivered,
      },
      {
        name: 'voxgate_webhook_failures_total',
        type: 'counter',
        help: 'Attempts to deliver an event that failed; each is repeated for three days',
        value: () => sender.failed,
      },
    ],
    stop: () => sender.stop(),
  };
}
