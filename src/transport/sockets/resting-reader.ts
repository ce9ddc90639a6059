// Leaves audio with the operating system until it can be of use. A call sends fifty packets a second, and waking up for each of them
// costs several times as much as taking all of a second at once.
import type { Duplex } from 'node:stream';

/** Less is not worth it. */
const REST_MS_MIN = 80;
/** So that nobody who hangs up, or asks whether we are there, waits for long. */
const REST_MS_MAX = 500;
/** Awake again before the audio that matters comes. */
const EARLY_MS = 40;

/**
 * Node's own way to stop reading from a socket that is not paused. A stream that is paused goes on reading until it has gathered
 * more than a second of a call, so that pausing it would spare nothing.
 */
interface ReadingHandle {
  /** What Node believes. To start what has been started is an error, on which it gives the connection up. */
  reading: boolean;
  readStop(): unknown;
  readStart(): unknown;
}

export class RestingReader {
  readonly #socket: Duplex & { _handle?: Partial<ReadingHandle> | null };
  #timer: NodeJS.Timeout | undefined;
  #isAwakeForGood = false;

  constructor(socket: Duplex) {
    this.#socket = socket;
    socket.once('close', () => clearTimeout(this.#timer));
  }

  /** Nothing that comes within this time is needed. */
  rest(idleMs: number): void {
    if (idleMs < REST_MS_MIN || this.#timer || this.#isAwakeForGood) return;
    const { _handle: handle } = this.#socket;
    // A socket of another kind is read from all the time.
    if (!handle?.readStop || !handle.readStart || !handle.reading) return;
    handle.reading = false;
    handle.readStop();
    this.#timer = setTimeout(() => this.#wake(), Math.min(REST_MS_MAX, idleMs - EARLY_MS));
  }

  /** The connection ends: whoever was told so has the last word, and it is read at once. */
  stayAwake(): void {
    this.#isAwakeForGood = true;
    this.#wake();
  }

  #wake(): void {
    if (!this.#timer) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { _handle: handle } = this.#socket;
    // A stream that had something to take back has begun to read by itself.
    if (!handle || handle.reading !== false) return;
    handle.reading = true;
    handle.readStart?.();
  }
}
