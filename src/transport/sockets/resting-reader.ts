// Leaves audio with the operating system until it can be of use. A call sends fifty packets a second, and waking up for each of them
// costs several times as much as taking all of a second at once.
import type { Duplex } from 'node:stream';
import { yieldToEventLoop } from '../../platform.js';

/** Less is not worth it. */
const REST_MS_MIN = 80;
/** So that nobody who hangs up, or asks whether we are there, waits for long. */
const REST_MS_MAX = 500;
/** Awake again before the audio that matters comes. */
const EARLY_MS = 40;
/** So many turns of the event loop without anything new: all that had arrived is read. */
const QUIET_TURNS = 5;
/** Of a sender that is far ahead not everything can be read at once. */
const TURNS_MAX = 500;

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
  readonly #socket: Duplex & { _handle?: Partial<ReadingHandle> | null; bytesRead?: number };
  /** How many ask for everything at this moment. */
  #asking = 0;
  /** Counted by whoever takes them: several may come in one piece, and are told of one at a time. */
  messages = 0;
  #timer: NodeJS.Timeout | undefined;
  #isAwakeForGood = false;

  constructor(socket: Duplex) {
    this.#socket = socket;
    socket.once('close', () => clearTimeout(this.#timer));
  }

  /** The other side has said its last word, or is lost. */
  onEnd(tell: () => void): void {
    for (const end of ['end', 'error', 'close']) this.#socket.once(end, tell);
  }

  /** Nothing that comes within this time is needed. */
  rest(idleMs: number): void {
    if (idleMs < REST_MS_MIN || this.#timer || this.#isAwakeForGood || this.#asking > 0) return;
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

  /** Reads what has arrived by now. */
  async readAll(): Promise<void> {
    this.#asking += 1;
    this.#wake();
    let seen = -1;
    for (let turn = 0, quiet = 0; turn < TURNS_MAX && quiet < QUIET_TURNS; turn++) {
      await yieldToEventLoop();
      const now = (this.#socket.bytesRead ?? 0) + this.messages;
      quiet = now === seen && !this.#socket.isPaused() ? quiet + 1 : 0;
      seen = now;
    }
    this.#asking -= 1;
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
