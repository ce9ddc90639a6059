/**
 * The indices of the frames that are speech, in order. It only grows; entries that are no longer needed may
 * be discarded.
 */
export class SpeechFrames {
  #frames = new Int32Array(256);
  #from = 0;
  length = 0;

  get heldBytes(): number {
    return this.#frames.byteLength;
  }

  push(frame: number): void {
    const kept = this.length - this.#from;
    if (kept === this.#frames.length) {
      const larger = new Int32Array(2 * kept);
      larger.set(this.#frames);
      this.#frames = larger;
    }
    this.#frames[kept] = frame;
    this.length++;
  }

  /** Undefined if there is none yet. */
  at(index: number): number | undefined {
    if (index < this.#from) throw new RangeError(`the speech frame ${index} was forgotten`);
    return index < this.length ? this.#frames[index - this.#from] : undefined;
  }

  forgetBefore(index: number): void {
    const to = Math.min(index, this.length);
    if (to <= this.#from) return;
    this.#frames.copyWithin(0, to - this.#from, this.length - this.#from);
    this.#from = to;
  }

  clear(): void {
    this.#from = 0;
    this.length = 0;
  }
}
