// Callers who send a request byte by byte would hold a place for as long as they like. Whatever is under way has some seconds, and
// more for every byte that came: slow lines are served, those who only keep us waiting are not.
import { GrpcStatus } from './grpc-status.js';
import type { Deadlines } from './dispatch/deadlines.js';
import { AppError } from '../errors.js';
import { Refusal } from './refusal.js';

/** For a request that does not move at all. */
const PATIENCE_MS = 15_000;
/** 32 kbit/s: half a telephone line. */
const BYTES_PER_MS = 4;

interface Receiving {
  /** Bytes that have come so far. */
  received(): number;
  /** Whether bytes wait for us to read them: then it is not the caller who is slow. */
  isHeldUp?(): boolean;
  giveUp(refusal: Refusal): void;
}

export class ReceivingPace {
  readonly #deadlines: Deadlines;

  constructor(deadlines: Deadlines) {
    this.#deadlines = deadlines;
  }

  /** Gives up on what comes too slowly, unless the returned function has called it off before. */
  watch(receiving: Receiving): () => void {
    const { received, isHeldUp = () => false, giveUp } = receiving;
    let startedAtMs = performance.now();
    let isOver = false;
    let callOff = (): void => {};
    const waitFor = (leftMs: number): void => {
      callOff = this.#deadlines.add(performance.now(), leftMs, (why) => {
        if (why === 'shutdown') return;
        // A server that stood still itself has not read what is there.
        const before = received();
        setImmediate(() => {
          if (isOver) return;
          if (isHeldUp() || received() > before) startedAtMs = performance.now();
          const leftNowMs = startedAtMs + PATIENCE_MS + received() / BYTES_PER_MS - performance.now();
          if (leftNowMs > 0) waitFor(leftNowMs);
          else giveUp(tooSlow());
        });
      });
    };
    waitFor(PATIENCE_MS);
    return () => {
      isOver = true;
      callOff();
    };
  }
}

function tooSlow(): Refusal {
  const seconds = PATIENCE_MS / 1000;
  const message = `the request came too slowly: it has ${seconds} s, and one more for each ${BYTES_PER_MS} kB that came`;
  return new Refusal(
    408,
    GrpcStatus.DEADLINE_EXCEEDED,
    message,
    // The rest of the body would be taken for the next request.
    { connection: 'close' },
    new AppError('DEADLINE_EXCEEDED', message),
  );
}
