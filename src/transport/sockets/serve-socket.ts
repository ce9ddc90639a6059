// One WebSocket while it is open: messages go to the session of a protocol one at a time, and it speaks through a connection. Whoever
// sends faster than they are dealt with is not read from meanwhile; whoever takes up time without a call is cut off.
import type { RawData, WebSocket } from 'ws';
import { AppError, isBusy, isGoingDown } from '../../errors.js';
import {
  PROTOCOL_ERROR,
  SERVICE_RESTART,
  TRY_LATER,
  type ProtocolConnection,
  type ProtocolSession,
} from '../../live/protocols/live-protocol.js';
import type { Log } from '../../platform.js';
import { closeReason } from './close-reason.js';
import { MessageLimit } from './message-limit.js';
import type { RestingReader } from './resting-reader.js';
import { inEnglish } from '../../words/server/say.js';

const MESSAGES_WAITING_MAX = 32;
/** Seconds of any telephone audio. */
const BYTES_WAITING_MAX = 512 * 1024;
/** What any telephone system says before it has said which call it is about, many times over. */
const GREETINGS_MAX = 32;
const GREETING_BYTES_MAX = 64 * 1024;
const PINGS_MAX = 100;
const PINGS_EVERY_MS = 60_000;
/** Nobody reads who has so much left to read. */
const BYTES_UNREAD_MAX = 1024 * 1024;

/** The way back. What is said before the WebSocket is there waits for it. */
export class Connection implements ProtocolConnection {
  #client: WebSocket | undefined;
  #reader: RestingReader | undefined;
  #ended: () => void = () => {};
  readonly #waiting: string[] = [];
  #closing: { code: number; reason: string } | undefined;

  /** `ended`: told, once or more, when nothing else comes. */
  attach(client: WebSocket, reader: RestingReader, ended: () => void): void {
    this.#client = client;
    this.#reader = reader;
    this.#ended = ended;
    reader.onEnd(ended);
    for (const text of this.#waiting.splice(0)) client.send(text);
    if (this.#closing) client.close(this.#closing.code, closeReason(this.#closing.reason));
  }

  sendText(text: string): void {
    const client = this.#client;
    if (!client) this.#waiting.push(text);
    else if (client.bufferedAmount > BYTES_UNREAD_MAX) client.terminate();
    else if (client.readyState === client.OPEN) client.send(text);
  }

  close(code: number, reason: string): void {
    this.#reader?.stayAwake();
    if (this.#client) this.#client.close(code, closeReason(reason));
    else this.#closing = { code, reason };
  }

  async read(): Promise<void> {
    await this.#reader?.readAll();
    // It has said goodbye, and waits for an answer.
    if (this.#client && this.#client.readyState !== this.#client.OPEN) this.#ended();
  }
}

export function serveSocket(
  client: WebSocket,
  reader: RestingReader,
  session: ProtocolSession,
  log: Log,
): void {
  const waiting = { messages: 0, bytes: 0 };
  const greetings = { messages: 0, bytes: 0 };
  const limit = new MessageLimit(client);
  if (session.isKnown) limit.raise();
  let failed = false;
  let last: Promise<void> = Promise.resolve();
  const isTooMuch = (): boolean =>
    waiting.messages >= MESSAGES_WAITING_MAX || waiting.bytes >= BYTES_WAITING_MAX;
  const take = async (data: Buffer, isBinary: boolean): Promise<void> => {
    try {
      // What came before somebody hung up still counts; what came behind a mistake does not.
      if (failed) return;
      if (!session.isKnown && isTooMuchFrom(greetings, data.length))
        throw new AppError('INVALID_REQUEST', inEnglish('too much was sent before the start of the call'));
      await (isBinary ? session.binary(data) : session.text(data.toString('utf8')));
      if (session.isKnown) limit.raise();
    } catch (thrown) {
      failed = true;
      const known = thrown instanceof AppError && thrown.code !== 'INTERNAL_ERROR';
      if (!known) log.error({ cause: String(thrown) }, 'a live connection failed');
      const code = isGoingDown(thrown) ? SERVICE_RESTART : isBusy(thrown) ? TRY_LATER : PROTOCOL_ERROR;
      const why = known ? withField(thrown) : 'internal error';
      session.refuse?.(why);
      reader.stayAwake();
      client.close(code, closeReason(why));
    } finally {
      waiting.messages -= 1;
      waiting.bytes -= data.length;
      if (client.isPaused && !isTooMuch()) client.resume();
      if (waiting.messages === 0 && !failed) reader.rest(session.idleMs ?? 0);
    }
  };
  client.on('message', (data, isBinary) => {
    reader.messages += 1;
    // It was told that the connection ends.
    if (client.readyState !== client.OPEN) return;
    const bytes = bytesOf(data);
    if (isBinary && waiting.messages === 0 && !failed && session.hear?.(bytes)) {
      reader.rest(session.idleMs ?? 0);
      return;
    }
    waiting.messages += 1;
    waiting.bytes += bytes.length;
    if (isTooMuch()) client.pause();
    last = last.then(() => take(bytes, isBinary));
  });
  answerPings(client);
  // Whoever is being told why the connection ends has time to read it.
  client.on('error', () => void (client.readyState !== client.CLOSING && client.terminate()));
  client.on('close', () => void last.then(() => session.gone(failed)));
}

/** What is said of several fields names the first one already. */
function withField({ message, fields: [first] }: AppError): string {
  return first === undefined || message.startsWith(first.field) ? message : `${first.field}: ${message}`;
}

/** Of somebody who has not said which call it is about. */
function isTooMuchFrom(greetings: { messages: number; bytes: number }, bytes: number): boolean {
  greetings.messages += 1;
  greetings.bytes += bytes;
  return greetings.messages > GREETINGS_MAX || greetings.bytes > GREETING_BYTES_MAX;
}

/** Not more than anybody needs, and only to those who read the answers. */
function answerPings(client: WebSocket): void {
  let pings = 0;
  let sinceMs = performance.now();
  client.on('ping', (data) => {
    if (performance.now() - sinceMs > PINGS_EVERY_MS) {
      pings = 0;
      sinceMs = performance.now();
    }
    if (++pings > PINGS_MAX || client.bufferedAmount > BYTES_UNREAD_MAX) client.terminate();
    else if (client.readyState === client.OPEN) client.pong(data);
  });
}

function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? Buffer.from(data) : data;
}
