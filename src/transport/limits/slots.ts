// Slots counted per owner: calls and streams of a client, connections of an address.

export class Slots {
  readonly #perOwner: number;
  readonly #inAll: number;
  readonly #taken = new Map<string, number>();
  #total = 0;

  constructor(perOwner: number, inAll = Number.POSITIVE_INFINITY) {
    this.#perOwner = perOwner;
    this.#inAll = inAll;
  }

  get total(): number {
    return this.#total;
  }

  /** False when the owner, or all of them together, have as many as they may. */
  enter(owner: string): boolean {
    const taken = this.#taken.get(owner) ?? 0;
    if (taken >= this.#perOwner || this.#total >= this.#inAll) return false;
    this.#taken.set(owner, taken + 1);
    this.#total += 1;
    return true;
  }

  leave(owner: string): void {
    const taken = this.#taken.get(owner);
    if (taken === undefined) return;
    this.#total -= 1;
    if (taken === 1) this.#taken.delete(owner);
    else this.#taken.set(owner, taken - 1);
  }
}
