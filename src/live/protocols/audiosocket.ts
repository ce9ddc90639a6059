// Asterisk's AudioSocket: frames of one type byte, two length bytes and a payload over plain TCP. The first
// frame names the call by a UUID that was registered when the call was prepared; the protocol has no other
// way to say who is there.
import { AppError } from '../../errors.js';
import type { LiveCall } from '../live-call.js';
import type { LiveCalls } from '../live-calls.js';
import type { Prepared } from '../prepared-calls.js';
import type { EndReason, LiveFormat } from '../model.js';
import { inEnglish } from '../../words/server/say.js';

const START_MS_MAX = 10_000;
const HEAD_BYTES = 3;
const UUID_BYTES = 16;

export const frameTypes = { hangup: 0x00, uuid: 0x01, dtmf: 0x03, audio8k: 0x10, error: 0xff } as const;

/** Rates of signed 16-bit audio by the type of its frames. */
const ratesHz: ReadonlyMap<number, number> = new Map([
  [frameTypes.audio8k, 8000],
  [0x11, 12_000],
  [0x12, 16_000],
  [0x13, 24_000],
  [0x14, 32_000],
  [0x15, 44_100],
  [0x16, 48_000],
]);

interface Frame {
  type: number;
  payload: Uint8Array;
}

/**
 * Takes bytes in pieces of any size and returns frames. A frame is at most 64 KiB long, so no more than that
 * waits.
 */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);

  push(chunk: Uint8Array): Frame[] {
    const bytes = this.#rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#rest, chunk]);
    const frames: Frame[] = [];
    let at = 0;
    while (bytes.length - at >= HEAD_BYTES) {
      const end = at + HEAD_BYTES + bytes.readUInt16BE(at + 1);
      if (end > bytes.length) break;
      frames.push({ type: bytes[at] as number, payload: bytes.subarray(at + HEAD_BYTES, end) });
      at = end;
    }
    this.#rest = Buffer.from(bytes.subarray(at));
    return frames;
  }
}

export function frameOf(type: number, payload: Uint8Array = new Uint8Array()): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head[0] = type;
  head.writeUInt16BE(payload.length, 1);
  return Buffer.concat([head, payload]);
}

/** The connection back to Asterisk. */
interface AudioSocketConnection {
  send(bytes: Uint8Array): void;
  close(): void;
}

export class AudioSocketSession {
  readonly #calls: LiveCalls;
  readonly #connection: AudioSocketConnection;
  readonly #timer: NodeJS.Timeout;
  readonly #reader = new FrameReader();
  #prepared: Prepared | undefined;
  #heard: (() => void) | undefined;
  #live: LiveCall | undefined;
  #audioType: number | undefined;
  #isOver = false;

  constructor(calls: LiveCalls, connection: AudioSocketConnection) {
    this.#calls = calls;
    this.#connection = connection;
    this.#timer = setTimeout(() => this.fail(), START_MS_MAX).unref();
  }

  /** Throws an AppError for anything that the protocol does not allow. */
  async data(chunk: Uint8Array): Promise<void> {
    for (const frame of this.#reader.push(chunk)) if (!this.#isOver) await this.#frame(frame);
  }

  /** Reports an error in the protocol's own way, and hangs up. */
  fail(): void {
    clearTimeout(this.#timer);
    this.#connection.send(frameOf(frameTypes.error, Uint8Array.of(1)));
    this.#connection.close();
    // As in the other protocols: the mistake was the sender's, not ours.
    void this.#end('lost');
  }

  /** For this many milliseconds nothing that is sent can be useful. */
  get idleMs(): number {
    return this.#live?.idleMs ?? 0;
  }

  gone(): void {
    clearTimeout(this.#timer);
    // Hanging up is how Asterisk says that the call is over.
    void this.#end('stopped');
  }

  async #frame({ type, payload }: Frame): Promise<void> {
    if (!this.#prepared) return this.#open(type, payload);
    const rateHz = ratesHz.get(type);
    if (rateHz !== undefined) return this.#audio(type, rateHz, payload);
    if (type === frameTypes.hangup || type === frameTypes.error) {
      await this.#end(type === frameTypes.hangup ? 'stopped' : 'lost');
      this.#connection.close();
    } else if (type !== frameTypes.dtmf)
      throw new AppError('BAD_REQUEST', `there is no frame of type ${type}`);
  }

  async #open(type: number, payload: Uint8Array): Promise<void> {
    if (type !== frameTypes.uuid || payload.length !== UUID_BYTES)
      throw new AppError('INVALID_REQUEST', inEnglish('the first frame must be the UUID of the call'));
    const prepared = await this.#calls.prepared.redeemUuid(uuidOf(payload));
    this.#prepared = prepared;
    this.#heard = this.#calls.prepared.awaitAudio(prepared, () => this.#comeAgain());
  }

  async #audio(type: number, sampleRateHz: number, payload: Uint8Array): Promise<void> {
    if (!this.#live) {
      clearTimeout(this.#timer);
      this.#heard?.();
      const format: LiveFormat['format'] = { encoding: 's16le', sampleRateHz, channels: 1 };
      this.#audioType = type;
      this.#live = await this.#calls.begin(this.#prepared as Prepared, 'audiosocket', {
        format,
        customerChannel: 1,
      });
      this.#live.subscribe((event) => {
        if (event.endReason) this.#connection.close();
      });
    }
    if (type !== this.#audioType)
      throw new AppError(
        'INVALID_REQUEST',
        inEnglish('the format of the audio must not change within a call'),
      );
    if (!this.#live.isOver) await this.#live.audio(payload);
  }

  /** The server is shutting down: the call, which has not begun, can begin on another one. */
  #comeAgain(): void {
    clearTimeout(this.#timer);
    this.#prepared = undefined;
    this.#isOver = true;
    this.#connection.close();
  }

  /**
   * Also called if no audio has come yet: then nobody waits for it any longer. A call that could not begin
   * has already been handled.
   */
  async #end(endReason: EndReason): Promise<void> {
    clearTimeout(this.#timer);
    this.#heard?.();
    if (this.#live) await this.#live.finish(endReason);
    else if (this.#prepared && this.#audioType === undefined) await this.#calls.abandon(this.#prepared);
  }
}

function uuidOf(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
