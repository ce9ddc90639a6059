// The state of calls, from their first decision to a day after their end: stored, so that it can still be read when the call
// is no longer in memory, or after a restart. Only the node that holds a call writes it: one that was silent for too long finds
// that others have told how the call ended.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { erasedOwnerOf } from '../biometrics/call/data-subjects.js';
import { COURSE_KEPT_MS, withoutScores } from '../biometrics/model/live-outcomes.js';
import type { LiveOutcome } from '../biometrics/ports/live-outcomes.js';
import type { BiometricsStore, BiometricsTransaction } from '../biometrics/ports/store.js';
import { isBusy, mayHaveBeenMade } from '../errors.js';
import type { Clock, Log } from '../platform.js';
import {
  isCutOff,
  isStopped,
  markStopped,
  noteConnectionLost,
  noteCutOff,
  noteHeldUp,
  noteReconnected,
  noteUndecided,
} from './cut-off.js';
import type { LiveCallInfo } from './model.js';

/** A node that has been silent for this long no longer holds its calls. */
export const HELD_MS = 15_000;

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

/** This node no longer holds the call; `course`: what others have stored of it. */
export class Overtaken extends Error {
  readonly course: LiveCallInfo | undefined;

  constructor(course: LiveCallInfo | undefined) {
    super('this node no longer holds the call');
    this.course = course;
  }
}

/** `attempt`: by which it is recognized after a commit of which nobody knows whether it was made. */
type Stored = LiveCallInfo & { attempt?: string };

type Work = (tx: BiometricsTransaction, info: LiveCallInfo) => Promise<void>;

interface OutcomesDeps {
  store: BiometricsStore;
  clock: Clock;
  log: Log;
}

export class CallOutcomes {
  readonly #store: BiometricsStore;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #nodeId: string;
  readonly #patience: AbortSignal;
  /** One write after another per call, so that the newest is kept. */
  readonly #writing = new Map<string, Promise<void>>();

  /** `patience`: once it is aborted, a database that is away is no longer waited for. */
  constructor({ store, clock, log }: OutcomesDeps, nodeId: string, patience: AbortSignal) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
    this.#nodeId = nodeId;
    this.#patience = patience;
  }

  /** Stores the state as of its turn, as soon as the database can. */
  keep(liveCallId: string, current: () => LiveCallInfo): Promise<void> {
    return this.#asSoonAsPossible(liveCallId, current, async (tx, info) => {
      await this.#noteHeldUp(tx, info);
      await this.#write(tx, info);
    });
  }

  /**
   * Stores a decision and the resulting state of the call in one transaction. Fails if the database is away: until it is back,
   * there may be more to decide on.
   */
  keepDecided(
    liveCallId: string,
    current: () => LiveCallInfo,
    record: (tx: BiometricsTransaction) => Promise<void>,
  ): Promise<void> {
    return this.#inTurn(liveCallId, async () => {
      const attempt = randomUUID();
      try {
        await this.#store.transaction(async (tx) => {
          const info = current();
          await this.#claim(tx, info);
          await this.#noteHeldUp(tx, info);
          await record(tx);
          await this.#write(tx, { ...info, attempt });
        });
      } catch (cause) {
        // Repeated blindly, it would be recorded twice.
        if (!mayHaveBeenMade(cause) || !(await this.#isStored(liveCallId, attempt))) throw cause;
      }
    });
  }

  /** Its connection was lost: its session says so while it waits. Never fails: this is reported again when the call is over. */
  tellLost(liveCallId: string, current: () => LiveCallInfo): void {
    this.#tell(liveCallId, current, (tx, info) => noteConnectionLost(tx, info, this.#clock.now()));
  }

  /** Another connection has arrived. */
  tellBack(liveCallId: string, current: () => LiveCallInfo): void {
    this.#tell(liveCallId, current, noteReconnected);
  }

  #tell(liveCallId: string, current: () => LiveCallInfo, note: Work): void {
    this.#asSoonAsPossible(liveCallId, current, note).catch((cause: unknown) =>
      this.#log.warn({ liveCallId, cause: String(cause) }, 'a connection could not be told of'),
    );
  }

  #asSoonAsPossible(liveCallId: string, current: () => LiveCallInfo, work: Work): Promise<void> {
    const once = (): Promise<void> =>
      this.#store.transaction(async (tx) => {
        const info = current();
        await this.#claim(tx, info);
        await work(tx, info);
      });
    return this.#inTurn(liveCallId, () => whileBusy(once, this.#patience));
  }

  #inTurn(liveCallId: string, work: () => Promise<void>): Promise<void> {
    const before = this.#writing.get(liveCallId) ?? Promise.resolve();
    const written = before.then(work);
    const settled = written
      .catch(() => undefined)
      .finally(() => {
        if (this.#writing.get(liveCallId) === settled) this.#writing.delete(liveCallId);
      });
    this.#writing.set(liveCallId, settled);
    return written;
  }

  async find(liveCallId: string): Promise<Stored | undefined> {
    const found = await this.#store.read.liveOutcomes.find(liveCallId, this.#clock.now());
    return found && readOutcome(found);
  }

  /** Resolves when everything has been stored. */
  async settled(): Promise<void> {
    await Promise.all(this.#writing.values());
  }

  async #isStored(liveCallId: string, attempt: string): Promise<boolean> {
    const stored = await whileBusy(() => this.find(liveCallId), this.#patience);
    return stored?.attempt === attempt;
  }

  /** Renews this node's hold on the call for the transaction and a while more, or fails for good. */
  async #claim(tx: BiometricsTransaction, { liveCallId, ended }: LiveCallInfo): Promise<void> {
    const now = this.#clock.now();
    const untilMs = now + (ended ? REMEMBERED_MS : HELD_MS);
    if (await tx.liveCalls.hold(liveCallId, this.#nodeId, { ended, untilMs })) return;
    const stored = await tx.liveOutcomes.find(liveCallId, now);
    throw new Overtaken(stored && readOutcome(stored));
  }

  /** Before anything else that is recorded of the call: it happened before. */
  async #noteHeldUp(tx: BiometricsTransaction, info: LiveCallInfo): Promise<void> {
    const { liveCallId, heldUp } = info;
    if (!heldUp) return;
    const stored = await tx.liveOutcomes.find(liveCallId, this.#clock.now());
    const isKnown = stored && readOutcome(stored).events.some(({ atMs }) => atMs === heldUp.atMs);
    if (!isKnown) await noteHeldUp(tx, info, heldUp);
  }

  async #write(tx: BiometricsTransaction, { heldUp: _heldUp, ...info }: Stored): Promise<void> {
    const now = this.#clock.now();
    if (info.ended) {
      if (!(await isKnownAsOver(tx, info, now))) {
        await noteUndecided(tx, info);
        if (isCutOff(info)) await noteCutOff(tx, info, { nowMs: now, isLate: false });
        else if (isStopped(info)) await markStopped(tx, info, now);
      }
      await tx.liveOutcomes.deleteExpired(now);
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
async function keepOutcome(tx: BiometricsTransaction, info: LiveCallInfo, nowMs: number): Promise<void> {
  await tx.liveOutcomes.put(outcomeOf((await isOfErased(tx, info)) ? withoutScores(info) : info, nowMs));
}

export function outcomeOf(info: LiveCallInfo, nowMs: number): LiveOutcome {
  const { liveCallId, gkScopeId, gkSessionId } = info;
  const bytes = new Uint8Array(Buffer.from(JSON.stringify(info)));
  return { liveCallId, gkScopeId, gkSessionId, expiresAtMs: nowMs + COURSE_KEPT_MS, info: bytes };
}

/** `door`: the protocol, as nodes of 0.2.0 write it. */
export function readOutcome({ info }: LiveOutcome): Stored {
  const { door, ...stored } = JSON.parse(Buffer.from(info).toString()) as Stored & { door?: string };
  return { ...stored, ...(door !== undefined && { protocol: door }) };
}

const AGAIN_MS = 500;

/** `patience`: once it is aborted, a fault is final. `onFault`: called after each attempt that failed. */
export async function whileBusy<T>(
  work: () => Promise<T>,
  patience: AbortSignal,
  onFault: (cause: unknown) => void = () => {},
): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (cause) {
      if (!isBusy(cause) || patience.aborted) throw cause;
      onFault(cause);
    }
    // When patience ends, there is one more attempt.
    await pause(AGAIN_MS, undefined, { signal: patience, ref: false }).catch(() => undefined);
  }
}
