// How calls stand, from their first decision to a day after their end: stored, so that whoever asks when the call is no longer in
// memory, or after a restart, is still told.
import type { LiveOutcome } from '../biometrics/ports/live-outcomes.js';
import type { BiometricsStore } from '../biometrics/ports/store.js';
import type { Clock, Log } from '../platform.js';
import type { LiveCallInfo } from './model.js';

const KEPT_MS = 24 * 3600_000;
/** How long an ended call stays in memory, with the speech that it has collected. */
export const REMEMBERED_MS = 10 * 60_000;

export class CallOutcomes {
  readonly #store: BiometricsStore;
  readonly #clock: Clock;
  readonly #log: Log;
  /** By call: one after another, so that the newest stands. */
  readonly #writing = new Map<string, Promise<void>>();

  constructor({ store, clock, log }: { store: BiometricsStore; clock: Clock; log: Log }) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
  }

  /** Never fails: what was decided is in the session, whether or not it can be found by the call. */
  keep(info: LiveCallInfo): Promise<void> {
    const { liveCallId } = info;
    const write = (this.#writing.get(liveCallId) ?? Promise.resolve())
      .then(() => this.#write(info))
      .catch((cause: unknown) =>
        this.#log.warn({ liveCallId, cause: String(cause) }, 'a call could not be stored'),
      )
      .finally(() => {
        if (this.#writing.get(liveCallId) === write) this.#writing.delete(liveCallId);
      });
    this.#writing.set(liveCallId, write);
    return write;
  }

  async find(liveCallId: string): Promise<LiveCallInfo | undefined> {
    const found = await this.#store.read.liveOutcomes.find(liveCallId, this.#clock.now());
    return found && readOutcome(found);
  }

  /** Everything that was to be kept is. */
  async settled(): Promise<void> {
    await Promise.all(this.#writing.values());
  }

  async #write(info: LiveCallInfo): Promise<void> {
    const now = this.#clock.now();
    await this.#store.transaction(async ({ liveCalls, liveOutcomes }) => {
      if (info.ended) {
        await liveOutcomes.deleteExpired(now);
        await liveCalls.end(info.liveCallId, now + REMEMBERED_MS);
      }
      await liveOutcomes.put(outcomeOf(info, now));
    });
  }
}

export function outcomeOf(info: LiveCallInfo, nowMs: number): LiveOutcome {
  const { liveCallId, gkScopeId } = info;
  const bytes = new Uint8Array(Buffer.from(JSON.stringify(info)));
  return { liveCallId, gkScopeId, expiresAtMs: nowMs + KEPT_MS, info: bytes };
}

export const readOutcome = ({ info }: LiveOutcome): LiveCallInfo =>
  JSON.parse(Buffer.from(info).toString()) as LiveCallInfo;
