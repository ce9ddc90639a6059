// The events of a tenant in the order in which they were committed: those that are there, and on demand those to come.
import type { CloudEventJson } from '../gen/voxgate/events/v1/events_pb.js';
import type { AnswerOf, RequestOf } from './contract.js';

/** Which events, and where to start. */
export interface EventOptions {
  /** From an earlier feed: continues right after it. */
  cursor?: string | undefined;
  /** Where to start if there is no cursor (RFC 3339); at the oldest event that is kept if absent. */
  startTime?: string | undefined;
  /** Such as `voxgate.v1.Verify`, or the beginning of a type and `*`. All if absent. */
  types?: readonly string[] | undefined;
  /** Waits for more events instead of ending after the last one. */
  follow?: boolean | undefined;
  /** How often to look for new events while following; every second if absent. */
  pollMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

const POLL_MS = 1000;

type Ask = (request: Omit<RequestOf<'ListTenantEvents'>, 'context'>) => Promise<AnswerOf<'ListTenantEvents'>>;

/** Iterate over it to get the events; `cursor` is where another feed can continue. */
export class EventFeed implements AsyncIterable<CloudEventJson> {
  readonly #ask: Ask;
  readonly #pause: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  readonly #options: EventOptions;
  #cursor: string | undefined;

  constructor(
    ask: Ask,
    pause: (ms: number, signal: AbortSignal | undefined) => Promise<void>,
    options: EventOptions,
  ) {
    this.#ask = ask;
    this.#pause = pause;
    this.#options = options;
    this.#cursor = options.cursor;
  }

  /** Right after the last page of events that was read to its end. A feed from here misses no event, but may repeat some. */
  get cursor(): string | undefined {
    return this.#cursor;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<CloudEventJson> {
    const { startTime, types, follow = false, pollMs = POLL_MS, signal } = this.#options;
    while (!signal?.aborted) {
      const page = await this.#ask({ cursor: this.#cursor, startTime, types });
      for (const event of page.events ?? []) {
        if (signal?.aborted) return;
        yield event;
      }
      this.#cursor = page.nextCursor;
      if (!page.endOfEvents) continue;
      if (!follow) return;
      await this.#pause(pollMs, signal).catch(() => undefined);
    }
  }
}
