// Those who follow calls: told of every event, from before the call begins until it is over or this server goes.
import type { LiveCall } from './live-call.js';
import type { LiveCallInfo, LiveEvent } from './model.js';

/** `draining`: this server goes down; another one may know how it goes on. */
export type OverReason = 'ended' | 'draining';

export interface Watcher {
  told(event: LiveEvent): void;
  /** There will be no more events, and why; nothing is told afterwards. */
  over(why: OverReason): void;
}

export class Followers {
  /** Each with how it leaves. */
  readonly #all = new Map<Watcher, () => void>();
  /** Of calls that have not begun. */
  readonly #early = new Map<string, Set<Watcher>>();

  /** Follows a call that runs. */
  follow(live: LiveCall, watcher: Watcher): () => void {
    // A call that is over tells everything at once, before there is anything to leave.
    let isOver = false;
    const leave = live.subscribe((event) => {
      watcher.told(event);
      if (!event.endReason) return;
      isOver = true;
      this.#finish(watcher, 'ended');
    });
    if (isOver) leave();
    else this.#all.set(watcher, leave);
    return () => this.#leave(watcher);
  }

  /** Follows a call that is yet to begin. */
  await(liveCallId: string, watcher: Watcher): () => void {
    const early = this.#early.get(liveCallId) ?? new Set();
    this.#early.set(liveCallId, early.add(watcher));
    this.#all.set(watcher, () => {
      early.delete(watcher);
      if (early.size === 0 && this.#early.get(liveCallId) === early) this.#early.delete(liveCallId);
    });
    return () => this.#leave(watcher);
  }

  /** Of a call that runs nowhere any more, as far as this server knows. */
  replay({ events }: LiveCallInfo, watcher: Watcher): () => void {
    for (const event of events) watcher.told(event);
    watcher.over('ended');
    return () => undefined;
  }

  begun(live: LiveCall): void {
    const early = this.#early.get(live.info.liveCallId) ?? [];
    this.#early.delete(live.info.liveCallId);
    for (const watcher of early) this.follow(live, watcher);
  }

  /** It will not begin; `last` says so, where somebody has decided that. */
  neverBegun(liveCallId: string, last?: LiveEvent): void {
    for (const watcher of [...(this.#early.get(liveCallId) ?? [])]) {
      if (last) watcher.told(last);
      this.#finish(watcher, 'ended');
    }
  }

  drain(): void {
    for (const watcher of [...this.#all.keys()]) this.#finish(watcher, 'draining');
  }

  #finish(watcher: Watcher, why: OverReason): void {
    this.#leave(watcher);
    watcher.over(why);
  }

  #leave(watcher: Watcher): void {
    this.#all.get(watcher)?.();
    this.#all.delete(watcher);
  }
}
