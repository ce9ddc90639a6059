// How long a message may be: half a minute of wide-band audio at once, for whoever catches up after a broken connection; less for
// those who have not said which call it is about, since each of them may have one under way.
import type { WebSocket } from 'ws';

export const STRANGER_BYTES_MAX = 256 * 1024;
const CALL_BYTES_MAX = 1024 * 1024;
const TOO_BIG = 1009;

/** The library has one limit for all connections; this is where it keeps that of each. */
interface Limited {
  _receiver?: { _maxPayload?: number };
}

export class MessageLimit {
  readonly #client: WebSocket;
  #bytes = STRANGER_BYTES_MAX;

  constructor(client: WebSocket) {
    this.#client = client;
    const close = client.close.bind(client);
    // By itself, the library closes with a code alone.
    client.close = (code, reason) =>
      close(
        code,
        reason ?? (code === TOO_BIG ? `a message may have at most ${this.#bytes} bytes` : undefined),
      );
  }

  /** It is known whose connection this is. */
  raise(): void {
    const receiver = (this.#client as unknown as Limited)._receiver;
    if (this.#bytes === CALL_BYTES_MAX || receiver?._maxPayload === undefined) return;
    receiver._maxPayload = CALL_BYTES_MAX;
    this.#bytes = CALL_BYTES_MAX;
  }
}
