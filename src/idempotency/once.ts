// A call with an idempotency key is executed once: for a day, repeating it with the same key returns the first answer.
// docs/adr/0054-idempotency-keys.md
import { createHash } from 'node:crypto';
import { AppError } from '../errors.js';
import type { KeptAnswers, NewAnswer } from './ports.js';
import { say } from '../words/server/say.js';

/** Long enough for a UUID, a URN or a hash, short enough to be kept in memory while the call runs. */
const KEY_LENGTH_MAX = 255;
const keyPattern = /^[\x21-\x7e]+$/;
const RETRY_AFTER_MS = 1000;

export interface KeyedRequest {
  /** Whose key it is: two clients may use the same. */
  owner: string;
  key: string;
  /** Of the operation and everything that was asked of it. */
  fingerprint: Uint8Array;
}

interface OnceAnswer {
  answer: Uint8Array;
  isRepeat: boolean;
}

export class Once {
  readonly #kept: KeptAnswers;
  readonly #running = new Set<string>();

  constructor(kept: KeptAnswers) {
    this.#kept = kept;
  }

  /** The answer of the work, or of the call that did it before. */
  async answer(request: KeyedRequest, work: () => Promise<NewAnswer>): Promise<OnceAnswer> {
    checkKey(request.key);
    const id = idOf(request);
    if (this.#running.has(id)) throw stillRunning();
    this.#running.add(id);
    try {
      return (await this.#repeat(id, request)) ?? (await this.#first(id, request, work));
    } finally {
      this.#running.delete(id);
    }
  }

  async #repeat(id: string, { fingerprint }: KeyedRequest): Promise<OnceAnswer | undefined> {
    const kept = await this.#kept.find(id);
    if (!kept) return undefined;
    if (kept === 'erased') throw erased();
    if (Buffer.compare(kept.fingerprint, fingerprint) !== 0) throw otherRequest();
    return { answer: kept.answer, isRepeat: true };
  }

  async #first(id: string, request: KeyedRequest, work: () => Promise<NewAnswer>): Promise<OnceAnswer> {
    let answer: Uint8Array = new Uint8Array(0);
    const kept = await this.#kept.keep(id, request.fingerprint, async () => {
      const done = await work();
      answer = done.answer;
      return done;
    });
    if (kept) return { answer, isRepeat: false };
    // Another node was faster with the same key, and nothing of ours remains.
    const theirs = await this.#repeat(id, request);
    if (!theirs) throw stillRunning();
    return theirs;
  }
}

/** Keys may tell something about people: only this is stored of them. */
function idOf({ owner, key }: KeyedRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([owner, key]))
    .digest('base64url');
}

function checkKey(key: string): void {
  if (key.length <= KEY_LENGTH_MAX && keyPattern.test(key)) return;
  throw new AppError('INVALID_REQUEST', say('IDEMPOTENCY_KEY_INVALID', { max: KEY_LENGTH_MAX }), {
    diagnostics: [{ code: 'IDEMPOTENCY_KEY_INVALID' }],
  });
}

function otherRequest(): AppError {
  return new AppError('INVALID_REQUEST', say('IDEMPOTENCY_KEY_REUSED'), {
    diagnostics: [{ code: 'IDEMPOTENCY_KEY_REUSED' }],
  });
}

/** Not done again: a call that makes somebody would make the erased person anew. */
function erased(): AppError {
  return new AppError(
    'NOT_FOUND',
    'idempotency-key: the call was completed, but its answer is gone because the personal data of a person in it was deleted',
    { diagnostics: [{ code: 'IDEMPOTENCY_ANSWER_ERASED', extras: { reason: 'PERSONAL_DATA_DELETED' } }] },
  );
}

function stillRunning(): AppError {
  return new AppError('IN_PROGRESS', say('IDEMPOTENCY_KEY_IN_USE'), {
    retryAfterMs: RETRY_AFTER_MS,
    diagnostics: [{ code: 'IDEMPOTENCY_KEY_IN_USE' }],
  });
}
