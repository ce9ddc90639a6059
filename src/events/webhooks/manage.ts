// Making, changing and reading the webhooks of a tenant. Every change is in the tenant's trail, with the host but without the rest
// of the address: it may hold a token of the receiver's.
import { mergedChange } from '../../audit/merge-change.js';
import { auditedBy, type AuditEntry, auditDetail } from '../../audit/model.js';
import type { AuditReader } from '../../audit/ports.js';
import { AppError, missingField, notFound, refuseFaults, type FieldFault } from '../../errors.js';
import { DAY_MS, type Call, type Clock, type Ids } from '../../platform.js';
import { typeFaults } from '../feed/read-feed.js';
import { openTenant, type TenantDeps } from '../tenant.js';
import type { Addresses } from './addresses.js';
import { unknownTypeFaults } from './event-types.js';
import type { DeliveryCounts, Webhook, WebhookSettings } from './model.js';
import type { WebhookStore } from './ports.js';
import { newSecret } from './sign.js';
import { say } from '../../words/server/say.js';
import type { AuditAct } from '../../words/audit/english.js';

export interface WebhookDeps extends TenantDeps {
  store: WebhookStore;
  audit: Pick<AuditReader, 'read'>;
  clock: Clock;
  ids: Ids;
  addresses: Addresses;
}

export interface WebhookPlace {
  gkScopeId: string;
  webhookId: string;
}

/** With what it has not delivered. */
export type WebhookView = Webhook & DeliveryCounts;

const WEBHOOKS_MAX = 20;
const DESCRIPTION_LENGTH_MAX = 256;
const OVERLAP_DEFAULT_SECONDS = DAY_MS / 1000;
const OVERLAP_MAX_SECONDS = 7 * OVERLAP_DEFAULT_SECONDS;

export async function createWebhook(
  deps: WebhookDeps,
  call: Call,
  { gkScopeId, ...settings }: { gkScopeId: string } & Omit<WebhookSettings, 'isEnabled'>,
): Promise<{ webhook: WebhookView; secret: string }> {
  await openTenant(deps, call, gkScopeId, [
    ...settingsFaults(deps, settings),
    ...unknownTypeFaults(settings.types),
  ]);
  const nowMs = deps.clock.now();
  const secret = newSecret();
  const webhook = await deps.store.transaction(async (tx) => {
    const made: Webhook = {
      ...settings,
      webhookId: deps.ids.uuid(),
      gkScopeId,
      isEnabled: true,
      disabledReason: '',
      secrets: [{ value: secret }],
      progress: { afterSeq: 0, failures: 0, pausedUntilMs: 0 },
      createdAtMs: nowMs,
      modifiedAtMs: nowMs,
    };
    // First, because it makes others wait who want to add one at the same time; nothing before it is sent.
    await tx.audit.append(recordOf(call, 'CreateWebhook', made));
    if ((await tx.list(gkScopeId)).length >= WEBHOOKS_MAX)
      throw new AppError('QUOTA_EXCEEDED', say('TOO_MANY_WEBHOOKS', { max: WEBHOOKS_MAX }));
    const placed = { ...made, progress: { ...made.progress, afterSeq: await tx.newestSeq(gkScopeId) } };
    await tx.insert(placed);
    return placed;
  });
  return { webhook: { ...webhook, waiting: 0, dead: 0 }, secret };
}

export async function listWebhooks(deps: WebhookDeps, call: Call, gkScopeId: string): Promise<WebhookView[]> {
  await openTenant(deps, call, gkScopeId);
  const found = await deps.store.read.list(gkScopeId);
  return Promise.all(found.map((webhook) => viewOf(deps, webhook)));
}

export async function getWebhook(deps: WebhookDeps, call: Call, place: WebhookPlace): Promise<WebhookView> {
  return viewOf(deps, await findWebhook(deps, call, place));
}

export async function updateWebhook(
  deps: WebhookDeps,
  call: Call,
  { gkScopeId, webhookId, read, ...settings }: WebhookPlace & WebhookSettings & { read?: WebhookSettings },
): Promise<WebhookView> {
  return change(
    deps,
    call,
    { gkScopeId, webhookId },
    {
      operation: 'UpdateWebhook',
      faults: settingsFaults(deps, settings),
      changed: (webhook) => {
        refuseFaults(unknownTypeFaults(settings.types, webhook.types));
        return { ...webhook, ...merged(settings, read, webhook), disabledReason: '' };
      },
      isSeenTo: true,
    },
  );
}

/** What to store of what is wanted, beside what others have changed since it was read; in the names of the request. */
function merged(
  wanted: WebhookSettings,
  read: WebhookSettings | undefined,
  stored: WebhookSettings,
): WebhookSettings {
  const named = ({ url, description, types, isEnabled }: WebhookSettings) => ({
    url,
    description,
    types,
    enabled: isEnabled,
  });
  const { enabled, ...rest } = mergedChange('', {
    wanted: named(wanted),
    read: read && named(read),
    stored: named(stored),
  });
  return { ...rest, isEnabled: enabled };
}

/** Of three secrets the oldest stops at once: there are never more than two. */
export async function rotateSecret(
  deps: WebhookDeps,
  call: Call,
  { overlapSeconds = OVERLAP_DEFAULT_SECONDS, ...place }: WebhookPlace & { overlapSeconds?: number },
): Promise<{ webhook: WebhookView; secret: string }> {
  const secret = newSecret();
  const endsAtMs = deps.clock.now() + overlapSeconds * 1000;
  const webhook = await change(deps, call, place, {
    operation: 'RotateWebhookSecret',
    faults: [
      overlapSeconds < 0 || overlapSeconds > OVERLAP_MAX_SECONDS
        ? {
            field: 'overlap_seconds',
            violation: 'OUT_OF_RANGE',
            ...say('OUT_OF_RANGE', { min: 0, max: OVERLAP_MAX_SECONDS }),
          }
        : undefined,
    ],
    changed: ({ secrets: [current], ...rest }) => ({
      ...rest,
      secrets: [
        { value: secret },
        ...(current && overlapSeconds > 0 ? [{ value: current.value, endsAtMs }] : []),
      ],
    }),
  });
  return { webhook, secret };
}

export async function deleteWebhook(deps: WebhookDeps, call: Call, place: WebhookPlace): Promise<void> {
  await openTenant(deps, call, place.gkScopeId, placeFaults(place));
  await deps.store.transaction(async (tx) => {
    const webhook = await tx.find(place.gkScopeId, place.webhookId);
    if (!webhook) throw notFound('webhook', 'webhook_id');
    await tx.delete(webhook.webhookId);
    await tx.audit.append(recordOf(call, 'DeleteWebhook', webhook));
  });
}

/** The webhook that a request names, after everything wrong with the request was refused. */
export async function findWebhook(
  deps: WebhookDeps,
  call: Call,
  place: WebhookPlace,
  faults: readonly (FieldFault | undefined)[] = [],
): Promise<Webhook> {
  await openTenant(deps, call, place.gkScopeId, [...placeFaults(place), ...faults]);
  const webhook = await deps.store.read.find(place.gkScopeId, place.webhookId);
  if (!webhook) throw notFound('webhook', 'webhook_id');
  return webhook;
}

export const recordOf = (
  call: Call,
  operation: AuditAct,
  { gkScopeId, webhookId, url, isEnabled }: Webhook,
): AuditEntry => ({
  chain: gkScopeId,
  recordType: 'WEB_APP_EVENT',
  operation,
  ...auditedBy(call),
  context: { gkScopeId },
  subjectIds: [webhookId],
  detail: auditDetail({ host: new URL(url).host, isEnabled }),
});

interface Change {
  operation: AuditAct;
  faults: readonly (FieldFault | undefined)[];
  changed(webhook: Webhook): Webhook;
  isSeenTo?: boolean;
}

async function change(
  deps: WebhookDeps,
  call: Call,
  place: WebhookPlace,
  { operation, faults, changed, isSeenTo = false }: Change,
): Promise<WebhookView> {
  await openTenant(deps, call, place.gkScopeId, [...placeFaults(place), ...faults]);
  const nowMs = deps.clock.now();
  const after = await deps.store.transaction(async (tx) => {
    const webhook = await tx.find(place.gkScopeId, place.webhookId);
    if (!webhook) throw notFound('webhook', 'webhook_id');
    const now = { ...changed(webhook), modifiedAtMs: nowMs };
    await tx.update(now);
    if (isSeenTo) await tx.forgetFailures(now.webhookId, nowMs);
    await tx.audit.append(recordOf(call, operation, now));
    return (await tx.find(place.gkScopeId, place.webhookId)) ?? now;
  });
  return viewOf(deps, after);
}

async function viewOf({ store }: WebhookDeps, webhook: Webhook): Promise<WebhookView> {
  return { ...webhook, ...(await store.read.counts(webhook.webhookId)) };
}

const placeFaults = ({ webhookId }: WebhookPlace): (FieldFault | undefined)[] => [
  webhookId === '' ? missingField('webhook_id') : undefined,
];

function settingsFaults(
  { addresses }: WebhookDeps,
  { url, description, types }: Omit<WebhookSettings, 'isEnabled'>,
): (FieldFault | undefined)[] {
  return [
    url === '' ? missingField('url') : addresses.urlFault(url),
    description.length > DESCRIPTION_LENGTH_MAX
      ? {
          field: 'description',
          violation: 'TOO_LONG',
          ...say('TOO_MANY_CHARACTERS', { max: DESCRIPTION_LENGTH_MAX }),
        }
      : undefined,
    ...typeFaults(types),
  ];
}
