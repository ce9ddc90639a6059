// The messages of one call, read only when somebody asks for the next. Until then the stream stands still, and HTTP/2's
// flow control keeps its bytes at the sender. A message takes its announced size from the budget before it is buffered.
import type { ServerHttp2Stream } from 'node:http2';
import { AppError } from '../../errors.js';
import type { ByteHold } from '../limits/byte-budget.js';
import type { ReceivingPace } from '../receiving-pace.js';
import { unreadable } from '../refusal.js';
import { messageTooLarge, unpack } from './unpack.js';

interface ReaderOptions {
  messageBytesMax: number;
  /** Of the header `grpc-encoding`. */
  encoding: string | undefined;
  hold: ByteHold;
  pace: ReceivingPace;
}

/** One byte says whether the message is compressed, four say how long it is. */
const PREFIX_BYTES = 5;

interface Raw {
  compressed: boolean;
  bytes: Buffer;
}

export class MessageReader {
  readonly #stream: ServerHttp2Stream;
  readonly #options: ReaderOptions;
  /** Bytes that belong to no message yet; less than a prefix, or what one frame brought too much. */
  #loose: Buffer | undefined;
  /** The message under way, in a buffer of its final size: many small frames cost no more than few large ones. */
  #partial: (Raw & { filled: number }) | undefined;
  #ready: Raw | undefined;
  #started = false;
  #ended = false;
  #ignoring = false;
  #taken = false;
  #fault: Error | undefined;
  #cut = false;
  #wake: (() => void) | undefined;
  #callOffPace: (() => void) | undefined;

  constructor(stream: ServerHttp2Stream, options: ReaderOptions) {
    this.#stream = stream;
    this.#options = options;
  }

  /**
   * The first message, where all of it is here already, as nearly every short request is that comes together with its headers: then
   * nobody has to wait, and the stream need not be set in motion.
   */
  here(): Buffer | undefined {
    if (this.#started) return undefined;
    const chunk = this.#stream.read() as Buffer | null;
    if (!chunk) return undefined;
    this.#loose = chunk;
    this.#advance();
    const ready = this.#ready;
    if (!ready || ready.compressed) return undefined;
    this.#ready = undefined;
    this.#taken = true;
    return ready.bytes;
  }

  /**
   * The next message; undefined when the caller has sent the last. Called again only after it has answered. A message that is due
   * has to come in time; any other has to once it has begun.
   */
  async next({ isDue } = { isDue: false }): Promise<Buffer | undefined> {
    this.#advance();
    if (!this.#ready && isDue) this.#watchPace();
    while (!this.#ready) {
      this.#throwFault();
      if (this.#ended) {
        if (this.#partial || this.#loose) throw unreadable('the call ended in the middle of a message');
        return undefined;
      }
      await this.#moreBytes();
    }
    const { compressed, bytes } = this.#ready;
    this.#ready = undefined;
    this.#taken = true;
    if (!compressed) return bytes;
    const { encoding, messageBytesMax, hold } = this.#options;
    return hold.inTurn(async () => {
      this.#throwFault();
      return unpack(bytes, encoding, messageBytesMax, hold);
    });
  }

  /** Whether a message has come whole. */
  get taken(): boolean {
    return this.#taken;
  }

  /** What comes from now on is thrown away. */
  ignoreRest(): void {
    if (this.#ignoring) return;
    this.#ignoring = true;
    this.#leavePace();
    this.#loose = undefined;
    this.#partial = undefined;
    this.#stream.resume();
  }

  /** The stream is gone: nobody must wait for it any longer. */
  cut(): void {
    this.#cut = true;
    this.#leavePace();
    this.#wake?.();
  }

  /** Made only where somebody waits: every call ends with a cut, and an error that nobody sees costs as much as any. */
  #throwFault(): void {
    if (this.#fault) throw this.#fault;
    if (this.#cut) throw new AppError('CANCELLED_CLIENT', 'the caller hung up');
  }

  #moreBytes(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined;
        resolve();
      };
      if (this.#loose || this.#partial) this.#watchPace();
      this.#start();
      this.#stream.resume();
    });
  }

  #watchPace(): void {
    this.#callOffPace ??= this.#options.pace.watch({
      received: () => this.#partial?.filled ?? this.#loose?.length ?? 0,
      giveUp: (refusal) => {
        this.#fault = refusal;
        this.#wake?.();
      },
    });
  }

  #leavePace(): void {
    this.#callOffPace?.();
    this.#callOffPace = undefined;
  }

  #start(): void {
    if (this.#started) return;
    this.#started = true;
    this.#stream.on('data', (chunk: Buffer) => this.#receive(chunk));
    this.#stream.on('end', () => {
      this.#ended = true;
      this.#leavePace();
      this.#wake?.();
    });
  }

  #receive(chunk: Buffer): void {
    if (this.#ignoring) return;
    const partial = this.#partial;
    if (partial) {
      const used = chunk.copy(partial.bytes, partial.filled);
      partial.filled += used;
      if (used < chunk.length) this.#loose = chunk.subarray(used);
    } else {
      this.#loose = this.#loose ? Buffer.concat([this.#loose, chunk]) : chunk;
    }
    this.#advance();
    if (!this.#ready && !this.#fault) return this.#watchPace();
    this.#leavePace();
    this.#stream.pause();
    this.#wake?.();
  }

  /** Makes a message of what has come, if that is enough. */
  #advance(): void {
    if (this.#ready || this.#fault || this.#cut) return;
    if (!this.#partial) this.#open();
    const partial = this.#partial;
    if (partial && partial.filled === partial.bytes.length) {
      this.#ready = partial;
      this.#partial = undefined;
    }
  }

  #open(): void {
    const loose = this.#loose;
    if (!loose || loose.length < PREFIX_BYTES) return;
    try {
      const flag = loose[0] as number;
      if (flag > 1) throw unreadable('the bytes are not framed as gRPC messages');
      const size = loose.readUInt32BE(1);
      if (size > this.#options.messageBytesMax) throw messageTooLarge(this.#options.messageBytesMax);
      this.#options.hold.take(size);
      const end = PREFIX_BYTES + size;
      if (loose.length >= end) {
        // Whole in one frame, as nearly every message: no copy.
        const bytes = loose.subarray(PREFIX_BYTES, end);
        this.#loose = loose.length > end ? loose.subarray(end) : undefined;
        this.#partial = { compressed: flag === 1, bytes, filled: size };
      } else {
        const bytes = Buffer.allocUnsafeSlow(size);
        const filled = loose.copy(bytes, 0, PREFIX_BYTES);
        this.#loose = undefined;
        this.#partial = { compressed: flag === 1, bytes, filled };
      }
    } catch (thrown) {
      this.#fault = thrown as Error;
    }
  }
}
