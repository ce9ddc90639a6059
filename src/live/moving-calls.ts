// Calls of a node that shuts down: stored in the database, sealed, until a connection picks them up, on another node or on the
// same one after its restart.
import { printsIn } from '../biometrics/operations/live-decision.js';
import type { BiometricsStore, BiometricsTransaction } from '../biometrics/ports/store.js';
import type { Clock, Log } from '../platform.js';
import { packMoving, unpackMoving, type MovingCall } from './call-handover.js';
import { externalHashOf, hashOf } from './prepared-calls.js';
import { whileBusy } from './call-outcomes.js';

/** The longest that a restart may take. */
const KEPT_MS = 2 * 60_000;

export class MovingCalls {
  readonly #store: BiometricsStore;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #nodeId: string;
  readonly #patience: AbortSignal;

  /** `patience`: once it is aborted, a database that is away is no longer waited for. */
  constructor(
    { store, clock, log }: { store: BiometricsStore; clock: Clock; log: Log },
    nodeId: string,
    patience: AbortSignal,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
    this.#nodeId = nodeId;
    this.#patience = patience;
  }

  /** False if it could not be stored, or this node no longer holds it: then the call ends here. */
  keep(gkScopeId: string, call: MovingCall): Promise<boolean> {
    return this.#put(gkScopeId, call, ({ liveCalls }, untilMs) =>
      liveCalls.hold(call.liveCallId, this.#nodeId, { ended: false, untilMs }),
    );
  }

  /** It was taken, and could not begin here. */
  putBack(gkScopeId: string, call: MovingCall): Promise<boolean> {
    return this.#put(gkScopeId, call, async () => true);
  }

  async #put(
    gkScopeId: string,
    call: MovingCall,
    mayPut: (tx: BiometricsTransaction, untilMs: number) => Promise<boolean>,
  ): Promise<boolean> {
    const now = this.#clock.now();
    try {
      const { liveCallId, resumeToken, externalCallId } = call;
      const hashes = { tokenHash: hashOf(resumeToken), externalHash: externalHashOf(externalCallId) };
      const entry = { gkScopeId, ...hashes, expiresAtMs: now + KEPT_MS };
      const store = (): Promise<boolean> =>
        this.#store.transaction(async (tx) => {
          const { handovers, liveCalls } = tx;
          if (!(await mayPut(tx, entry.expiresAtMs))) return false;
          await handovers.deleteExpired(now);
          await handovers.put({ ...entry, state: packMoving(call) });
          const prepared = new Uint8Array();
          const { gkEngagementId = '', gkSessionId = '' } = call.question.context;
          const asked = { gkEngagementId, gkSessionId, prints: printsIn(call.question) };
          await liveCalls.put({ ...entry, liveCallId, stage: 'MOVING', nodeId: '', prepared, asked });
          return true;
        });
      return await whileBusy(store, this.#patience);
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
