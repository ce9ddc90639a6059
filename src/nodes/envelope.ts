// What nodes send each other is sealed with a key that only nodes of this installation can make: a message that opens is from one of
// them and was meant for this one, and nobody on the way can read the voices in it. Each question has a key of its own.
import { hkdfSync } from 'node:crypto';

/** Authenticated encryption; `open` throws where the bytes were made with another key or for another place. */
interface Sealing {
  seal(key: Uint8Array, content: Uint8Array, place: string): Uint8Array;
  open(key: Uint8Array, sealed: Uint8Array, place: string): Uint8Array;
}

type Direction = 'question' | 'answer';

const KEY_BYTES = 32;

export class Envelopes {
  readonly #sealing: Sealing;
  readonly #secret: Uint8Array;

  constructor(sealing: Sealing, secret: Uint8Array) {
    this.#sealing = sealing;
    this.#secret = secret;
  }

  /** About a question: who it is for, and a number that is used once. */
  seal(direction: Direction, about: { nodeId: string; questionId: string }, content: unknown): Uint8Array {
    const bytes = Buffer.from(JSON.stringify(content));
    return this.#sealing.seal(this.#key(about.questionId), bytes, placeOf(direction, about));
  }

  open(direction: Direction, about: { nodeId: string; questionId: string }, sealed: Uint8Array): unknown {
    const bytes = this.#sealing.open(this.#key(about.questionId), sealed, placeOf(direction, about));
    return JSON.parse(Buffer.from(bytes).toString('utf8')) as unknown;
  }

  #key(questionId: string): Uint8Array {
    return new Uint8Array(hkdfSync('sha256', this.#secret, questionId, 'voxgate nodes', KEY_BYTES));
  }
}

function placeOf(
  direction: Direction,
  { nodeId, questionId }: { nodeId: string; questionId: string },
): string {
  return `nodes/${direction}/${nodeId}/${questionId}`;
}
