/**
 * The bytes of a file that have arrived so far. They are stored at their final positions, so that a decoder
 * that reads from front to back can begin before the file is complete, and gets the same result.
 */
export class ArrivingBytes {
  /** As long as the whole file; zeros where nothing has arrived yet. */
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

  /** Whether a decoder waits for bytes that have not arrived yet. */
  get isWaitedFor(): boolean {
    return this.#wanted > this.#here;
  }

  /** Inside a decoder: pauses until everything before `end` has arrived. */
  *until(end: number): Generator<void, void, void> {
    this.#wanted = Math.min(end, this.all.length);
    while (this.isWaitedFor) yield;
  }
}
