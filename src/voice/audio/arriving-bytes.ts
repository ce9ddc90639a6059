/**
 * The bytes of a file as far as they have come. They lie where they belong in the whole, so that a decoder that reads from front
 * to back can begin before the end is there, and finds the same as if it were.
 */
export class ArrivingBytes {
  /** Of the length of the whole; zeros where nothing has come yet. */
  readonly all: Uint8Array;
  #here: number;
  #wanted = 0;

  private constructor(all: Uint8Array, here: number) {
    this.all = all;
    this.#here = here;
  }

  static whole(bytes: Uint8Array): ArrivingBytes {
    return new ArrivingBytes(bytes, bytes.length);
  }

  static from(head: Uint8Array, totalBytes: number): ArrivingBytes {
    if (head.length >= totalBytes) return ArrivingBytes.whole(head);
    const arriving = new ArrivingBytes(new Uint8Array(totalBytes), 0);
    arriving.add(head);
    return arriving;
  }

  add(piece: Uint8Array): void {
    const fits = piece.subarray(0, this.all.length - this.#here);
    this.all.set(fits, this.#here);
    this.#here += fits.length;
  }

  /** Whether a decoder waits for bytes that have not come yet. */
  get isWaitedFor(): boolean {
    return this.#wanted > this.#here;
  }

  /** Inside a decoder: pauses until everything before `end` is there. */
  *until(end: number): Generator<void, void, void> {
    this.#wanted = Math.min(end, this.all.length);
    while (this.isWaitedFor) yield;
  }
}
