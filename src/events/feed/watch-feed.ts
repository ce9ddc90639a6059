// The feed as a stream: existing events, then new ones, for as long as the caller listens.
import { setTimeout as pause } from 'node:timers/promises';
import type { Call } from '../../platform.js';
import { readFeed, type FeedDeps, type FeedInput, type FeedPage } from './read-feed.js';

/** Nodes do not tell each other of changes; one small read in a while finds those of all. */
const LOOK_EVERY_MS = 1000;

/** The first page comes at once, even without events: its cursor is the place to come back to. */
export async function* watchFeed(deps: FeedDeps, call: Call, input: FeedInput): AsyncGenerator<FeedPage> {
  let asked = input;
  for (let isFirst = true; !call.signal.aborted; isFirst = false) {
    const page = await readFeed(deps, call, asked);
    if (isFirst || page.events.length > 0) yield page;
    asked = { ...asked, cursor: page.nextCursor };
    if (page.endOfEvents)
      await pause(LOOK_EVERY_MS, undefined, { signal: call.signal }).catch(() => undefined);
  }
}
