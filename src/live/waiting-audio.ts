// Audio of a call on its way: how far it lags behind real time, which parts the telephone system leaves out but counts, and the
// large pieces in which the engine gets it: many small ones would cost more than the work itself.
import type { Clock } from '../platform.js';

/** Length of a piece; shorter if a checkpoint may be reached sooner, so that the piece ends just there. */
const BATCH_MS_MAX = 1000;
const BATCH_MS_MIN = 60;
/** This much audio may wait; a sender that is faster than we process has to wait too. */
const BACKLOG_MS = 10_000;
/** For packets without a fixed length: the usual length in telephony. */
const PACKET_MS = 20;

export class WaitingAudio {
  readonly #bytesPerSecond: number;
  #chunks: Uint8Array[] = [];
  bytes = 0;

  /** 0 if pieces have no fixed length. */
  constructor(bytesPerSecond: number) {
    this.#bytesPerSecond = bytesPerSecond;
  }

  get isEmpty(): boolean {
    return this.#chunks.length === 0;
  }

  get isTooMuch(): boolean {
    return this.ms > BACKLOG_MS;
  }

  /** Whether it is enough for the engine, which needs more than `spareMs` to make progress. */
  isBatch(spareMs: number): boolean {
    return this.missingMs(spareMs) === 0;
  }

  /** How much has to arrive before it is. */
  missingMs(spareMs: number): number {
    return Math.max(0, Math.min(BATCH_MS_MAX, Math.max(BATCH_MS_MIN, spareMs)) - this.ms);
  }

  add(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.bytes += chunk.length;
  }

  take(): Uint8Array[] {
    const chunks = this.#chunks;
    this.#chunks = [];
    this.bytes = 0;
    return chunks;
  }

  get ms(): number {
    return this.#bytesPerSecond > 0
      ? (1000 * this.bytes) / this.#bytesPerSecond
      : PACKET_MS * this.#chunks.length;
  }
}

/** A part that was left out after `afterMs` of received audio. */
export interface Gap {
  afterMs: number;
  ms: number;
}

/** Beyond this number, gaps are merged. */
const GAPS_MAX = 1000;
/** The accuracy to which the engine reports how much it has heard. */
const NEAR_MS = 50;

export class SkippedAudio {
  readonly #gaps: Gap[];

  /** `before`: in the part that another node has heard. */
  constructor(before: readonly Gap[] = []) {
    this.#gaps = before.map((gap) => ({ ...gap }));
  }

  get gaps(): readonly Gap[] {
    return this.#gaps;
  }

  add(afterMs: number, ms: number): void {
    if (ms <= 0) return;
    const last = this.#gaps.at(-1);
    if (last && (last.afterMs >= afterMs || this.#gaps.length >= GAPS_MAX)) last.ms += ms;
    else this.#gaps.push({ afterMs, ms });
  }

  /** The position in the call at which audio ends that ends there in the received audio. */
  endOf(heardMs: number): number {
    return heardMs + this.#before((afterMs) => afterMs < heardMs);
  }

  /** The position in the call after this much received audio. */
  positionAt(heardMs: number): number {
    return heardMs + this.#before((afterMs) => afterMs <= heardMs + NEAR_MS);
  }

  #before(lies: (afterMs: number) => boolean): number {
    return this.#gaps.reduce((sum, { afterMs, ms }) => sum + (lies(afterMs) ? ms : 0), 0);
  }
}

/** An engine that lets this much audio wait is slow. */
export const SLOW_MS = 200;
/** A sender that is this far ahead does not send in real time. */
const AHEAD_MS_MAX = 200;
/**
 * A line that was silent, has begun to lag, or has a different clock is accepted as it is after this long.
 */
const TAKEN_AS_IT_IS_MS = 5000;

export class Pace {
  readonly #clock: Clock;
  #sinceMs = -Infinity;
  /** When the first heard audio would have been spoken, if all of it had arrived at once. */
  #beganAtMs = 0;
  #heardMs = 0;
  #leastBehindMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  heard(ms: number): void {
    const now = this.#clock.now();
    if (now - this.#sinceMs >= TAKEN_AS_IT_IS_MS) {
      // Measured at the time when the least was on its way; at the beginning, or after a long silence,
      // everything spoken has arrived.
      const isAnew = now - this.#sinceMs >= 2 * TAKEN_AS_IT_IS_MS;
      this.#beganAtMs = isAnew ? now - this.#heardMs : this.#beganAtMs + this.#leastBehindMs;
      this.#leastBehindMs = Infinity;
      this.#sinceMs = now;
    }
    this.#heardMs += ms;
    this.#leastBehindMs = Math.min(this.#leastBehindMs, this.#behindMs);
  }

  get #behindMs(): number {
    return this.#clock.now() - this.#beganAtMs - this.#heardMs;
  }

  get isAhead(): boolean {
    return this.#behindMs < -AHEAD_MS_MAX;
  }

  /** How long it takes until this much more has arrived; 0 if it is not sent in real time. */
  untilMs(missingMs: number): number {
    return this.isAhead ? 0 : Math.max(0, missingMs - Math.max(0, this.#behindMs));
  }
}
