// Whether the caller is still there. Most handlers never look, so both the AbortController behind
// `Call.signal` and the listener on the connection are made on demand: for every call they would cost more
// than routing it.

export class CallAbort {
  readonly #watch: (onClose: () => void) => void;
  #controller: AbortController | undefined;
  #gone = false;

  /** `watch` calls back when the caller goes away, at once when it is gone already. */
  constructor(watch: (onClose: () => void) => void) {
    this.#watch = watch;
  }

  get aborted(): boolean {
    return this.#gone;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#gone) this.#controller.abort();
      else this.#watch(() => this.abort());
    }
    return this.#controller.signal;
  }

  abort(): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#controller?.abort();
  }
}
