// Webhooks: the receivers of a tenant's events.
import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import { cursorOf } from '../../events/feed/read-feed.js';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateSecret,
  updateWebhook,
  type WebhookDeps,
  type WebhookPlace,
  type WebhookView,
} from '../../events/webhooks/manage.js';
import {
  listDeadLetters,
  pingWebhook,
  replayEvents,
  type DeadLetter,
} from '../../events/webhooks/send-again.js';
import type { SenderDeps } from '../../events/webhooks/sender.js';
import type { Context } from '../../gen/vendor/biosec/v1/common_pb.js';
import {
  Webhooks,
  type DeadLetterSchema,
  type WebhookSchema,
} from '../../gen/voxgate/events/v1/webhooks_pb.js';
import { bindService, type ServiceBinding } from '../service.js';
import { biosecAccess, contextOf, done, present, timestampOf } from './biosec/shared.js';
import { wireOf } from './events.js';

export type WebhooksServiceDeps = WebhookDeps & Pick<SenderDeps, 'deliver' | 'bodyOf'>;

export function webhooksService(deps: WebhooksServiceDeps): ServiceBinding {
  return bindService(Webhooks, biosecAccess, {
    createWebhook: async (call, request) => {
      const { url, description, types } = request;
      const made = await createWebhook(deps, call, { ...tenantOf(request), url, description, types });
      return { webhook: webhookOf(made.webhook), secret: made.secret };
    },
    listWebhooks: async (call, request) => ({
      webhooks: (await listWebhooks(deps, call, tenantOf(request).gkScopeId)).map(webhookOf),
    }),
    getWebhook: async (call, request) => ({
      webhook: webhookOf(await getWebhook(deps, call, placeOf(request))),
    }),
    updateWebhook: async (call, request) => {
      const { url, description, types, enabled = true, expected } = request;
      const settings = {
        url,
        description,
        types,
        isEnabled: enabled,
        ...present('read', expected, (read) => ({ ...read, isEnabled: read.enabled })),
      };
      return { webhook: webhookOf(await updateWebhook(deps, call, { ...placeOf(request), ...settings })) };
    },
    deleteWebhook: (call, request) => done(deleteWebhook(deps, call, placeOf(request))),
    rotateWebhookSecret: async (call, request) => {
      const overlap = present('overlapSeconds', request.overlapSeconds, Number);
      const rotated = await rotateSecret(deps, call, { ...placeOf(request), ...overlap });
      return { webhook: webhookOf(rotated.webhook), secret: rotated.secret };
    },
    pingWebhook: async (call, request) => {
      const { eventId, status = 0, fault } = await pingWebhook(deps, call, placeOf(request));
      return { delivered: fault === undefined, httpStatus: status, fault: fault ?? '', eventId };
    },
    replayWebhook: async (call, request) => {
      const { startTime, endTime, deadLettersOnly } = request;
      const span = {
        ...present('fromMs', startTime, timestampMs),
        ...present('toMs', endTime, timestampMs),
      };
      return replayEvents(deps, call, { ...placeOf(request), ...span, deadLettersOnly });
    },
    listDeadLetters: async (call, request) => {
      const { pageSize, pageToken } = request;
      const page = await listDeadLetters(deps, call, { ...placeOf(request), pageSize, pageToken });
      return { deadLetters: page.letters.map(deadLetterOf), nextPageToken: page.nextPageToken };
    },
  });
}

type InTenant = { context?: Context | undefined };

function tenantOf(request: InTenant): { gkScopeId: string } {
  return { gkScopeId: contextOf(request).gkScopeId ?? '' };
}

function placeOf(request: InTenant & { webhookId: string }): WebhookPlace {
  return { ...tenantOf(request), webhookId: request.webhookId };
}

function webhookOf(webhook: WebhookView): MessageInitShape<typeof WebhookSchema> {
  const { progress, secrets } = webhook;
  return {
    webhookId: webhook.webhookId,
    url: webhook.url,
    description: webhook.description,
    types: [...webhook.types],
    enabled: webhook.isEnabled,
    disabledReason: webhook.disabledReason,
    creationTimestamp: timestampOf(webhook.createdAtMs),
    modificationTimestamp: timestampOf(webhook.modifiedAtMs),
    ...present('previousSecretExpiry', secrets[1]?.endsAtMs, timestampOf),
    cursor: cursorOf(progress.afterSeq),
    ...present('failingSince', progress.failingSinceMs, timestampOf),
    waiting: webhook.waiting,
    deadLetters: webhook.dead,
  };
}

function deadLetterOf(letter: DeadLetter): MessageInitShape<typeof DeadLetterSchema> {
  return {
    ...present('event', letter.event, (event) => wireOf(event)),
    eventId: letter.eventId,
    attempts: letter.attempts,
    firstAttempt: timestampOf(letter.firstAtMs),
    lastAttempt: timestampOf(letter.lastAtMs),
    lastFault: letter.lastFault,
  };
}
