// Looks after calls every few seconds: says that this node holds its own, ends those that nobody sends audio for any longer, forgets
// those that are long over, and closes those whose node has said nothing for too long.
import type { BiometricsStore } from '../biometrics/ports/store.js';
import { isOutage } from '../errors.js';
import type { Clock, Log } from '../platform.js';
import { HELD_MS, Overtaken, REMEMBERED_MS } from './call-outcomes.js';
import type { ErasedCalls } from './erased-calls.js';
import type { LiveCall } from './live-call.js';
import type { RunningCalls } from './running-calls.js';

const EVERY_MS = 5000;
/** No speech, and no data either: the connection is dead or was never meant to carry a call. */
const IDLE_MS = 60_000;

interface UpkeepDeps {
  store: BiometricsStore;
  clock: Clock;
  log: Log;
}

/** `calls`: those in the memory of this node. */
interface LookedAfter {
  calls: Map<string, LiveCall>;
  running: RunningCalls;
  erased: ErasedCalls;
}

export class Upkeep {
  readonly #deps: UpkeepDeps;
  readonly #of: LookedAfter;
  readonly #timer: NodeJS.Timeout;
  #round: Promise<void>;
  /** Since when this node has had the database without a break. */
  #knowsSinceMs: number | undefined;

  constructor(deps: UpkeepDeps, of: LookedAfter, isAlone: boolean) {
    this.#deps = deps;
    this.#of = of;
    // If that fails, they are closed when they expire.
    const left = isAlone ? of.running.closeLeft().catch(() => undefined) : undefined;
    this.#round = Promise.resolve(left).then(() => this.#look());
    this.#timer = setInterval(() => {
      this.#round = this.#round.then(() => this.#look());
    }, EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#round;
  }

  async #look(): Promise<void> {
    const { calls, running, erased } = this.#of;
    const now = this.#deps.clock.now();
    const old = [...calls].filter(([, live]) => live.info.ended && now - live.heardAtMs > REMEMBERED_MS);
    for (const [id] of old) calls.delete(id);
    for (const live of calls.values())
      if (!live.isOver && now - live.heardAtMs > IDLE_MS) void live.finish('idle');
    try {
      for (const [id] of old) await running.forget(id);
      await erased.forget();
      await this.#endOrphaned();
      const here = [...calls.values()].filter(({ info }) => !info.ended);
      for (const [live, course] of await running.renew(here)) void live.fail(new Overtaken(course));
      // Before that, others could not say either that they hold their calls: they get as much time as always.
      this.#knowsSinceMs ??= now;
      if (now - this.#knowsSinceMs >= HELD_MS) await running.closeExpired();
    } catch (cause) {
      this.#knowsSinceMs = undefined;
      if (!isOutage(cause)) this.#deps.log.warn({ cause: String(cause) }, 'looking after live calls failed');
    }
  }

  /**
   * Ends calls that wait for a connection in a session that is over: a returning sender could not continue there, and the session
   * must soon say that the call was not heard to its end.
   */
  async #endOrphaned(): Promise<void> {
    const byTenant = new Map<string, LiveCall[]>();
    for (const live of this.#of.calls.values())
      if (live.isWaiting)
        byTenant.set(live.info.gkScopeId, [...(byTenant.get(live.info.gkScopeId) ?? []), live]);
    for (const [gkScopeId, waiting] of byTenant) {
      const ids = waiting.map(({ info }) => info.gkSessionId);
      const sessions = await this.#deps.store.read.sessions.findMany(gkScopeId, ids);
      const open = new Set(sessions.flatMap(({ isActive, gkSessionId }) => (isActive ? gkSessionId : [])));
      // A call whose sender has come back meanwhile goes on.
      for (const live of waiting)
        if (live.isWaiting && !open.has(live.info.gkSessionId)) void live.finish('lost');
    }
  }
}
