// The sender: sends each webhook the events it has not had yet, and remembers those that were not accepted. A webhook's
// position moves, and an event leaves the queue, only after the receiver has answered, so each event is delivered at least
// once, even after a crash. Nodes share the webhooks; one webhook is served by one node at a time.
import { setMaxListeners } from 'node:events';
import type { AuditRecord } from '../../audit/model.js';
import type { AuditReader } from '../../audit/ports.js';
import { isOutage } from '../../errors.js';
import { DAY_MS, type Clock, type Log } from '../../platform.js';
import { eventOf, isWanted, type CloudEvent } from '../feed/cloud-event.js';
import type { Deliver, DeliveryAnswer } from './deliver.js';
import type { Delivery, Webhook } from './model.js';
import type { WebhookStore } from './ports.js';
import { endReason, resultOf, type Attempt } from './schedule.js';
import { signedHeaders } from './sign.js';
import { switchOff } from './switch-off.js';

export interface SenderDeps {
  store: WebhookStore;
  audit: Pick<AuditReader, 'read'>;
  deliver: Deliver;
  clock: Clock;
  log: Log;
  /** Does the work unless another node serves this webhook now. */
  withLease(webhookId: string, work: () => Promise<void>): Promise<void>;
  /** The body of an event, the same as in the feed. */
  bodyOf(event: CloudEvent, gkScopeId: string): Promise<string>;
  /** Whether the clock can be believed; nothing is forgotten for its age by one that cannot. */
  isTimeProven(): Promise<boolean>;
}

const LOOK_EVERY_MS = 1000;
const SERVED_AT_ONCE = 32;
const LOOKED_AT = 1000;
/** Events of one webhook that are on their way at the same time. */
const IN_FLIGHT_MAX = 16;
const READ_AT_ONCE = 500;
/** A turn ends well before its lease does: the longest round takes as long as the slowest delivery. */
const TURN_MS = 20_000;
/** The receiver is away for long: the rest waits in the trail, not in the queue. */
const WAITING_MAX = 10_000;
const DEAD_KEPT_MS = 30 * DAY_MS;
const FORGET_EVERY_MS = 3600_000;

export class WebhookSender {
  readonly #deps: SenderDeps;
  readonly #served = new Map<string, Promise<void>>();
  readonly #turnOf = new Map<string, number>();
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #turns = 0;
  #forgotAtMs = 0;
  delivered = 0;
  failed = 0;

  constructor(deps: SenderDeps) {
    this.#deps = deps;
    // Every delivery listens for the stop; that many are no leak.
    setMaxListeners(SERVED_AT_ONCE * IN_FLIGHT_MAX, this.#stopping.signal);
  }

  start(): void {
    this.#timer = setTimeout(() => {
      this.#looking = this.look().finally(() => {
        if (!this.#stopping.signal.aborted) this.start();
      });
    }, LOOK_EVERY_MS).unref();
  }

  /** What is on its way is cut off; it is sent again by whoever serves the webhook next. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    await this.#looking;
    await this.settled();
  }

  /** Begins to serve every webhook that has something to send and is not served yet; never throws. */
  async look(): Promise<void> {
    try {
      await this.#forget();
      const found = await this.#deps.store.withWork(this.#deps.clock.now(), LOOKED_AT);
      for (const { gkScopeId, webhookId } of this.#inTurn(found)) {
        if (this.#served.has(webhookId)) continue;
        if (this.#served.size >= SERVED_AT_ONCE) return;
        this.#turnOf.set(webhookId, ++this.#turns);
        const turn = this.#deps
          .withLease(webhookId, () => this.#serve(gkScopeId, webhookId))
          .catch((cause: unknown) => this.#note(cause))
          .finally(() => this.#served.delete(webhookId));
        this.#served.set(webhookId, turn);
      }
    } catch (cause) {
      this.#note(cause);
    }
  }

  /** Everything that `look` has begun is over. */
  async settled(): Promise<void> {
    await Promise.all(this.#served.values());
  }

  /** Those first that had their last turn longest ago, so that none waits behind others that always have something. */
  #inTurn<T extends { webhookId: string }>(found: readonly T[]): T[] {
    const turnOf = ({ webhookId }: T): number => this.#turnOf.get(webhookId) ?? 0;
    if (this.#turnOf.size > LOOKED_AT) this.#turnOf.clear();
    return [...found].sort((a, b) => turnOf(a) - turnOf(b));
  }

  #note(cause: unknown): void {
    if (!isOutage(cause)) this.#deps.log.warn({ err: cause }, 'sending webhooks failed');
  }

  async #serve(gkScopeId: string, webhookId: string): Promise<void> {
    const endsAtMs = performance.now() + TURN_MS;
    while (!this.#stopping.signal.aborted && performance.now() < endsAtMs) {
      const webhook = await this.#deps.store.read.find(gkScopeId, webhookId);
      if (!webhook?.isEnabled || !(await this.#round(webhook))) return;
    }
  }

  /** Whether there may be more. */
  async #round(webhook: Webhook): Promise<boolean> {
    const { store, clock } = this.#deps;
    const { webhookId } = webhook;
    const due = await store.due(webhookId, clock.now(), IN_FLIGHT_MAX);
    const fresh = await this.#fresh(webhook, IN_FLIGHT_MAX - due.length);
    if (due.length === 0 && fresh.afterSeq === webhook.progress.afterSeq) return false;
    const attempts = await Promise.all([
      ...due.map((queued) => this.#again(webhook, queued)),
      ...fresh.records.map((record) => this.#attempt(webhook, record)),
    ]);
    // What was cut off says nothing about the receiver.
    if (this.#stopping.signal.aborted) return false;
    const nowMs = clock.now();
    const result = resultOf(webhook, fresh.afterSeq, attempts, { nowMs, chance: Math.random() });
    if (!(await store.commit(webhook, result, nowMs))) return false;
    const taken = attempts.filter(({ fault }) => fault === undefined).length;
    this.delivered += taken;
    this.failed += attempts.length - taken;
    const reason = endReason(attempts, result.progress, nowMs);
    if (reason === undefined) return true;
    this.#deps.log.warn({ webhookId, reason }, 'a webhook was switched off');
    await switchOff(this.#deps, webhook, reason);
    return false;
  }

  /** The next new events that the filter lets through, and how far that is. */
  async #fresh(webhook: Webhook, room: number): Promise<{ records: AuditRecord[]; afterSeq: number }> {
    const { store, audit, clock } = this.#deps;
    const { progress, types, gkScopeId, webhookId } = webhook;
    let { afterSeq } = progress;
    const records: AuditRecord[] = [];
    if (room <= 0 || clock.now() < progress.pausedUntilMs) return { records, afterSeq };
    if ((await store.read.counts(webhookId)).waiting >= WAITING_MAX) return { records, afterSeq };
    // One that failed is tried with a single event.
    const limit = progress.failures > 0 ? 1 : room;
    for (const record of await audit.read({ chain: gkScopeId, afterSeq, limit: READ_AT_ONCE })) {
      const wanted = isWanted(eventOf(record).type, types);
      if (wanted && records.length === limit) break;
      afterSeq = record.seq;
      if (wanted) records.push(record);
    }
    return { records, afterSeq };
  }

  async #again(webhook: Webhook, queued: Delivery): Promise<Attempt> {
    const { seq, eventAtMs } = queued;
    const [record] = await this.#deps.audit.read({
      chain: webhook.gkScopeId,
      afterSeq: seq - 1,
      limit: 1,
    });
    // The trail was cut behind it: there is nothing left to tell.
    if (record?.seq !== seq) return { seq, eventAtMs, queued };
    return { ...(await this.#attempt(webhook, record)), queued };
  }

  async #attempt(webhook: Webhook, record: AuditRecord): Promise<Attempt> {
    const { seq, atMs: eventAtMs } = record;
    return {
      seq,
      eventAtMs,
      ...(await sendEvent(this.#deps, webhook, eventOf(record), this.#stopping.signal)),
    };
  }

  async #forget(): Promise<void> {
    const { store, clock, isTimeProven } = this.#deps;
    const nowMs = clock.now();
    if (nowMs - this.#forgotAtMs < FORGET_EVERY_MS && nowMs >= this.#forgotAtMs) return;
    this.#forgotAtMs = nowMs;
    if (await isTimeProven()) await store.deleteDead(nowMs - DEAD_KEPT_MS);
  }
}

export type SendResult = Pick<Attempt, 'fault' | 'status' | 'retryAfterMs'>;

/** One attempt; a receiver that cannot be reached is a fault in the result, and so is an event that cannot be made. */
export async function sendEvent(
  { deliver, clock, bodyOf, log }: Pick<SenderDeps, 'deliver' | 'clock' | 'bodyOf' | 'log'>,
  { url, secrets, gkScopeId, webhookId }: Webhook,
  event: CloudEvent,
  signal: AbortSignal,
): Promise<SendResult> {
  let body: string;
  try {
    body = await bodyOf(event, gkScopeId);
  } catch (cause) {
    if (isOutage(cause)) throw cause;
    log.warn({ err: cause, webhookId, eventId: event.id }, 'an event could not be made');
    return { fault: 'the server could not make this event' };
  }
  const headers = {
    ...signedHeaders({ id: event.id, atMs: clock.now(), body }, secrets),
    'content-type': 'application/cloudevents+json; charset=utf-8',
  };
  try {
    return taken(await deliver(url, { headers, body }, signal));
  } catch (cause) {
    return { fault: cause instanceof Error ? cause.message : 'the connection failed' };
  }
}

function taken(answer: DeliveryAnswer): SendResult {
  const isTaken = answer.status >= 200 && answer.status < 300;
  return isTaken ? answer : { ...answer, fault: `the receiver answered ${answer.status}` };
}
