// How calls stand, from their first decision to a day after their end: stored, so that whoever asks when the call is no longer in
// memory, or after a restart, is still told.
import type { BiometricsStore } from '../biometrics/ports/store.js';
import type { Clock, Log } from '../platform.js';
import type { LiveCallInfo } from './model.js';

const KEPT_MS = 24 * 3600_000;

export class CallOutcomes {
  readonly #store: BiometricsStore;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #writing = new Set<Promise<void>>();

  constructor({ store, clock, log }: { store: BiometricsStore; clock: Clock; log: Log }) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
  }

  /** Never fails: what was decided is in the session, whether or not it can be found by the call. */
  keep(info: LiveCallInfo): Promise<void> {
    const write = this.#write(info)
      .catch((cause: unknown) =>
        this.#log.warn({ liveCallId: info.liveCallId, cause: String(cause) }, 'a call could not be stored'),
      )
      .finally(() => this.#writing.delete(write));
    this.#writing.add(write);
    return write;
  }

  async find(liveCallId: string): Promise<LiveCallInfo | undefined> {
    const found = await this.#store.read.liveOutcomes.find(liveCallId, this.#clock.now());
    return found && (JSON.parse(Buffer.from(found.info).toString()) as LiveCallInfo);
  }

  /** Everything that was to be kept is. */
  async settled(): Promise<void> {
    await Promise.all(this.#writing);
  }

  async #write(info: LiveCallInfo): Promise<void> {
    const now = this.#clock.now();
    const { liveCallId, gkScopeId } = info;
    await this.#store.transaction(async ({ liveOutcomes }) => {
      if (info.ended) await liveOutcomes.deleteExpired(now);
      const bytes = new Uint8Array(Buffer.from(JSON.stringify(info)));
      await liveOutcomes.put({ liveCallId, gkScopeId, expiresAtMs: now + KEPT_MS, info: bytes });
    });
  }
}
