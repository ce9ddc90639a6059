// Requests whose time seems to be over only because the server itself stood still: stopped, or without a processor. Node looks at the
// clock before it reads what has come meanwhile, and would blame the caller.

/** Of a connection, what is needed here. */
interface Reading {
  /** How much of what has come was read. */
  readonly bytesRead?: number;
}

export class LateRequests {
  readonly #unheard = new WeakSet<Reading>();
  readonly #timeMs: number;

  /** `timeMs`: that a request gets once more. */
  constructor(timeMs: number) {
    this.#timeMs = timeMs;
  }

  /** The headers of a request are read. */
  heard(connection: Reading): void {
    this.#unheard.delete(connection);
  }

  /** Refuses at once where nothing was waiting to be read; otherwise only if the headers do not follow. */
  refuseUnlessWaiting(connection: Reading, refuse: () => void): void {
    const { bytesRead } = connection;
    this.#unheard.add(connection);
    // Between a timer, which has brought us here, and this, all that is waiting is read.
    setImmediate(() => {
      if (connection.bytesRead === bytesRead) refuse();
      else if (this.#unheard.has(connection))
        setTimeout(() => {
          if (this.#unheard.has(connection)) refuse();
        }, this.#timeMs).unref();
    });
  }
}
