// Files and streams that a worker holds from one job to the next: the engine's side of them.
import { AppError } from '../errors.js';
import type {
  AtCheckpoint,
  EngineStream,
  ProcessedAudio,
  ProcessOptions,
  StreamOptions,
  StreamProgress,
} from '../voice/engine.js';
import type { EngineRequest } from './pool/engine-worker.js';
import type { JobOptions, Pin, WorkerPool } from './pool/pool.js';
import { handOver, type FilePieces } from './file-pieces.js';
import type { FileStep } from './process-audio.js';

export function jobOptions(
  options: Pick<ProcessOptions, 'deadlineAtMs' | 'client' | 'priority'>,
  signal: AbortSignal | undefined,
): JobOptions {
  const { deadlineAtMs, client, priority } = options;
  return {
    ...(signal ? { signal } : {}),
    ...(deadlineAtMs === undefined ? {} : { deadlineAtMs }),
    ...(client === undefined ? {} : { client }),
    ...(priority === undefined ? {} : { priority }),
  };
}

/** State in a worker, kept there until it is released or the worker is gone. */
class WorkerState {
  readonly #pool: WorkerPool;
  readonly id: number;
  #pin: Pin | undefined;

  constructor(pool: WorkerPool, id: number) {
    this.#pool = pool;
    this.id = id;
  }

  async begin<T>(request: EngineRequest, job: JobOptions): Promise<T> {
    const { value, pin } = await this.#pool.run<T>(request, job);
    this.#pin = pin;
    this.#pool.keep(pin);
    return value;
  }

  async go<T>(request: EngineRequest, job: JobOptions): Promise<T> {
    if (!this.#pin) throw new AppError('INTERNAL_ERROR', 'this audio is no longer being processed');
    return (await this.#pool.run<T>(request, { ...job, pin: this.#pin })).value;
  }

  /** True the first time only. */
  release(): boolean {
    if (!this.#pin) return false;
    this.#pool.release(this.#pin);
    this.#pin = undefined;
    return true;
  }

  forget(): void {
    const pin = this.#pin;
    if (pin && this.release())
      void this.#pool.run({ do: 'forget', id: this.id }, { pin }).catch(() => undefined);
  }
}

/**
 * Step by step: after each checkpoint the worker is free for others while somebody decides, and no more of the file is read than
 * is listened to.
 */
export async function processInSteps(
  pool: WorkerPool,
  id: number,
  asked: { file: FilePieces; options: ProcessOptions; job: JobOptions },
  atCheckpoint: AtCheckpoint,
): Promise<ProcessedAudio> {
  const { file, options, job } = asked;
  const state = new WorkerState(pool, id);
  try {
    const head = await file.next();
    const begin: EngineRequest = { do: 'beginFile', id, head, totalBytes: file.totalBytes, options };
    let step = await state.begin<FileStep>(begin, { ...job, transfer: [head.buffer] });
    while (!('result' in step)) {
      if ('starved' in step) {
        const piece = await file.next();
        const feed: EngineRequest = { do: 'feedFile', id, piece };
        step = await state.go<FileStep>(feed, { ...job, transfer: [piece.buffer] });
      } else if (await atCheckpoint(step.reached)) {
        const result = await state.go<ProcessedAudio>({ do: 'stopFile', id }, job);
        state.release();
        return result;
      } else step = await state.go<FileStep>({ do: 'continueFile', id }, job);
    }
    state.release();
    await file.checkEnd();
    return step.result;
  } catch (error) {
    state.forget();
    throw error;
  } finally {
    await file.close();
  }
}

export async function openEngineStream(
  pool: WorkerPool,
  id: number,
  stream: { options: StreamOptions; job: JobOptions },
  ended: () => void,
): Promise<EngineStream> {
  const { options, job } = stream;
  const state = new WorkerState(pool, id);
  const forget = (): void => {
    state.forget();
    ended();
  };
  try {
    await state.begin({ do: 'openStream', id, options }, job);
  } catch (error) {
    forget();
    throw error;
  }
  job.signal?.addEventListener('abort', forget, { once: true });
  // A stream that failed once has a gap in its audio; it is of no further use.
  const endOnFailure = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      forget();
      throw error;
    }
  };
  return {
    push: (...chunks) => {
      const own = chunks.map(handOver);
      const transfer = own.map((chunk) => chunk.buffer);
      return endOnFailure(state.go<StreamProgress>({ do: 'push', id, chunks: own }, { ...job, transfer }));
    },
    finish: async () => {
      const result = await endOnFailure(state.go<ProcessedAudio>({ do: 'finish', id }, job));
      state.release();
      ended();
      return result;
    },
    cancel: forget,
  };
}
