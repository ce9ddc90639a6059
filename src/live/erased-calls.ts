// Calls in the memory of this node whose person was erased, on any node: this is checked before anything about a call is
// reported, and every few seconds.
import { endedError } from '../biometrics/call/context.js';
import type { BiometricsStore } from '../biometrics/ports/store.js';
import { isOutage } from '../errors.js';
import type { LiveCall } from './live-call.js';
import type { LiveCallInfo } from './model.js';
import type { RunningCalls } from './running-calls.js';

/** The prints that the call was compared with, and those it names. */
const printsOf = ({ info: { events }, prints }: LiveCall): string[] => [
  ...prints,
  ...events.flatMap((event) => event.gkVoiceprintProfileId ?? []),
];

export class ErasedCalls {
  readonly #store: BiometricsStore;
  readonly #running: RunningCalls;
  readonly #calls: Map<string, LiveCall>;

  /** `calls`: those in memory. */
  constructor(store: BiometricsStore, running: RunningCalls, calls: Map<string, LiveCall>) {
    this.#store = store;
    this.#running = running;
    this.#calls = calls;
  }

  /** A call in memory, reduced to what may be reported now. */
  async tellable(liveCallId: string): Promise<LiveCallInfo | undefined> {
    const live = this.#calls.get(liveCallId);
    // While the database is unavailable, nobody can be erased.
    if (live)
      await this.forget([live]).catch((cause: unknown) => {
        if (!isOutage(cause)) throw cause;
      });
    return live?.info;
  }

  /**
   * From now on, calls that were with an erased person, or compared with one, report no scores. Calls with
   * that person, or that name one of their prints, end and leave memory: nothing of the voice may stay.
   */
  async forget(calls: readonly LiveCall[] = [...this.#calls.values()]): Promise<void> {
    if (calls.length === 0) return;
    const erased = await this.#store.read.erasure.erasedAmong({
      gkSessionIds: calls.map(({ info }) => info.gkSessionId),
      gkVoiceprintProfileIds: [...new Set(calls.flatMap(printsOf))],
    });
    for (const live of calls) {
      const { liveCallId, gkSessionId } = live.info;
      const wasWithThem = erased.has(gkSessionId) || live.prints.some((print) => erased.has(print));
      if (wasWithThem || printsOf(live).some((print) => erased.has(print))) live.forgetScores();
      if (!wasWithThem) continue;
      await live.fail(endedError('session', 'context.gk_session_id', { isErased: true }));
      this.#calls.delete(liveCallId);
      await this.#running.forget(liveCallId);
    }
  }
}
