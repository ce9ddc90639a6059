// What an owner can do about deliveries: test the receiver with an event, list deliveries that were given up, and send events
// again.
import { auditDetail } from '../../audit/model.js';
import type { AuditQuery } from '../../audit/ports.js';
import { AppError, refuseFaults, type FieldFault } from '../../errors.js';
import type { Call } from '../../platform.js';
import { eventIdOf, eventOf, isWanted, pingOf, type CloudEvent } from '../feed/cloud-event.js';
import { PAGE_SIZE_DEFAULT, pageSizeFault } from '../feed/read-feed.js';
import { findWebhook, recordOf, type WebhookDeps, type WebhookPlace } from './manage.js';
import type { Delivery, Webhook } from './model.js';
import type { QueuedEvent } from './ports.js';
import { sendEvent, type SenderDeps, type SendResult } from './sender.js';
import { say } from '../../words/server/say.js';

const REPLAYED_MAX = 10_000;
const READ_AT_ONCE = 1000;

/** Sent from here and now, whether or not the webhook is on; what waits for it stays as it is. */
export async function pingWebhook(
  deps: WebhookDeps & Pick<SenderDeps, 'deliver' | 'bodyOf'>,
  call: Call,
  place: WebhookPlace,
): Promise<SendResult & { eventId: string }> {
  const webhook = await findWebhook(deps, call, place);
  const event = pingOf(webhook.gkScopeId, {
    id: deps.ids.uuid(),
    webhookId: webhook.webhookId,
    atMs: deps.clock.now(),
  });
  return { eventId: event.id, ...(await sendEvent({ ...deps, log: call.log }, webhook, event, call.signal)) };
}

interface Span {
  fromMs?: number;
  toMs?: number;
}

interface Replayed {
  /** How many were put in line. */
  events: number;
  /** They wait until the webhook is switched on. */
  webhookIsOff: boolean;
}

export async function replayEvents(
  deps: WebhookDeps,
  call: Call,
  input: WebhookPlace & Span & { deadLettersOnly: boolean },
): Promise<Replayed> {
  const { fromMs, toMs, deadLettersOnly } = input;
  const webhook = await findWebhook(deps, call, input, [
    fromMs !== undefined && toMs !== undefined && fromMs > toMs
      ? { field: 'end_time', violation: 'FIELD_CONFLICT', ...say('BEFORE_START') }
      : undefined,
  ]);
  const { waiting } = await deps.store.read.counts(webhook.webhookId);
  if (waiting >= REPLAYED_MAX) throw new AppError('QUOTA_EXCEEDED', say('EVENTS_WAITING', { waiting }));
  const events = deadLettersOnly ? await deadIn(deps, webhook, input) : await eventsIn(deps, webhook, input);
  await deps.store.transaction(async (tx) => {
    await tx.enqueue(webhook.webhookId, events, deps.clock.now());
    const { detail, ...record } = recordOf(call, 'ReplayWebhook', webhook);
    await tx.audit.append({ ...record, detail: auditDetail({ ...detail, events: events.length }) });
  });
  return { events: events.length, webhookIsOff: !webhook.isEnabled };
}

/** What comes after the webhook's place is sent anyway. */
async function eventsIn(deps: WebhookDeps, webhook: Webhook, { fromMs, toMs }: Span): Promise<QueuedEvent[]> {
  const found: QueuedEvent[] = [];
  const span: Pick<AuditQuery, 'fromMs' | 'toMs'> = {
    ...(fromMs !== undefined && { fromMs }),
    ...(toMs !== undefined && { toMs }),
  };
  for (let afterSeq = 0; ;) {
    const records = await deps.audit.read({
      chain: webhook.gkScopeId,
      afterSeq,
      ...span,
      limit: READ_AT_ONCE,
    });
    for (const record of records) {
      afterSeq = record.seq;
      if (afterSeq > webhook.progress.afterSeq) return found;
      if (isWanted(eventOf(record).type, webhook.types)) found.push({ seq: record.seq, atMs: record.atMs });
    }
    refuseFaults([tooMany(found)]);
    if (records.length < READ_AT_ONCE) return found;
  }
}

async function deadIn(
  deps: WebhookDeps,
  webhook: Webhook,
  { fromMs = 0, toMs = Infinity }: Span,
): Promise<QueuedEvent[]> {
  const dead = await deps.store.read.listDead(webhook.webhookId, 0, REPLAYED_MAX);
  return dead
    .filter(({ eventAtMs }) => eventAtMs >= fromMs && eventAtMs <= toMs)
    .map(({ seq, eventAtMs }) => ({ seq, atMs: eventAtMs }));
}

function tooMany(found: readonly QueuedEvent[]): FieldFault | undefined {
  return found.length > REPLAYED_MAX
    ? {
        field: 'end_time',
        violation: 'OUT_OF_RANGE',
        ...say('TOO_MANY_EVENTS', { max: REPLAYED_MAX }),
      }
    : undefined;
}

export interface DeadLetter extends Delivery {
  eventId: string;
  /** Absent where the trail was cut behind it. */
  event?: CloudEvent;
}

export async function listDeadLetters(
  deps: WebhookDeps,
  call: Call,
  input: WebhookPlace & { pageSize: number; pageToken: string },
): Promise<{ letters: DeadLetter[]; nextPageToken: string }> {
  const { gkScopeId, pageSize, pageToken } = input;
  const { webhookId } = await findWebhook(deps, call, input, [
    pageSizeFault(pageSize),
    /^\d{0,15}$/.test(pageToken)
      ? undefined
      : { field: 'page_token', violation: 'INVALID_FORMAT', ...say('NOT_A_PREVIOUS_CURSOR') },
  ]);
  const limit = pageSize || PAGE_SIZE_DEFAULT;
  const found = await deps.store.read.listDead(webhookId, Number(pageToken), limit + 1);
  const letters: DeadLetter[] = [];
  for (const delivery of found.slice(0, limit)) {
    const { seq } = delivery;
    const [record] = await deps.audit.read({ chain: gkScopeId, afterSeq: seq - 1, limit: 1 });
    letters.push({
      ...delivery,
      eventId: eventIdOf(gkScopeId, seq),
      ...(record?.seq === seq && { event: eventOf(record) }),
    });
  }
  const last = letters.at(-1);
  return { letters, nextPageToken: found.length > limit && last ? String(last.seq) : '' };
}
