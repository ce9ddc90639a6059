// One gRPC call on its HTTP/2 stream: headers in, messages in on demand, headers, messages and trailers out. What is not
// delivered in time is cut, so that a caller who does not read holds nothing for long.
import {
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Socket } from 'node:net';
import type { Deadlines } from '../dispatch/deadlines.js';
import { GrpcStatus } from '../grpc-status.js';
import type { ByteHold } from '../limits/byte-budget.js';
import type { ReceivingPace } from '../receiving-pace.js';
import { MessageReader } from './message-reader.js';
import { ACCEPTED_ENCODINGS } from './unpack.js';

export interface CallLimits {
  messageBytesMax: number;
  /** Time that an answer has to leave and the caller has to say that it is done. */
  deliveryMs: number;
  /** How slowly its messages may come. */
  pace: ReceivingPace;
}

export type TextHeaders = Readonly<Record<string, string>>;

const CONTENT_TYPE = 'application/grpc+proto';
const PREFIX_BYTES = 5;
const RESET_AFTER_MS = 1000;

export class GrpcCall {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly requests: MessageReader;
  readonly hold: ByteHold;
  /** Where the caller's connection comes from. */
  readonly remoteAddress: string;
  readonly socket: Pick<Socket, 'remoteAddress'>;
  readonly #stream: ServerHttp2Stream;
  readonly #limits: CallLimits;
  readonly #deadlines: Deadlines;
  #onCancel: (() => void)[] = [];
  #onClose: (() => void)[] = [];
  #answered = false;
  #gone = false;
  #delivered: (() => void) | undefined;

  constructor(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    hold: ByteHold,
    limits: CallLimits,
    deadlines: Deadlines,
  ) {
    this.#stream = stream;
    this.headers = headers;
    this.path = headers[':path'] ?? '';
    this.hold = hold;
    // Kept for those who ask late: the session lets go of it when the connection ends.
    this.socket = stream.session?.socket ?? { remoteAddress: undefined };
    this.remoteAddress = this.socket.remoteAddress ?? '';
    this.#limits = limits;
    this.#deadlines = deadlines;
    this.requests = new MessageReader(stream, {
      messageBytesMax: limits.messageBytesMax,
      encoding: textOf(headers['grpc-encoding']),
      hold,
      pace: limits.pace,
    });
    const leave = (): void => this.#leave();
    stream.on('aborted', leave);
    stream.on('close', leave);
    // What went wrong with a stream is told by its end; without a listener it would end the process.
    stream.on('error', leave);
  }

  /** The caller went away before it was answered. */
  get canceled(): boolean {
    return this.#gone && !this.#answered;
  }

  onCancel(listener: () => void): void {
    if (this.canceled) listener();
    else this.#onCancel.push(listener);
  }

  /** However it ends. */
  onClose(listener: () => void): void {
    if (this.#gone) listener();
    else this.#onClose.push(listener);
  }

  /** The answer of a unary call: headers, message and trailers leave in one write. */
  answer(message: Buffer, headers: TextHeaders): void {
    if (!this.#open()) return;
    this.start(headers);
    this.#answered = true;
    this.#endWith(trailersOf(GrpcStatus.OK, '', {}));
    this.hold.count(message.length);
    this.#stream.end(framed(message));
    this.#awaitDelivery(this.requests.taken);
  }

  /** Sends the headers of a stream, unless they have been sent. */
  start(headers: TextHeaders): void {
    if (!this.#open() || this.#stream.headersSent) return;
    const all: OutgoingHttpHeaders = {
      ':status': 200,
      'content-type': CONTENT_TYPE,
      'grpc-accept-encoding': ACCEPTED_ENCODINGS,
      ...headers,
    };
    this.#stream.respond(all, { waitForTrailers: true });
  }

  /** Sends one message of a stream; the promise, if any, says when there is room for the next. */
  write(message: Buffer): Promise<void> | undefined {
    if (!this.#open()) return undefined;
    this.hold.count(message.length);
    if (this.#stream.write(framed(message))) return undefined;
    return new Promise((resolve) => {
      const cutOff = this.#deadlines.add(performance.now(), this.#limits.deliveryMs, () => this.cut());
      const done = (): void => {
        cutOff();
        this.#stream.off('drain', done);
        this.#stream.off('close', done);
        resolve();
      };
      this.#stream.on('drain', done);
      this.#stream.on('close', done);
    });
  }

  /** Ends the call with a status; `headers` travel as trailers. A caller that still sends is told that nobody listens. */
  end(status: GrpcStatus, details = '', headers: TextHeaders = {}): void {
    if (!this.#open()) return;
    this.#answered = true;
    if (this.#stream.headersSent) {
      this.#endWith(trailersOf(status, details, headers));
      this.#stream.end();
    } else {
      const all = { ':status': 200, 'content-type': CONTENT_TYPE, ...trailersOf(status, details, headers) };
      this.#stream.respond(all, { endStream: true });
    }
    this.#awaitDelivery(status === GrpcStatus.OK);
  }

  /** For what is no gRPC call: only HTTP's own status says so. */
  reject(httpStatus: number): void {
    if (!this.#open()) return;
    this.#answered = true;
    this.#stream.respond({ ':status': httpStatus }, { endStream: true });
    this.#awaitDelivery(false);
  }

  /** Ends the call without a word. */
  cut(): void {
    if (!this.#stream.destroyed) this.#stream.close(constants.NGHTTP2_CANCEL);
  }

  #open(): boolean {
    return !this.#gone && !this.#answered && !this.#stream.destroyed && !this.#stream.closed;
  }

  #endWith(trailers: OutgoingHttpHeaders): void {
    this.#stream.on('wantTrailers', () => this.#stream.sendTrailers(trailers));
  }

  /**
   * A caller that is still sending what nobody wants is told to stop, though not at once: a reset that comes together with
   * the trailers makes some clients forget them.
   */
  #awaitDelivery(callerIsDone: boolean): void {
    this.requests.ignoreRest();
    const now = performance.now();
    this.#delivered = callerIsDone
      ? this.#deadlines.add(now, this.#limits.deliveryMs, () => this.cut())
      : this.#deadlines.add(now, RESET_AFTER_MS, () => this.#reset());
  }

  /** Said everything; whatever the caller still says is not heard. */
  #reset(): void {
    if (this.#stream.destroyed) return;
    this.#stream.close(this.#stream.writableFinished ? constants.NGHTTP2_NO_ERROR : constants.NGHTTP2_CANCEL);
  }

  #leave(): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#delivered?.();
    this.hold.close();
    this.requests.cut();
    for (const listener of this.#onClose.splice(0)) listener();
    if (this.#answered) return;
    for (const listener of this.#onCancel.splice(0)) listener();
  }
}

export function textOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

function framed(message: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(PREFIX_BYTES + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  message.copy(frame, PREFIX_BYTES);
  return frame;
}

function trailersOf(status: GrpcStatus, details: string, headers: TextHeaders): OutgoingHttpHeaders {
  const trailers: OutgoingHttpHeaders = { ...headers, 'grpc-status': String(status) };
  if (details !== '') trailers['grpc-message'] = percentEncoded(details);
  return trailers;
}

/** As gRPC writes status messages: printable ASCII but the percent sign as it is, every other byte of UTF-8 as %XX. */
function percentEncoded(text: string): string {
  let encoded = '';
  for (const byte of Buffer.from(text, 'utf8')) {
    encoded +=
      byte >= 0x20 && byte <= 0x7e && byte !== 0x25
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded;
}
