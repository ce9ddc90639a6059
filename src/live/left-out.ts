// Positions in a call: telephone systems leave out parts of a call (a pause, audio they discarded) but still count them.

/** A part that was left out after `afterMs` of received audio. */
export interface Gap {
  afterMs: number;
  ms: number;
}

/** Beyond this number, gaps are merged. */
const GAPS_MAX = 1000;
/** The accuracy to which the engine reports how much it has heard. */
const NEAR_MS = 50;

export class LeftOut {
  readonly #gaps: Gap[];

  /** `before`: in the part that another node has heard. */
  constructor(before: readonly Gap[] = []) {
    this.#gaps = before.map((gap) => ({ ...gap }));
  }

  get gaps(): readonly Gap[] {
    return this.#gaps;
  }

  add(afterMs: number, ms: number): void {
    if (ms <= 0) return;
    const last = this.#gaps.at(-1);
    if (last && (last.afterMs >= afterMs || this.#gaps.length >= GAPS_MAX)) last.ms += ms;
    else this.#gaps.push({ afterMs, ms });
  }

  /** The position in the call at which audio ends that ends there in the received audio. */
  endOf(heardMs: number): number {
    return heardMs + this.#before((afterMs) => afterMs < heardMs);
  }

  /** The position in the call after this much received audio. */
  positionAt(heardMs: number): number {
    return heardMs + this.#before((afterMs) => afterMs <= heardMs + NEAR_MS);
  }

  #before(lies: (afterMs: number) => boolean): number {
    return this.#gaps.reduce((sum, { afterMs, ms }) => sum + (lies(afterMs) ? ms : 0), 0);
  }
}
