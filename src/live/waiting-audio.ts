// Audio of a call on its way to the engine, which gets it in large pieces: many small ones would cost more than the work
// itself.

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
