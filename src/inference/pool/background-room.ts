// How much room background work has: all workers while nobody else is there; one less while somebody waits for answers or did a
// moment ago. A caller's next question then finds a worker at once, instead of one in the middle of a step that takes 100 ms.

/** How long after their last question callers are expected to ask another. */
const CALLERS_NEAR_MS = 5000;

/** How many workers background work may have at a time. A single one it shares: it gives way between two steps. */
export const backgroundWorkersMax = (workers: number, callersAreNear: boolean): number =>
  callersAreNear ? Math.max(1, workers - 1) : workers;

export class NearbyCallers {
  readonly #left: () => void;
  readonly #nearMs: number;
  #timer: NodeJS.Timeout | undefined;

  /** `left`: is told when there has been none for a while. */
  constructor(left: () => void, nearMs = CALLERS_NEAR_MS) {
    this.#left = left;
    this.#nearMs = nearMs;
  }

  get areNear(): boolean {
    return this.#timer !== undefined;
  }

  noteOne(): void {
    if (this.#timer) this.#timer.refresh();
    else
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        this.#left();
      }, this.#nearMs).unref();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
