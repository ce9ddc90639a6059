// The state of calls, from their first decision to a day after their end: stored, so that it can still be read when the call
// is no longer in memory, or after a restart.
import { erasedOwnerOf } from '../biometrics/call/late-erasure.js';
import { COURSE_KEPT_MS, withoutScores } from '../biometrics/model/live-outcomes.js';
import type { LiveOutcome } from '../biometrics/ports/live-outcomes.js';
import type { BiometricsStore, BiometricsTransaction } from '../biometrics/ports/store.js';
import type { Clock, Log } from '../platform.js';
import { isCutOff, noteReconnected, noteCutOff, noteConnectionLost, noteUndecided } from './cut-off.js';
import type { LiveCallInfo } from './model.js';

/** How long an ended call stays in memory, with the speech that it has collected. */
export const REMEMBERED_MS = 10 * 60_000;

/** Whether the person it was with, or one it was compared with, was erased while it ran. */
async function isOfErased(
  tx: BiometricsTransaction,
  { gkScopeId, gkSessionId, events }: LiveCallInfo,
): Promise<boolean> {
  if (await tx.sessions.isErased(gkSessionId)) return true;
  const prints = new Set(events.flatMap((event) => event.gkVoiceprintProfileId ?? []));
  for (const print of prints) if (await erasedOwnerOf(tx, gkScopeId, print)) return true;
  return false;
}

export class CallOutcomes {
  readonly #store: BiometricsStore;
  readonly #clock: Clock;
  readonly #log: Log;
  /** One write after another per call, so that the newest is kept. */
  readonly #writing = new Map<string, Promise<void>>();

  constructor({ store, clock, log }: { store: BiometricsStore; clock: Clock; log: Log }) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
  }

  /**
   * Stores the state as of its turn. Never fails: the decision is in the session, whether or not it can be
   * found by the call.
   */
  keep(liveCallId: string, standing: () => LiveCallInfo): Promise<void> {
    return this.#inTurn(liveCallId, (tx) => this.#write(tx, standing())).catch((cause: unknown) =>
      this.#log.warn({ liveCallId, cause: String(cause) }, 'a call could not be stored'),
    );
  }

  /** Stores a decision and the resulting state of the call in one transaction, because somebody waits for the decision. */
  keepDecided(
    liveCallId: string,
    standing: () => LiveCallInfo,
    record: (tx: BiometricsTransaction) => Promise<void>,
  ): Promise<void> {
    return this.#inTurn(liveCallId, async (tx) => {
      await record(tx);
      await this.#write(tx, standing());
    });
  }

  /** Its connection was lost: its session says so while it waits. Never fails: this is reported again when the call is over. */
  tellLost(liveCallId: string, standing: () => LiveCallInfo): void {
    this.#tell(liveCallId, (tx) => noteConnectionLost(tx, standing(), this.#clock.now()));
  }

  /** Another connection has arrived. */
  tellBack(liveCallId: string, standing: () => LiveCallInfo): void {
    this.#tell(liveCallId, (tx) => noteReconnected(tx, standing()));
  }

  #tell(liveCallId: string, note: (tx: BiometricsTransaction) => Promise<void>): void {
    this.#inTurn(liveCallId, note).catch((cause: unknown) =>
      this.#log.warn({ liveCallId, cause: String(cause) }, 'a connection could not be told of'),
    );
  }

  #inTurn(liveCallId: string, work: (tx: BiometricsTransaction) => Promise<void>): Promise<void> {
    const before = this.#writing.get(liveCallId) ?? Promise.resolve();
    const written = before.then(() => this.#store.transaction(work));
    const settled = written
      .catch(() => undefined)
      .finally(() => {
        if (this.#writing.get(liveCallId) === settled) this.#writing.delete(liveCallId);
      });
    this.#writing.set(liveCallId, settled);
    return written;
  }

  async find(liveCallId: string): Promise<LiveCallInfo | undefined> {
    const found = await this.#store.read.liveOutcomes.find(liveCallId, this.#clock.now());
    return found && readOutcome(found);
  }

  /** Resolves when everything has been stored. */
  async settled(): Promise<void> {
    await Promise.all(this.#writing.values());
  }

  async #write(tx: BiometricsTransaction, info: LiveCallInfo): Promise<void> {
    const now = this.#clock.now();
    if (info.ended) {
      if (!(await isKnownAsOver(tx, info, now))) {
        await noteUndecided(tx, info);
        if (isCutOff(info)) await noteCutOff(tx, info, { nowMs: now, isLate: false });
      }
      await tx.liveOutcomes.deleteExpired(now);
      await tx.liveCalls.end(info.liveCallId, now + REMEMBERED_MS);
    }
    await keepOutcome(tx, info, now);
  }
}

/** The end of a call may be written more than once. */
async function isKnownAsOver(
  tx: BiometricsTransaction,
  { liveCallId }: LiveCallInfo,
  nowMs: number,
): Promise<boolean> {
  const known = await tx.liveOutcomes.find(liveCallId, nowMs);
  return known !== undefined && readOutcome(known).ended;
}

/** Stored without scores if their person was erased. */
export async function keepOutcome(
  tx: BiometricsTransaction,
  info: LiveCallInfo,
  nowMs: number,
): Promise<void> {
  await tx.liveOutcomes.put(outcomeOf((await isOfErased(tx, info)) ? withoutScores(info) : info, nowMs));
}

export function outcomeOf(info: LiveCallInfo, nowMs: number): LiveOutcome {
  const { liveCallId, gkScopeId, gkSessionId } = info;
  const bytes = new Uint8Array(Buffer.from(JSON.stringify(info)));
  return { liveCallId, gkScopeId, gkSessionId, expiresAtMs: nowMs + COURSE_KEPT_MS, info: bytes };
}

export const readOutcome = ({ info }: LiveOutcome): LiveCallInfo =>
  JSON.parse(Buffer.from(info).toString()) as LiveCallInfo;
