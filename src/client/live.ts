// A call that is listened to while it runs: audio goes out over a WebSocket, decisions come back. A connection that breaks
// is made again, and the audio that had not arrived is sent once more.
import type { ListenResponseJson, LiveEventJson, LiveFormatJson } from '../gen/voxgate/live/v1/live_pb.js';
import { VoxgateError } from './errors.js';
import { Queue } from './queue.js';
import { SentAudio } from './sent-audio.js';

/** As much of a WebSocket as is needed; that of browsers, of Node 22 and of the package `ws` will do. */
export interface Socket {
  binaryType: string;
  readonly bufferedAmount: number;
  send(data: string | Uint8Array<ArrayBuffer>): void;
  close(code?: number): void;
  addEventListener(type: 'open' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  addEventListener(type: 'close', listener: (event: { code: number; reason: string }) => void): void;
}

export type SocketConstructor = new (url: string) => Socket;

/** The WebSocket of a server. */
export const lineAddress = (server: string): string => `${server.replace(/^http/, 'ws')}/v1/live`;

/** Pieces of audio in the order in which they are heard; of Opus one packet each. */
export type AudioPieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

interface LineDeps {
  connect: () => Socket;
  pause: (ms: number) => Promise<void>;
}

const NORMAL = 1000;
const BUSY = 1013;
const PROTOCOL_ERROR = 1002;
/** More waits in the socket than a slow network needs: let it drain. */
const BUFFERED_MAX = 256 * 1024;
const DRAIN_MS = 20;
/** The server waits this long for a call whose connection broke. */
const RESUME_MS = 15_000;
const RESUME_PAUSE_MS = 500;

/** One call over as many connections as it takes. */
export class LiveLine {
  readonly #deps: LineDeps;
  readonly #start: { streamToken: string; format: LiveFormatJson };
  readonly #events = new Queue<LiveEventJson>();
  readonly #sent = new SentAudio();
  #socket: Socket | undefined;
  #resumeToken: string | undefined;
  #sequence = '0';
  #lostAtMs: number | undefined;
  #isStopped = false;
  #isOver = false;

  constructor(deps: LineDeps, start: { streamToken: string; format: LiveFormatJson }) {
    this.#deps = deps;
    this.#start = start;
  }

  /** Sends the audio and tells the events, the last of which is `final`. */
  async *run(audio: AudioPieces): AsyncGenerator<LiveEventJson> {
    this.#connect();
    const sending = this.#pump(audio).catch((thrown: unknown) => this.#fail(thrown));
    try {
      yield* this.#events;
    } finally {
      // Whoever leaves before the end ends the call: the server need not wait for another connection.
      if (!this.#isOver) this.stop();
      this.#isOver = true;
      this.#socket?.close(NORMAL);
      void sending;
    }
  }

  /** Says that the audio is over before its source does. */
  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#socket?.send(JSON.stringify({ stop: {} }));
  }

  async #pump(audio: AudioPieces): Promise<void> {
    for await (const piece of audio) {
      if (this.#isOver || this.#isStopped) return;
      const bytes = new Uint8Array(piece);
      this.#sent.add(bytes);
      this.#socket?.send(bytes);
      while (!this.#isOver && (!this.#socket || this.#socket.bufferedAmount > BUFFERED_MAX))
        await this.#deps.pause(DRAIN_MS);
    }
    this.stop();
  }

  #connect(): void {
    const socket = this.#deps.connect();
    socket.binaryType = 'arraybuffer';
    const start = this.#resumeToken
      ? { resumeToken: this.#resumeToken, afterSequence: this.#sequence }
      : this.#start;
    const isResumed = this.#resumeToken !== undefined;
    socket.addEventListener('open', () => {
      if (this.#isOver) return socket.close(NORMAL);
      socket.send(JSON.stringify({ start }));
      if (!isResumed) this.#goOn(socket, 0);
    });
    let isReported = !isResumed;
    socket.addEventListener('message', ({ data }) => {
      const { event, resume } = JSON.parse(String(data)) as ListenResponseJson;
      if (resume?.resumeToken) this.#resumeToken = resume.resumeToken;
      if (!isReported && resume) {
        isReported = true;
        this.#lostAtMs = undefined;
        this.#goOn(socket, Number(resume.receivedBytes ?? '0'));
      }
      if (event) this.#tell(event);
    });
    // Every error is followed by the close that says why.
    socket.addEventListener('error', () => undefined);
    socket.addEventListener('close', ({ code, reason }) => this.#closed(code, reason));
  }

  /** Sends what the server has not heard; from then on audio goes straight to this socket. */
  #goOn(socket: Socket, receivedBytes: number): void {
    const missing = this.#sent.after(receivedBytes);
    if (!missing) return this.#fail(lost('the server is missing more of the call than is kept here'));
    for (const piece of missing) socket.send(piece);
    if (this.#isStopped) socket.send(JSON.stringify({ stop: {} }));
    this.#socket = socket;
  }

  #tell(event: LiveEventJson): void {
    if (event.sequence) this.#sequence = event.sequence;
    this.#events.push(event);
    if (!event.final) return;
    this.#isOver = true;
    this.#events.end();
  }

  #closed(code: number, reason: string): void {
    this.#socket = undefined;
    if (this.#isOver) return;
    // A node that is asked to go on with a call may have to wait until another one lets go of it.
    const isMoving = code === BUSY && this.#resumeToken !== undefined;
    const refused = isMoving ? undefined : refusalOf(code, reason);
    if (refused) return this.#fail(refused);
    if (this.#resumeToken === undefined)
      return this.#fail(
        new VoxgateError(`the server closed the connection (${code}) ${reason}`.trim(), { code: 'OFFLINE' }),
      );
    this.#lostAtMs ??= Date.now();
    if (Date.now() - this.#lostAtMs > RESUME_MS)
      return this.#fail(lost('the connection was lost and could not be restored'));
    void this.#deps.pause(RESUME_PAUSE_MS).then(() => {
      if (!this.#isOver) this.#connect();
    });
  }

  #fail(thrown: unknown): void {
    this.#isOver = true;
    this.#socket?.close(NORMAL);
    this.#events.fail(thrown);
  }
}

const lost = (message: string): VoxgateError => new VoxgateError(message, { code: 'CALL_LOST' });

/** Codes that another connection would not change. */
function refusalOf(code: number, reason: string): VoxgateError | undefined {
  if (code === BUSY) return new VoxgateError(reason || 'the server accepts no more calls', { code: 'BUSY' });
  if (code === PROTOCOL_ERROR || code === 1008)
    return new VoxgateError(reason || 'the server refused the call', { code: 'INVALID_REQUEST' });
  return undefined;
}
