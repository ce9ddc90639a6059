// Calls of a node that shuts down: stored in the database, sealed, until a connection picks them up, on another node or on the
// same one after its restart.
import { printsIn } from '../biometrics/operations/live-decision.js';
import type { BiometricsStore } from '../biometrics/ports/store.js';
import type { Clock, Log } from '../platform.js';
import { packMoving, unpackMoving, type MovingCall } from './call-handover.js';
import { externalHashOf, hashOf } from './prepared-calls.js';

/** The longest that a restart may take. */
const KEPT_MS = 2 * 60_000;

export class MovingCalls {
  readonly #store: BiometricsStore;
  readonly #clock: Clock;
  readonly #log: Log;

  constructor({ store, clock, log }: { store: BiometricsStore; clock: Clock; log: Log }) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
  }

  /** False if it could not be stored: then the call ends here. */
  async keep(gkScopeId: string, call: MovingCall): Promise<boolean> {
    const now = this.#clock.now();
    try {
      const { liveCallId, resumeToken, externalCallId } = call;
      const hashes = { tokenHash: hashOf(resumeToken), externalHash: externalHashOf(externalCallId) };
      const entry = { gkScopeId, ...hashes, expiresAtMs: now + KEPT_MS };
      await this.#store.transaction(async ({ handovers, liveCalls }) => {
        await handovers.deleteExpired(now);
        await handovers.put({ ...entry, state: packMoving(call) });
        const prepared = new Uint8Array();
        const { gkEngagementId = '', gkSessionId = '' } = call.question.context;
        const asked = { gkEngagementId, gkSessionId, prints: printsIn(call.question) };
        await liveCalls.put({ ...entry, liveCallId, stage: 'MOVING', nodeId: '', prepared, asked });
      });
      return true;
    } catch (cause) {
      this.#log.warn(
        { liveCallId: call.liveCallId, cause: String(cause) },
        'a running call could not be handed over',
      );
      return false;
    }
  }

  async takeByToken(resumeToken: string): Promise<MovingCall | undefined> {
    const tokenHash = hashOf(resumeToken);
    if (!(await this.#store.read.handovers.isKept(tokenHash))) return undefined;
    return this.#take((handovers, now) => handovers.takeByToken(tokenHash, now));
  }

  takeByExternal(gkScopeId: string, externalCallId: string): Promise<MovingCall | undefined> {
    return this.#take((handovers, now) => handovers.takeByExternal(gkScopeId, hashOf(externalCallId), now));
  }

  async #take(
    find: (
      handovers: BiometricsStore['read']['handovers'],
      nowMs: number,
    ) => Promise<{ state: Uint8Array } | undefined>,
  ): Promise<MovingCall | undefined> {
    const found = await this.#store.transaction(({ handovers }) => find(handovers, this.#clock.now()));
    return found && unpackMoving(found.state);
  }
}
