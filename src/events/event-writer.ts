// Takes events from the hot paths and writes them in batches, so that a call never waits for its event. What is
// still in memory when a process is killed is lost: events are for looking on, the audit trail is for proof.
import { isOutage } from '../errors.js';
import { yieldToEventLoop, type Clock, type Log } from '../platform.js';
import type { EventSink, RuntimeEvent } from './model.js';
import type { EventStore } from './ports.js';

interface EventWriterOptions {
  /** Longest time an event waits in memory. */
  flushMs: number;
  /** Most that may wait; beyond that the newest are dropped and counted. */
  pendingMax: number;
  retentionMs: number;
  countMax: number;
  /** Whether the clock can be believed; nothing is deleted for its age by one that cannot. */
  isTimeProven?: () => Promise<boolean>;
}

/** A dozen milliseconds of work for SQLite, which does it on this thread. */
const BATCH_MAX = 1000;
const TEXT_LENGTH_MAX = 512;
const PRUNE_EVERY_MS = 10 * 60_000;

export class EventWriter implements EventSink {
  readonly #deps: { store: EventStore; clock: Clock; log: Log };
  readonly #options: EventWriterOptions;
  #pending: RuntimeEvent[] = [];
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> | undefined;
  #prunedAtMs = 0;
  #stopped = false;

  constructor(deps: { store: EventStore; clock: Clock; log: Log }, options: EventWriterOptions) {
    this.#deps = deps;
    this.#options = options;
  }

  record(event: RuntimeEvent): void {
    if (this.#stopped || this.#pending.length >= this.#options.pendingMax) {
      this.#dropped += 1;
      return;
    }
    this.#pending.push(cleaned(event));
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.flush();
    }, this.#options.flushMs).unref();
  }

  /** Writes everything recorded so far; a failure is logged and the events are tried again with the next batch. */
  async flush(): Promise<void> {
    while (this.#flushing) await this.#flushing;
    this.#flushing = this.#write().finally(() => {
      this.#flushing = undefined;
    });
    await this.#flushing;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.flush();
  }

  async #write(): Promise<void> {
    try {
      while (this.#pending.length > 0) {
        const batch = this.#pending.slice(0, BATCH_MAX);
        await this.#deps.store.append(batch);
        this.#pending.splice(0, batch.length);
        if (this.#pending.length > 0) await yieldToEventLoop();
      }
      await this.#pruneWhenDue();
    } catch (cause) {
      // An outage has its own line in the log, and what was dropped is told when it is over.
      if (isOutage(cause)) return;
      this.#deps.log.warn({ err: cause, waiting: this.#pending.length }, 'cannot write runtime events');
    }
    if (this.#dropped === 0) return;
    this.#deps.log.warn({ dropped: this.#dropped }, 'runtime events were dropped');
    this.#dropped = 0;
  }

  async #pruneWhenDue(): Promise<void> {
    const nowMs = this.#deps.clock.now();
    if (nowMs - this.#prunedAtMs < PRUNE_EVERY_MS) return;
    this.#prunedAtMs = nowMs;
    if ((await this.#options.isTimeProven?.()) === false) return;
    const { retentionMs, countMax } = this.#options;
    await this.#deps.store.prune({ beforeMs: nowMs - retentionMs, countMax });
  }
}

/** Part of an event is what a stranger sent: bounded, and without characters that a database would refuse. */
function cleaned(event: RuntimeEvent): RuntimeEvent {
  if (isPlainEvent(event)) return event;
  const { type, atMs, appId, clientId, requestId, gkScopeId, outcome } = event;
  const attributes: Record<string, string> = {};
  for (const name of Object.keys(event.attributes)) attributes[name] = plain(event.attributes[name] ?? '');
  return {
    type,
    atMs,
    appId: appId === undefined ? undefined : plain(appId),
    clientId: clientId === undefined ? undefined : plain(clientId),
    requestId: requestId === undefined ? undefined : plain(requestId),
    gkScopeId: gkScopeId === undefined ? undefined : plain(gkScopeId),
    outcome: plain(outcome),
    attributes,
  };
}

/** Nearly all are; those are kept as they came. */
function isPlainEvent({ appId, clientId, requestId, gkScopeId, outcome, attributes }: RuntimeEvent): boolean {
  if (!(isPlain(appId) && isPlain(clientId) && isPlain(requestId) && isPlain(gkScopeId) && isPlain(outcome)))
    return false;
  for (const name of Object.keys(attributes)) if (!isPlain(attributes[name])) return false;
  return true;
}

/** Halves of a character, as are left where a text was cut, are none for a database. */
const refusedPattern = /[\u0000-\u001f\p{Cs}]/u;
const refusedPatterns = /[\u0000-\u001f\p{Cs}]/gu;

function isPlain(text: string | undefined): boolean {
  return text === undefined || (text.length <= TEXT_LENGTH_MAX && !refusedPattern.test(text));
}

function plain(text: string): string {
  return isPlain(text) ? text : text.slice(0, TEXT_LENGTH_MAX).replace(refusedPatterns, ' ');
}
