// The events of a tenant in the order in which they were committed: those that are there, and on demand those to come.
import type { CloudEventJson } from '../gen/voxgate/events/v1/events_pb.js';
import type { AnswerOf, RequestOf } from './contract.js';

/** Which events, and from where on. */
export interface EventOptions {
  /** Of an earlier feed: continues right behind it. */
  cursor?: string | undefined;
  /** Where there is no cursor: RFC 3339, from here on. From the oldest event that is kept if absent. */
  startTime?: string | undefined;
  /** Such as `voxgate.v1.Verify`, or the beginning of one and `*`. All if absent. */
  types?: readonly string[] | undefined;
  /** Waits for further events instead of ending with the last one. */
  follow?: boolean | undefined;
  /** How often to look for new ones while following; every second if absent. */
  pollMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

const POLL_MS = 1000;

type Ask = (request: Omit<RequestOf<'ListTenantEvents'>, 'context'>) => Promise<AnswerOf<'ListTenantEvents'>>;

/** Iterate over it for the events; `cursor` is where another feed goes on. */
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

  /** Right behind the last page of events that was read to its end. A feed from here misses none; it may repeat some. */
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
