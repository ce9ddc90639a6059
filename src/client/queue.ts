// What comes by itself, for whoever asks for it one by one.

export class Queue<T> implements AsyncIterable<T> {
  readonly #items: T[] = [];
  #wake: (() => void) | undefined;
  #isEnded = false;
  #failure: { thrown: unknown } | undefined;

  /** How much waits. */
  get length(): number {
    return this.#items.length;
  }

  push(item: T): void {
    this.#items.push(item);
    this.#wake?.();
  }

  end(): void {
    this.#isEnded = true;
    this.#wake?.();
  }

  /** What was pushed before is told first. */
  fail(thrown: unknown): void {
    this.#failure ??= { thrown };
    this.end();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      while (this.#items.length > 0) yield this.#items.shift() as T;
      if (this.#failure) throw this.#failure.thrown;
      if (this.#isEnded) return;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
