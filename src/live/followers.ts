// Followers of calls: they receive every event, from before the call begins until it is over or this server stops. Calls that
// run on another node are polled in the database.
import type { LiveCall } from './live-call.js';
import type { LiveCallInfo, LiveEvent } from './model.js';

/** `draining`: this server is shutting down; another one may know how the call continues. */
export type OverReason = 'ended' | 'draining';

export interface Watcher {
  told(event: LiveEvent): void;
  /** There will be no more events, and why; nothing is told afterwards. */
  over(why: OverReason): void;
}

/** The state of a call that does not run here. */
export interface CallOnOtherNode {
  /** Absent while it has not begun. */
  info?: LiveCallInfo;
  /** Whether it is still prepared or runs somewhere. */
  isKnown: boolean;
}

export type FindOnOtherNodes = (
  liveCallIds: readonly string[],
) => Promise<ReadonlyMap<string, CallOnOtherNode>>;

/** Between two looks. */
const LOOK_MS = 250;

interface Followed {
  liveCallId: string;
  watcher: Watcher;
  /** Of the last event that was sent; nothing is sent twice, wherever it comes from. */
  sequence: number;
  leave: () => void;
}

export class Followers {
  readonly #look: FindOnOtherNodes;
  readonly #all = new Set<Followed>();
  /** Of calls that do not run here, or have not begun. */
  readonly #elsewhere = new Set<Followed>();
  #timer: NodeJS.Timeout | undefined;

  constructor(look: FindOnOtherNodes) {
    this.#look = look;
  }

  /** Follows a call that runs here. */
  follow(live: LiveCall, watcher: Watcher): () => void {
    const followed = this.#add(live.info.liveCallId, watcher);
    this.#subscribe(live, followed);
    return () => this.#leave(followed);
  }

  /** Follows a call that is yet to begin, or runs at another node. */
  await(liveCallId: string, watcher: Watcher): () => void {
    const followed = this.#add(liveCallId, watcher);
    this.#wait(followed);
    return () => this.#leave(followed);
  }

  /** Of a call that is over. */
  replay({ events }: LiveCallInfo, watcher: Watcher): () => void {
    for (const event of events) watcher.told(event);
    watcher.over('ended');
    return () => undefined;
  }

  /** It runs here from now on. */
  begun(live: LiveCall): void {
    for (const followed of this.#of(this.#elsewhere, live.info.liveCallId)) {
      this.#elsewhere.delete(followed);
      this.#subscribe(live, followed);
    }
  }

  /** Another node goes on with it. */
  movedAway(liveCallId: string): void {
    for (const followed of this.#of(this.#all, liveCallId)) {
      followed.leave();
      this.#wait(followed);
    }
  }

  /** It will not begin; `last` says so if somebody has decided that. */
  neverBegun(liveCallId: string, last?: LiveEvent): void {
    for (const followed of this.#of(this.#elsewhere, liveCallId)) {
      if (last) tell(followed, last);
      this.#finish(followed, 'ended');
    }
  }

  drain(): void {
    clearTimeout(this.#timer);
    for (const followed of [...this.#all]) this.#finish(followed, 'draining');
  }

  #add(liveCallId: string, watcher: Watcher): Followed {
    const followed: Followed = { liveCallId, watcher, sequence: 0, leave: () => undefined };
    this.#all.add(followed);
    return followed;
  }

  #subscribe(live: LiveCall, followed: Followed): void {
    // A call that is over tells everything at once, before there is anything to leave.
    let isOver = false;
    const leave = live.subscribe((event) => {
      tell(followed, event);
      if (!event.endReason) return;
      isOver = true;
      this.#finish(followed, 'ended');
    });
    if (isOver) leave();
    else followed.leave = leave;
  }

  #wait(followed: Followed): void {
    followed.leave = () => undefined;
    this.#elsewhere.add(followed);
    this.#timer ??= setTimeout(() => void this.#lookAll(), LOOK_MS).unref();
  }

  async #lookAll(): Promise<void> {
    const ids = [...new Set([...this.#elsewhere].map(({ liveCallId }) => liveCallId))];
    // While the database is unavailable, followers get nothing: it will be back, or the reader will leave.
    const seen = await this.#look(ids).catch(() => undefined);
    for (const followed of [...this.#elsewhere]) {
      const found = seen?.get(followed.liveCallId);
      if (!found) continue;
      for (const event of found.info?.events ?? []) tell(followed, event);
      if (found.info?.ended || !found.isKnown) this.#finish(followed, 'ended');
    }
    this.#timer =
      this.#elsewhere.size > 0 ? setTimeout(() => void this.#lookAll(), LOOK_MS).unref() : undefined;
  }

  #of(those: ReadonlySet<Followed>, liveCallId: string): Followed[] {
    return [...those].filter((followed) => followed.liveCallId === liveCallId);
  }

  #finish(followed: Followed, why: OverReason): void {
    if (!this.#all.has(followed)) return;
    this.#leave(followed);
    followed.watcher.over(why);
  }

  #leave(followed: Followed): void {
    followed.leave();
    this.#elsewhere.delete(followed);
    this.#all.delete(followed);
  }
}

function tell(followed: Followed, event: LiveEvent): void {
  if (event.sequence <= followed.sequence) return;
  followed.sequence = event.sequence;
  followed.watcher.told(event);
}
