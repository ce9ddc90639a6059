// Puts numbered pieces of audio that may arrive out of order into order. A missing piece is waited for as
// long as the window of later ones allows; then it counts as lost.

export class ChunkOrder {
  readonly #windowMax: number;
  readonly #waiting = new Map<number, Uint8Array>();
  #next: number | undefined;

  constructor(windowMax: number) {
    this.#windowMax = windowMax;
  }

  /** The pieces that can be passed on now. Duplicates and pieces that arrive too late are dropped. */
  push(number: number, piece: Uint8Array): Uint8Array[] {
    // The first to arrive may be the second that was sent.
    this.#next ??= Math.min(number, 1);
    if (number < this.#next || this.#waiting.has(number)) return [];
    this.#waiting.set(number, piece);
    const ready = this.#take();
    if (this.#waiting.size <= this.#windowMax) return ready;
    this.#next = Math.min(...this.#waiting.keys());
    return [...ready, ...this.#take()];
  }

  /** Everything that still waits, in order: nothing more will come. */
  flush(): Uint8Array[] {
    const rest = [...this.#waiting].sort(([a], [b]) => a - b).map(([, piece]) => piece);
    this.#waiting.clear();
    return rest;
  }

  #take(): Uint8Array[] {
    const ready: Uint8Array[] = [];
    for (let at = this.#next ?? 0; ; at++) {
      const piece = this.#waiting.get(at);
      if (!piece) return ready;
      this.#waiting.delete(at);
      this.#next = at + 1;
      ready.push(piece);
    }
  }
}
