// Followers of calls: they receive every event, from before the call begins until it is over or this server stops. Calls that
// run on another node are polled in the database.
import type { LiveCall } from './live-call.js';
import type { LiveCallInfo, LiveEvent } from './model.js';

/** `draining`: this server is shutting down; another one may know how the call continues. */
type OverReason = 'ended' | 'draining';

export interface Watcher {
  onEvent(event: LiveEvent): void;
  /** There will be no more events, and why; nothing is sent afterwards. */
  over(why: OverReason): void;
}

/** The state of a call that does not run here. */
export interface CallOnOtherNode {
  /** Absent while it has not begun. */
  info?: LiveCallInfo;
  /** Whether it is still prepared or runs somewhere. */
  isKnown: boolean;
}

type FindOnOtherNodes = (liveCallIds: readonly string[]) => Promise<ReadonlyMap<string, CallOnOtherNode>>;

/** Time between two looks. */
const LOOK_MS = 250;

interface Subscription {
  liveCallId: string;
  watcher: Watcher;
  /** Number of the last event that was sent; nothing is sent twice, wherever it comes from. */
  sequence: number;
  leave: () => void;
}

export class Followers {
  readonly #look: FindOnOtherNodes;
  readonly #all = new Set<Subscription>();
  /** Followers of calls that do not run here, or have not begun. */
  readonly #elsewhere = new Set<Subscription>();
  #timer: NodeJS.Timeout | undefined;

  constructor(look: FindOnOtherNodes) {
    this.#look = look;
  }

  /** Follows a call that runs here. */
  follow(live: LiveCall, watcher: Watcher): () => void {
    const subscription = this.#add(live.info.liveCallId, watcher);
    this.#subscribe(live, subscription);
    return () => this.#leave(subscription);
  }

  /** Follows a call that has yet to begin, or runs on another node. */
  await(liveCallId: string, watcher: Watcher): () => void {
    const subscription = this.#add(liveCallId, watcher);
    this.#wait(subscription);
    return () => this.#leave(subscription);
  }

  /** For a call that is over. */
  replay({ events }: LiveCallInfo, watcher: Watcher): () => void {
    for (const event of events) watcher.onEvent(event);
    watcher.over('ended');
    return () => undefined;
  }

  /** The call runs here from now on. */
  begun(live: LiveCall): void {
    for (const subscription of this.#of(this.#elsewhere, live.info.liveCallId)) {
      this.#elsewhere.delete(subscription);
      this.#subscribe(live, subscription);
    }
  }

  /** Another node continues the call. */
  movedAway(liveCallId: string): void {
    for (const subscription of this.#of(this.#all, liveCallId)) {
      subscription.leave();
      this.#wait(subscription);
    }
  }

  /** It will not begin; `last` says so if somebody has decided that. */
  neverBegun(liveCallId: string, last?: LiveEvent): void {
    for (const subscription of this.#of(this.#elsewhere, liveCallId)) {
      if (last) tell(subscription, last);
      this.#finish(subscription, 'ended');
    }
  }

  drain(): void {
    clearTimeout(this.#timer);
    for (const subscription of [...this.#all]) this.#finish(subscription, 'draining');
  }

  #add(liveCallId: string, watcher: Watcher): Subscription {
    const subscription: Subscription = { liveCallId, watcher, sequence: 0, leave: () => undefined };
    this.#all.add(subscription);
    return subscription;
  }

  #subscribe(live: LiveCall, subscription: Subscription): void {
    // A call that is over sends everything at once, before there is anything to unsubscribe from.
    let isOver = false;
    const leave = live.subscribe((event) => {
      tell(subscription, event);
      if (!event.endReason) return;
      isOver = true;
      this.#finish(subscription, 'ended');
    });
    if (isOver) leave();
    else subscription.leave = leave;
  }

  #wait(subscription: Subscription): void {
    subscription.leave = () => undefined;
    this.#elsewhere.add(subscription);
    this.#timer ??= setTimeout(() => void this.#lookAll(), LOOK_MS).unref();
  }

  async #lookAll(): Promise<void> {
    const ids = [...new Set([...this.#elsewhere].map(({ liveCallId }) => liveCallId))];
    // While the database is unavailable, followers get nothing: it will be back, or the reader will leave.
    const seen = await this.#look(ids).catch(() => undefined);
    for (const subscription of [...this.#elsewhere]) {
      const found = seen?.get(subscription.liveCallId);
      if (!found) continue;
      for (const event of found.info?.events ?? []) tell(subscription, event);
      if (found.info?.ended || !found.isKnown) this.#finish(subscription, 'ended');
    }
    this.#timer =
      this.#elsewhere.size > 0 ? setTimeout(() => void this.#lookAll(), LOOK_MS).unref() : undefined;
  }

  #of(those: ReadonlySet<Subscription>, liveCallId: string): Subscription[] {
    return [...those].filter((subscription) => subscription.liveCallId === liveCallId);
  }

  #finish(subscription: Subscription, why: OverReason): void {
    if (!this.#all.has(subscription)) return;
    this.#leave(subscription);
    subscription.watcher.over(why);
  }

  #leave(subscription: Subscription): void {
    subscription.leave();
    this.#elsewhere.delete(subscription);
    this.#all.delete(subscription);
  }
}

function tell(subscription: Subscription, event: LiveEvent): void {
  if (event.sequence <= subscription.sequence) return;
  subscription.sequence = event.sequence;
  subscription.watcher.onEvent(event);
}
