// The last of the audio that was sent, until it is certain that it is no longer needed.

/** Some seconds of any format, and what the buffers of two operating systems hold. */
const KEPT_BYTES = 4 * 1024 * 1024;

export class SentAudio {
  readonly #pieces: Uint8Array<ArrayBuffer>[] = [];
  #keptBytes = 0;
  /** Bytes of the call before the first piece that is kept. */
  #forgottenBytes = 0;

  add(piece: Uint8Array<ArrayBuffer>): void {
    this.#pieces.push(piece);
    this.#keptBytes += piece.length;
    while (this.#keptBytes > KEPT_BYTES && this.#pieces.length > 1) {
      const { length } = this.#pieces.shift() as Uint8Array;
      this.#keptBytes -= length;
      this.#forgottenBytes += length;
    }
  }

  /** Everything behind the first `receivedBytes` of the call; undefined where some of it is no longer kept. */
  after(receivedBytes: number): Uint8Array<ArrayBuffer>[] | undefined {
    if (receivedBytes < this.#forgottenBytes) return undefined;
    let skip = receivedBytes - this.#forgottenBytes;
    const rest: Uint8Array<ArrayBuffer>[] = [];
    for (const piece of this.#pieces) {
      if (skip >= piece.length) skip -= piece.length;
      else {
        rest.push(piece.subarray(skip));
        skip = 0;
      }
    }
    return rest;
  }
}
